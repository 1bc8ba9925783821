package demo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// command is one of the demo's commands. run gets what follows the name, as it
// was typed.
type command struct {
	name  string
	usage string // the arguments
	help  string
	run   func(t *turn, args string) error
}

// errUsage is wrong arguments: the answer is then the command's usage.
var errUsage = errors.New("wrong arguments")

// commands is the list, in the order of /help. It is a function because help
// reads it as well.
func commands() []command {
	return []command{
		{"help", "", "this list", (*turn).help},
		{"write", "PATH TEXT", "write a file in the workspace", (*turn).write},
		{"run", "ARGV...", "run a command there", (*turn).command},
		{"think", "", "reason, then answer", (*turn).thinkAloud},
		{"plan", "", "work through a plan", (*turn).plan},
		{"show", "", "Markdown and graphics", (*turn).show},
		{"stream", "N", "at least N characters", (*turn).stream},
		{"slow", "N MS", "N pieces, MS apart", (*turn).slow},
		{"say", "TEXT", "TEXT byte by byte, \\u2588 too", (*turn).sayBytes},
		{"big", "KIB", "that many KiB", (*turn).big},
		{"two", "", "two approvals in line", (*turn).two},
		{"gone", "", "an approval that goes away", (*turn).gone},
		{"retry", "", "an answer that starts again", (*turn).retry},
		{"fail", "TEXT", "fail with TEXT", (*turn).fail},
		{"hang", "", "wait until you cancel", (*turn).hang},
		{"stuck", "", "wait, and ignore cancel", (*turn).stuck},
		{"crash", "", "die in the turn", (*turn).crash},
	}
}

// dispatch plays a prompt. Names may be typed in either case, as a C64 has its
// own idea of which one is which.
func (t *turn) dispatch(prompt string) error {
	prompt = strings.TrimLeft(prompt, " \t\r\n")
	if !strings.HasPrefix(prompt, "/") {
		return t.talk(prompt)
	}
	name, args := prompt[1:], ""
	if i := strings.IndexAny(name, " \t\n"); i >= 0 {
		name, args = name[:i], name[i+1:]
	}
	for _, c := range commands() {
		if !strings.EqualFold(c.name, name) {
			continue
		}
		err := c.run(t, args)
		if errors.Is(err, errUsage) {
			return t.sayWords(fmt.Sprintf("Usage: `%s`: %s.", c.form(), c.help))
		}
		return err
	}
	return t.sayWords(fmt.Sprintf("I do not know the command `/%s`. Type `/help` for the list.", name))
}

// form is how a command is typed.
func (c command) form() string { return strings.TrimSpace("/" + c.name + " " + c.usage) }

// help lists the commands.
func (t *turn) help(string) error {
	var b strings.Builder
	b.WriteString("I am the demo. Besides plain talk I know:\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "- `%s`: %s\n", c.form(), c.help)
	}
	b.WriteString("\nWhat I may do without asking is the access setting; " +
		"how much of `/think` you see is the reasoning setting.")
	return t.sayWords(b.String())
}

// numbers reads exactly so many whole numbers, each between 0 and its limit.
func numbers(args string, limits ...int) ([]int, error) {
	fields := strings.Fields(args)
	if len(fields) != len(limits) {
		return nil, errUsage
	}
	values := make([]int, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil || n < 0 || n > limits[i] {
			return nil, errUsage
		}
		values[i] = n
	}
	return values, nil
}
