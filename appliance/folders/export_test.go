package folders

// Arguments are those of a clone.
func (k *Keeper) Arguments(s Source, to string) []string { return k.arguments(s, to) }

// Environment is that of a clone.
func (k *Keeper) Environment(s Source) []string {
	return append(k.environment("/home"), s.credential()...)
}
