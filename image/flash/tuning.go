package flash

const (
	// pieceSize is what is read, written and compared at a time: a multiple of
	// what any card erases at a time.
	pieceSize = 2 << 20
	// sector is what a card's addresses count.
	sector = 512
	// wiped is how much at either end of a disk holds partition tables.
	wiped = 256 << 10
)
