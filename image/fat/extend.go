package fat

import "fmt"

// Extend makes the volume this many bytes large, and its root folder long enough
// for more files. It returns by how many sectors every file moved: whoever knows a
// file by its sector, as the BIOS boot code does, must be told. The disk must reach
// that far.
func (v *Volume) Extend(bytes int64) (moved int64, err error) {
	g, err := v.extended(bytes / sectorSize)
	if err != nil {
		return 0, err
	}
	table, err := v.readTable()
	if err != nil {
		return 0, err
	}
	root, err := v.readRoot()
	if err != nil {
		return 0, err
	}
	data, err := v.read(v.dataStart(), v.total-v.dataStart())
	if err != nil {
		return 0, err
	}
	used := v.clusters() + 2
	moved = g.dataStart() - v.dataStart()
	v.geometry = g
	le.PutUint16(v.boot[17:], uint16(g.root))
	le.PutUint16(v.boot[19:], 0)
	le.PutUint16(v.boot[22:], uint16(g.table))
	le.PutUint32(v.boot[32:], uint32(g.total))
	if err := v.write(v.boot[:], 0); err != nil {
		return 0, err
	}
	if err := v.writeTable(table[:used]); err != nil {
		return 0, err
	}
	if err := v.write(append(root, make([]byte, g.root*entrySize-int64(len(root)))...), v.rootStart()); err != nil {
		return 0, err
	}
	if err := v.write(data, v.dataStart()); err != nil {
		return 0, err
	}
	return moved, v.clear(v.dataStart()+int64(len(data))/sectorSize, v.total)
}

// extended works out the layout for that many sectors. The data keeps its place
// within a cluster's length, since gokrazy says that the Pi's firmware wants it on a
// multiple of the cluster size.
func (v *Volume) extended(total int64) (geometry, error) {
	g := v.geometry
	if total < g.total {
		return g, fmt.Errorf("extend FAT: it has %d sectors already, more than %d", g.total, total)
	}
	g.total, g.root = total, max(rootEntries, g.root)
	phase := v.dataStart() % v.perCluster
	for (g.clusters()+2)*2 > g.table*sectorSize || g.dataStart()%g.perCluster != phase {
		g.table++
	}
	if g.clusters() > maxClusters {
		return g, fmt.Errorf("extend FAT: %d clusters are too many for FAT16", g.clusters())
	}
	return g, nil
}

// clear zeroes sectors that hold something, so that an image stays sparse.
func (v *Volume) clear(from, to int64) error {
	const step = 2048
	zero := make([]byte, step*sectorSize)
	for ; from < to; from += step {
		n := min(step, to-from)
		b, err := v.read(from, n)
		if err != nil {
			return err
		}
		if string(b) != string(zero[:len(b)]) {
			if err := v.write(zero[:len(b)], from); err != nil {
				return err
			}
		}
	}
	return nil
}
