package web

import (
	"net/http"
	"strings"
)

// WriteTime is how long an answer may take.
const WriteTime = writeTime

// PostRoutes are the paths of all forms.
func PostRoutes() []string {
	var paths []string
	for _, p := range pages() {
		for _, r := range p.routes {
			if path, ok := strings.CutPrefix(r.pattern, http.MethodPost+" "); ok {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
