package d64_test

import (
	"strings"
	"testing"
)

// A reader of its own: written from the drive's documentation, with none of the
// package's tables.

type sector struct{ track, sector int }

// layout is how many sectors each track has.
var layout = [35]int{
	21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21,
	19, 19, 19, 19, 19, 19, 19, 18, 18, 18, 18, 18, 18, 17, 17, 17, 17, 17,
}

type file struct {
	name   string
	kind   byte
	blocks int
	chain  []sector
	data   []byte
}

type contents struct {
	name, id, dos string
	free          map[sector]bool
	count         [35]int
	files         []file
}

func at(t *testing.T, img []byte, s sector) []byte {
	t.Helper()
	if s.track < 1 || s.track > 35 || s.sector < 0 || s.sector >= layout[s.track-1] {
		t.Fatalf("there is no track %d sector %d", s.track, s.sector)
	}
	n := s.sector
	for _, c := range layout[:s.track-1] {
		n += c
	}
	return img[n*256 : n*256+256]
}

func unpadded(b []byte) string { return strings.TrimRight(string(b), "\xa0") }

func read(t *testing.T, img []byte) contents {
	t.Helper()
	bam := at(t, img, sector{18, 0})
	if bam[0] != 18 || bam[1] != 1 || bam[2] != 0x41 || bam[3] != 0 {
		t.Fatalf("the map begins with % x", bam[:4])
	}
	c := contents{
		name: unpadded(bam[144:160]), id: unpadded(bam[162:164]), dos: string(bam[165:167]),
		free: map[sector]bool{},
	}
	for i, n := range layout {
		e := bam[4+4*i : 8+4*i]
		c.count[i] = int(e[0])
		for s := range 24 {
			if e[1+s/8]>>(s%8)&1 == 0 {
				continue
			}
			if s >= n {
				t.Errorf("track %d: sector %d is free, and there is none", i+1, s)
			}
			c.free[sector{i + 1, s}] = true
		}
	}
	for dir := (sector{18, 1}); dir.track != 0; {
		b := at(t, img, dir)
		for e := 0; e < 256; e += 32 {
			if b[e+2] != 0 {
				c.files = append(c.files, readFile(t, img, b[e:e+32]))
			}
		}
		dir = sector{int(b[0]), int(b[1])}
	}
	return c
}

func readFile(t *testing.T, img, e []byte) file {
	t.Helper()
	f := file{name: unpadded(e[5:21]), kind: e[2], blocks: int(e[30]) + 256*int(e[31])}
	for s := (sector{int(e[3]), int(e[4])}); ; {
		if len(f.chain) > 683 {
			t.Fatal("the chain has no end")
		}
		f.chain = append(f.chain, s)
		b := at(t, img, s)
		if b[0] == 0 {
			f.data = append(f.data, b[2:int(b[1])+1]...)
			return f
		}
		f.data = append(f.data, b[2:]...)
		s = sector{int(b[0]), int(b[1])}
	}
}
