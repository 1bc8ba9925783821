package checks

import (
	"context"
	"fmt"

	"github.com/prompt64/prompt64/appliance/health"
)

func ok(format string, args ...any) health.Node {
	return health.Node{State: health.OK, Detail: fmt.Sprintf(format, args...)}
}

func off(format string, args ...any) health.Node {
	return health.Node{State: health.Off, Detail: fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) health.Node {
	return health.Node{State: health.Unknown, Detail: fmt.Sprintf(format, args...)}
}

func warn(hint, format string, args ...any) health.Node {
	return health.Node{State: health.Warn, Hint: hint, Detail: fmt.Sprintf(format, args...)}
}

func fail(hint, format string, args ...any) health.Node {
	return health.Node{State: health.Fail, Hint: hint, Detail: fmt.Sprintf(format, args...)}
}

// probe makes a probe of a check.
func probe(id, name string, do func(context.Context) health.Node, needs ...string) health.Probe {
	return health.Func{Node: health.Node{ID: id, Name: name, Needs: needs}, Do: do}
}

// plural counts things in words.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
