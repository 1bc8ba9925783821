package d64

// The shape of a disk.
const (
	Tracks     = 35
	SectorSize = 256
	Size       = 683 * SectorSize // bytes of an image

	directoryTrack = 18
	mapSector      = 0
	firstEntries   = 1 // sector of the directory's first eight entries
)

// interleave is how far apart the sectors of a file are on a track: the ROM's
// own load is just fast enough for that.
const interleave = 10

// sectorsOn is how many sectors a track has.
func sectorsOn(track int) int {
	switch {
	case track <= 17:
		return 21
	case track <= 24:
		return 19
	case track <= 30:
		return 18
	}
	return 17
}

// place is a sector's address; the zero value is no sector.
type place struct{ track, sector int }

// offset is where a sector begins in an image.
func (p place) offset() int {
	n := p.sector
	for t := 1; t < p.track; t++ {
		n += sectorsOn(t)
	}
	return n * SectorSize
}
