package c64prg

import _ "embed" // for the directive below

//go:embed prompt64.prg
var program string

// Program returns a copy of the C64's program as it was built, without an
// address in it.
func Program() []byte { return []byte(program) }
