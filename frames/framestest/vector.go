package framestest

import (
	"bytes"
	_ "embed" // the vectors
	"encoding/json"
	"fmt"
)

//go:embed testdata/vectors.jsonl
var vectorFile []byte

// Vector is one line of testdata/vectors.jsonl: a frame, and what every decoder of
// the protocol must make of it. All bytes are upper-case hexadecimal.
type Vector struct {
	Name      string `json:"name"`
	Direction string `json:"direction"` // "to-bridge" or "to-c64"
	Type      uint8  `json:"type"`
	TypeName  string `json:"type_name"`
	Flags     uint8  `json:"flags"`
	Payload   string `json:"payload"`
	Frame     string `json:"frame"`
	// Fault is empty for a valid frame, else "framing" or "value".
	Fault string `json:"fault,omitempty"`
	// Words is what the bridge of this project says in its Error frame; another
	// implementation may say it otherwise.
	Words string `json:"words,omitempty"`
	// Fields are the message's fields: numbers, truth values, and byte strings in
	// hexadecimal. A valid frame encodes from them to exactly Frame.
	Fields map[string]any `json:"fields,omitempty"`
}

// Vectors returns the golden vectors.
func Vectors() ([]Vector, error) {
	var out []Vector
	for line := range bytes.Lines(vectorFile) {
		var v Vector
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("framestest: vector %d: %w", len(out)+1, err)
		}
		out = append(out, v)
	}
	return out, nil
}
