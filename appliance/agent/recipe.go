package agent

import "github.com/prompt64/prompt64/appliance/agent/unpack"

// program is the file to start, within a version.
const program = "bin/codex"

// wantedFiles is all that is taken from Codex's archive, which holds twice as
// many megabytes. The code-mode host must stand beside the program: with today's
// models every tool call fails without it. bwrap is found in ../codex-resources;
// a system may have its own.
var wantedFiles = []unpack.File{
	{Name: program, Executable: true},
	{Name: "bin/codex-code-mode-host", Executable: true},
	{Name: "codex-resources/bwrap", Executable: true, Optional: true},
	{Name: "codex-path/rg", Executable: true, Optional: true},
	{Name: "codex-package.json", Optional: true},
}

// roots are the folders within an archive that the files may stand in: the top
// in a release archive, a folder for each target in an npm package. Another
// target's folder is none of them, so its files are never taken.
func roots(triple string) []string {
	return []string{"", "package/vendor/" + triple + "/", "vendor/" + triple + "/"}
}
