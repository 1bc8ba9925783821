package d64

import "fmt"

// writer fills an image.
type writer struct {
	image []byte
	used  [Tracks + 1]uint32 // a bit a sector, from track 1
}

func newWriter() *writer {
	w := &writer{image: make([]byte, Size)}
	w.take(place{directoryTrack, mapSector})
	w.take(place{directoryTrack, firstEntries})
	return w
}

func (w *writer) take(p place) { w.used[p.track] |= 1 << p.sector }

func (w *writer) sector(p place) []byte {
	at := p.offset()
	return w.image[at : at+SectorSize]
}

// payload is what a sector holds beside the address of the next one.
const payload = SectorSize - 2

// file chains a program's sectors.
func (w *writer) file(data []byte) (first place, blocks int, err error) {
	need := (len(data) + payload - 1) / payload
	at, ok := w.free(place{directoryTrack - 1, 0})
	for first = at; ok; blocks++ {
		w.take(at)
		s := w.sector(at)
		n := copy(s[2:], data)
		if data = data[n:]; len(data) == 0 {
			s[0], s[1] = 0, byte(n+1) // the last byte that counts
			return first, blocks + 1, nil
		}
		var next place
		if next, ok = w.free(place{at.track, at.sector + interleave}); ok {
			s[0], s[1] = byte(next.track), byte(next.sector)
			at = next
		}
	}
	return place{}, 0, fmt.Errorf("%d blocks: %w", need, ErrTooLarge)
}

// free finds a sector: on a track from the wished one on, then on the tracks
// that are next farther from the directory, as the drive does it.
func (w *writer) free(wish place) (place, bool) {
	for _, track := range tracksFrom(wish.track) {
		n := sectorsOn(track)
		from := wish.sector
		if track != wish.track {
			from = 0
		}
		for i := range n {
			p := place{track, (from + i) % n}
			if w.used[track]&(1<<p.sector) == 0 {
				return p, true
			}
		}
	}
	return place{}, false
}

// tracksFrom are a track and those that are filled after it: outwards from the
// directory, then inwards.
func tracksFrom(track int) []int {
	var out []int
	if track < directoryTrack {
		for t := track; t >= 1; t-- {
			out = append(out, t)
		}
		track = directoryTrack + 1
	}
	for t := track; t <= Tracks; t++ {
		out = append(out, t)
	}
	return out
}

// closedProgram is a program in the directory whose writing was completed.
const closedProgram = 0x82

// directory writes the one entry.
func (w *writer) directory(name []byte, first place, blocks int) {
	s := w.sector(place{directoryTrack, firstEntries})
	s[1] = 0xff // the last sector of the directory
	s[2] = closedProgram
	s[3], s[4] = byte(first.track), byte(first.sector)
	copy(s[5:], name)
	s[30], s[31] = byte(blocks), byte(blocks>>8)
}

// Where things stand in the sector of the map.
const (
	mapAt  = 4
	nameAt = 0x90
	idAt   = 0xa2
	dosAt  = 0xa5
)

// header writes the map of free sectors, and the disk's name.
func (w *writer) header(name, id []byte) {
	s := w.sector(place{directoryTrack, mapSector})
	s[0], s[1] = directoryTrack, firstEntries
	s[2] = 'A' // the format of the 1541
	for t := 1; t <= Tracks; t++ {
		n := sectorsOn(t)
		free := (uint32(1)<<n - 1) &^ w.used[t]
		e := s[mapAt+(t-1)*4:]
		for i := range n {
			e[0] += byte(free >> i & 1)
		}
		e[1], e[2], e[3] = byte(free), byte(free>>8), byte(free>>16)
	}
	for i := nameAt; i < 0xab; i++ {
		s[i] = shiftBlank
	}
	copy(s[nameAt:], name)
	copy(s[idAt:], id)
	copy(s[dosAt:], "2A")
}
