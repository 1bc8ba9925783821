package workspace

import (
	"bytes"
	"context"
	"io"
	"os"
)

// sniff is in how many bytes a zero byte makes a file binary, as in git.
const sniff = 8000

// count gives the lines of a file that is not tracked.
func (g *stage) count(ctx context.Context, dir *os.Root, name string) (lines int, binary bool) {
	f, info, err := openRegular(dir, name)
	if err != nil {
		return 1, false // a link: its target is one line
	}
	defer f.Close()
	if info.Size() > maxCopy || g.used+info.Size() > maxCopies {
		return 0, true
	}
	g.used += info.Size()
	return countLines(contextReader{ctx, f})
}

func countLines(f io.Reader) (lines int, binary bool) {
	buf, last := make([]byte, 32*1024), byte('\n')
	for first := true; ; first = false {
		n, err := io.ReadFull(f, buf)
		part := buf[:n]
		if first && bytes.IndexByte(part[:min(n, sniff)], 0) >= 0 {
			return 0, true
		}
		lines += bytes.Count(part, []byte{'\n'})
		if n > 0 {
			last = part[n-1]
		}
		if err != nil {
			break
		}
	}
	if last != '\n' {
		lines++
	}
	return lines, false
}

// contextReader ends a long read with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
