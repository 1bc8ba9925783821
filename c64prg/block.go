package c64prg

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Magic begins the configuration block in a PRG.
const Magic = "P64CFG1"

// The block's layout, in bytes from the end of Magic.
const (
	offsetHost   = 0
	offsetPort   = offsetHost + HostSize
	offsetCode   = offsetPort + 2
	offsetLink   = offsetCode + CodeSize
	offsetBaud   = offsetLink + 1
	offsetScheme = offsetBaud + 1
	offsetSound  = offsetScheme + 1
	blockSize    = offsetSound + 1
)

// Sizes of the block's text fields. The host keeps one byte of padding, so that
// the program can read it as a terminated string.
const (
	HostSize = 64
	CodeSize = 8
)

// ErrNoBlock says that a file is not a PRG that can be configured: it has no
// configuration block, more than one, or one that is cut off.
var ErrNoBlock = errors.New("not a Prompt64 program")

// locate returns the offset of the block's first field in prg.
func locate(prg []byte) (int, error) {
	switch n := bytes.Count(prg, []byte(Magic)); n {
	case 0:
		return 0, fmt.Errorf("find configuration block: no %q in the file: %w", Magic, ErrNoBlock)
	case 1:
	default:
		return 0, fmt.Errorf("find configuration block: %q occurs %d times: %w", Magic, n, ErrNoBlock)
	}
	at := bytes.Index(prg, []byte(Magic)) + len(Magic)
	if len(prg)-at < blockSize {
		return 0, fmt.Errorf("find configuration block: the file ends %d bytes into it, %d are needed: %w",
			len(prg)-at, blockSize, ErrNoBlock)
	}
	return at, nil
}

// Patch returns a copy of prg with its configuration block set to c. The file
// keeps its length; no byte outside the block changes.
func Patch(prg []byte, c Config) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("patch prg: %w", err)
	}
	at, err := locate(prg)
	if err != nil {
		return nil, fmt.Errorf("patch prg: %w", err)
	}
	out := bytes.Clone(prg)
	block := out[at : at+blockSize]
	clear(block)
	copy(block[offsetHost:], c.Host)
	binary.LittleEndian.PutUint16(block[offsetPort:], c.Port)
	copy(block[offsetCode:], c.Code)
	block[offsetLink] = byte(c.Link)
	block[offsetBaud] = c.Baud
	block[offsetScheme] = c.Scheme
	block[offsetSound] = c.Sound
	return out, nil
}

// Read returns the configuration in prg as it stands, without judging it: a PRG
// that nobody configured yet has an empty host.
func Read(prg []byte) (Config, error) {
	at, err := locate(prg)
	if err != nil {
		return Config{}, fmt.Errorf("read prg: %w", err)
	}
	block := prg[at : at+blockSize]
	return Config{
		Host:   text(block[offsetHost:offsetPort]),
		Port:   binary.LittleEndian.Uint16(block[offsetPort:]),
		Code:   text(block[offsetCode:offsetLink]),
		Link:   Link(block[offsetLink]),
		Baud:   block[offsetBaud],
		Scheme: block[offsetScheme],
		Sound:  block[offsetSound],
	}, nil
}

// text returns a zero padded field's text.
func text(field []byte) string {
	if end := bytes.IndexByte(field, 0); end >= 0 {
		field = field[:end]
	}
	return string(field)
}
