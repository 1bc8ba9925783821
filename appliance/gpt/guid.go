package gpt

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// GUID is an identifier as it lies on the disk: the first three of its five
// groups are little-endian.
type GUID [16]byte

// Types of partitions.
var (
	// BasicData is what desktops mount by themselves,
	// ebd0a0a2-b9e5-4433-87c0-68b6b72699c7.
	BasicData = GUID{0xa2, 0xa0, 0xd0, 0xeb, 0xe5, 0xb9, 0x33, 0x44, 0x87, 0xc0, 0x68, 0xb6, 0xb7, 0x26, 0x99, 0xc7}
	// EFISystem is what firmware looks for, and desktops leave alone,
	// c12a7328-f81f-11d2-ba4b-00a0c93ec93b.
	EFISystem = GUID{0x28, 0x73, 0x2a, 0xc1, 0x1f, 0xf8, 0xd2, 0x11, 0xba, 0x4b, 0x00, 0xa0, 0xc9, 0x3e, 0xc9, 0x3b}
)

// order says which byte of the text is which byte on the disk.
var order = [16]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}

// Parse reads the usual text, 8-4-4-4-12 hexadecimal digits.
func Parse(s string) (GUID, error) {
	var g GUID
	parts := strings.Split(s, "-")
	if len(parts) != 5 || len(s) != 36 || len(parts[0]) != 8 || len(parts[1]) != 4 || len(parts[2]) != 4 || len(parts[3]) != 4 {
		return g, fmt.Errorf("parse GUID %q: want 8-4-4-4-12 hexadecimal digits", s)
	}
	b, err := hex.DecodeString(strings.Join(parts, ""))
	if err != nil {
		return g, fmt.Errorf("parse GUID %q: %w", s, err)
	}
	for i, from := range order {
		g[i] = b[from]
	}
	return g, nil
}

// String gives the usual text, in small letters.
func (g GUID) String() string {
	var b [16]byte
	for i, from := range order {
		b[from] = g[i]
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// IsZero tells an unused entry.
func (g GUID) IsZero() bool { return g == GUID{} }
