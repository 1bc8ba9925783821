package doctor

import (
	"os"
	"os/exec"

	"github.com/prompt64/prompt64/appliance/agent"
)

// Machine is what a test replaces of this machine. The zero value is the real
// one.
type Machine struct {
	Target agent.Target
	Look   func(program string) (string, error)
	Exists func(path string) bool
}

func (m Machine) target() agent.Target {
	if m.Target == (agent.Target{}) {
		return agent.ThisMachine()
	}
	return m.Target
}

func (m Machine) look(program string) (string, error) {
	if m.Look != nil {
		return m.Look(program)
	}
	return exec.LookPath(program)
}

func (m Machine) exists(path string) bool {
	if m.Exists != nil {
		return m.Exists(path)
	}
	_, err := os.Stat(path)
	return err == nil
}

// shell looks for what commands are run with.
func (m Machine) shell(r *report) {
	if path, err := m.look("bash"); err == nil {
		r.ok("shell", "%s", path)
		return
	}
	if path, err := m.look("sh"); err == nil {
		r.warn("shell", "install bash", "there is no bash; commands run with %s, and models write for bash", path)
		return
	}
	r.missing("shell", "install bash and coreutils; without them the agent can only talk and patch", "there is no shell for the agent's commands")
}

// bundles are the places where systems keep the certificates of authorities.
var bundles = []string{
	"/etc/ssl/certs/ca-certificates.crt", // Debian, Arch
	"/etc/pki/tls/certs/ca-bundle.crt",   // Fedora
	"/etc/ssl/ca-bundle.pem",             // openSUSE, gokrazy
	"/etc/ssl/cert.pem",                  // Alpine, macOS
}

// certificates looks for what https needs. The names of the variables are the
// ones that Codex reads.
func (m Machine) certificates(r *report) {
	for _, name := range []string{"CODEX_CA_CERTIFICATE", "SSL_CERT_FILE"} {
		if path := os.Getenv(name); path != "" {
			if m.exists(path) {
				r.ok("certificates", "%s", path)
			} else {
				r.warn("certificates", "correct the variable "+name, "there is no file %s", path)
			}
			return
		}
	}
	for _, path := range bundles {
		if m.exists(path) {
			r.ok("certificates", "%s", path)
			return
		}
	}
	r.warn("certificates", "install ca-certificates", "there are no certificates of authorities: a model on the internet may not be reached")
}
