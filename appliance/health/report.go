package health

import "slices"

// Report is one examination: the nodes in an order in which each stands behind
// what it needs.
type Report struct {
	Nodes []Node `json:"nodes"`
}

func newReport(nodes []Node) Report {
	r := Report{Nodes: ordered(nodes)}
	r.markWaiting()
	return r
}

// ordered sorts nodes so that each stands behind its needs, and otherwise leaves
// them as they are. Needs that are not there, or that go round in a circle, are
// passed over.
func ordered(nodes []Node) []Node {
	index := map[string]int{}
	for i, n := range nodes {
		index[n.ID] = i
	}
	out := make([]Node, 0, len(nodes))
	visited := make([]bool, len(nodes))
	var visit func(i int)
	visit = func(i int) {
		if visited[i] {
			return
		}
		visited[i] = true
		for _, need := range nodes[i].Needs {
			if j, ok := index[need]; ok {
				visit(j)
			}
		}
		out = append(out, nodes[i])
	}
	for i := range nodes {
		visit(i)
	}
	return out
}

// markWaiting finds the nodes whose trouble is another node's.
func (r Report) markWaiting() {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if !n.State.troubled() && n.State != Unknown {
			continue
		}
		if root, ok := r.failedNeed(*n); ok {
			n.State, n.Waits = Unknown, root.ID
			n.Detail, n.Hint, n.Shell = "waits for "+root.Name, "", ""
		}
	}
}

// failedNeed returns the failed node at the root of what n needs.
func (r Report) failedNeed(n Node) (Node, bool) {
	for _, id := range n.Needs {
		need, ok := r.Node(id)
		switch {
		case !ok:
		case need.State == Fail:
			return need, true
		case need.Waits != "":
			return r.Node(need.Waits)
		}
	}
	return Node{}, false
}

// Node returns the node of an ID.
func (r Report) Node(id string) (Node, bool) {
	i := slices.IndexFunc(r.Nodes, func(n Node) bool { return n.ID == id })
	if i < 0 {
		return Node{}, false
	}
	return r.Nodes[i], true
}

// Worst returns the worst state: Fail, then Warn, then OK. What is off or unknown
// counts only when there is nothing else.
func (r Report) Worst() State {
	worst := Off
	for _, n := range r.Nodes {
		if n.State.rank() > worst.rank() {
			worst = n.State
		}
	}
	if len(r.Nodes) == 0 {
		return Unknown
	}
	return worst
}

// Healthy says that nothing failed.
func (r Report) Healthy() bool { return r.Worst() != Fail }

// Trouble returns the first thing that somebody has to look at: what failed,
// before what is only a warning. ok is false when there is nothing.
func (r Report) Trouble() (n Node, ok bool) {
	for _, state := range []State{Fail, Warn} {
		for _, n := range r.Nodes {
			if n.State == state {
				return n, true
			}
		}
	}
	return Node{}, false
}
