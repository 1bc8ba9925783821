package card

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Names in an image.
const (
	// AboutFile says what an image is, as JSON of an About.
	AboutFile = "etc/prompt64/image.json"
	// KeysFolder has the public keys that updates are believed to be signed with.
	KeysFolder = "etc/prompt64/keys"
	// GuardFile is the program that goes back from a bad update.
	GuardFile = "user/guard"
)

// About says what an image is. The image's builder writes it.
type About struct {
	Board   string `json:"board"`
	Arch    string `json:"arch"`    // as Go calls it
	Version string `json:"version"` // such as v1.2.3
	Minimum string `json:"minimum"` // the oldest version that is taken after this one
}

// ReadAbout reads what the running image is; root is its root folder.
func ReadAbout(root string) (About, error) {
	f, err := os.Open(filepath.Join(root, AboutFile))
	if err != nil {
		return About{}, err
	}
	defer f.Close()
	var a About
	if err := json.NewDecoder(io.LimitReader(f, 64<<10)).Decode(&a); err != nil {
		return About{}, fmt.Errorf("read %s: %w", AboutFile, err)
	}
	return a, nil
}
