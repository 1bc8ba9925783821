package folders

// Trusting makes git trust the certificates in a file.
func Trusting(o Options, file string) Options { o.caFile = file; return o }

// Arguments are those of a clone.
var Arguments = arguments

// Environment is that of a clone.
func (k *Keeper) Environment(s Source) []string {
	return append(k.environment("/home"), s.credential()...)
}
