package unpack

// Limits bound what an archive may make this program do.
type Limits struct {
	File    int64 // bytes of one wanted file
	Total   int64 // bytes of the unpacked archive, what is passed over included
	Entries int
}

// DefaultLimits fit a program of some hundred megabytes several times over.
var DefaultLimits = Limits{File: 1 << 30, Total: 3 << 30, Entries: 10_000}

// zstdWindow bounds the memory that a zstd stream may ask for. It is what the
// program's own strongest setting uses.
const zstdWindow = 128 << 20
