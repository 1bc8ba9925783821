package lease

// Workspaces is what a lease needs of the folders beneath the root.
type Workspaces interface{}
