package config

import (
	"log/slog"
	"path/filepath"
)

// Options say where settings are kept and what they may say. Dir is required.
type Options struct {
	Dir       string       // the data folder; made where it is missing
	Boot      Boot         // where the owner drops files; nil: nowhere
	Marker    string       // a file elsewhere that tells that there were settings; empty: none
	Root      string       // workspaces must lie in this folder; empty: the data folder
	Providers []string     // names that are allowed; nil: any
	Log       *slog.Logger // nil: discarded

	files files // nil: the disk's
}

// Folder returns the absolute path that a folder's name in the settings stands
// for.
func (o Options) Folder(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(o.Dir, name)
}

func (o Options) root() string {
	if o.Root == "" {
		return filepath.Clean(o.Dir)
	}
	return filepath.Clean(o.Root)
}

// wayBack says how the owner gets in again when settings or their password are lost.
func (o Options) wayBack() string {
	if o.Boot == nil {
		return "mend " + configName + " in " + o.Dir + ", or remove all files there whose names begin so, and start the bridge again"
	}
	return "put the file " + dropFile + " (new settings) or " + resetFile + " (forget everything) on the boot partition, and start again"
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.files == nil {
		o.files = disk{o.Dir}
	}
	return o
}
