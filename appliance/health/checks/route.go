package checks

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// route is a default route.
type route struct {
	name   string
	metric uint64
}

func parseMetric(text string, base int) uint64 {
	n, err := strconv.ParseUint(text, base, 64)
	if err != nil {
		return math.MaxUint64
	}
	return n
}

// inOrder names the interfaces of routes, each once, the lowest metric first.
func inOrder(routes []route) []string {
	slices.SortStableFunc(routes, func(a, b route) int { return cmp.Compare(a.metric, b.metric) })
	var names []string
	for _, r := range routes {
		if !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	return names
}
