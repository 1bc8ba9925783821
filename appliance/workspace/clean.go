package workspace

import (
	"io/fs"
	"time"
)

// clean says that a file is what the index has, without reading it. It never
// errs on that side: whatever is in doubt is read.
func (s *scan) clean(e *indexEntry, info fs.FileInfo) bool {
	if !s.sameMode(e.mode, info.Mode()) || uint32(info.Size()) != e.size {
		return false
	}
	mtime := info.ModTime()
	if !sameTime(e.mtime, mtime) {
		return false
	}
	if c, ok := changeTime(info); ok && e.ctime[0] != 0 && !sameTime(e.ctime, c) {
		return false
	}
	// A file that was written after git looked, within one tick of the clock,
	// has the same times: git calls it racy, and reads it.
	if e.mtime[1] == 0 {
		return mtime.Unix() < s.written.Unix()
	}
	return mtime.Before(s.written)
}

// sameTime compares with the index, where nanoseconds may be missing.
func sameTime(have [2]uint32, t time.Time) bool {
	if have[0] != uint32(t.Unix()) {
		return false
	}
	return have[1] == 0 || have[1] == uint32(t.Nanosecond())
}

func (s *scan) sameMode(mode uint32, m fs.FileMode) bool {
	switch mode & modeType {
	case modeLink:
		return m.Type() == fs.ModeSymlink || (!s.set.symlinks && m.IsRegular())
	case modeFile & modeType:
		return m.IsRegular() && (!s.set.fileMode || (mode&0o100 != 0) == (m&0o100 != 0))
	}
	return false
}
