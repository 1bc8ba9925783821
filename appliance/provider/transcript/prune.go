package transcript

import "sort"

// prune takes the oldest sessions that nobody holds off the list, as far as a
// bound is crossed. The caller holds mu and removes the files.
func (st *Store) prune(workspace string) (gone []string) {
	drop := func(limit int, in func(*entry) bool) {
		var free []*entry
		n := 0
		for _, e := range st.entries {
			if in(e) {
				n++
				if e.holds == 0 {
					free = append(free, e)
				}
			}
		}
		sort.Slice(free, func(i, j int) bool { return free[i].head.Order < free[j].head.Order })
		for _, e := range free[:min(len(free), max(0, n-limit))] {
			delete(st.entries, e.head.ID)
			gone = append(gone, e.head.ID)
		}
	}
	drop(maxPerWorkspace, func(e *entry) bool { return e.head.Workspace == workspace })
	drop(maxStored, func(*entry) bool { return true })
	return gone
}
