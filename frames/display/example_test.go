package display_test

import (
	"fmt"

	"github.com/prompt64/prompt64/frames/display"
)

func ExampleShaper() {
	s := display.New(display.Options{Markdown: true})
	for _, delta := range []string{"It’s in `la", "ppy.go`: **f", "ixed** ✓", " – done"} {
		fmt.Printf("%q\n", s.Write(nil, delta))
	}
	fmt.Printf("%q\n", s.Flush(nil))
	// Output:
	// "It's in "
	// "lappy.go: "
	// "fixed v"
	// " - done"
	// ""
}

func ExampleLine() {
	fmt.Printf("%s\n", display.Line("go test\n./… → ok", display.Options{}))
	// Output: go test ./... -> ok
}

func ExampleFitTail() {
	fmt.Printf("%s\n", display.FitTail([]byte("appliance/lease/replay.go"), 18))
	// Output: ...lease/replay.go
}

func ExampleSplit() {
	for rest := []byte("never inside a word"); len(rest) > 0; {
		var head []byte
		head, rest = display.Split(rest, 10)
		fmt.Printf("%q\n", head)
	}
	// Output:
	// "never "
	// "inside a "
	// "word"
}

func ExampleUnshape() {
	fmt.Println(display.Unshape([]byte{'5', 0x80 | 0x1C, ' ', 0x80 | 0x7A}))
	// Output: 5£ ✓
}
