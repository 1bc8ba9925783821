package c64prg

import "embed"

//go:embed *[go]
var built embed.FS

// Program returns the C64's program as it was built, without an address in it.
func Program() []byte {
	prg, err := built.ReadFile("prompt64.prg")
	if err != nil {
		return nil // this tree holds no built program: Read and Patch say so
	}
	return prg
}
