package main

import (
	"flag"
	"fmt"
	"strings"
)

var agentCommand command

// agentVerbs returns the commands within "agent".
func agentVerbs() []command {
	return []command{agentInstall, agentList, agentRemove, agentLogin, agentDoctor}
}

func init() {
	agentCommand = command{
		name:    "agent",
		args:    "install|list|remove|login|doctor ...",
		summary: "Installs a coding agent, signs it in, and says what it lacks.",
		run:     runAgent,
	}
}

func runAgent(s streams, args []string) error {
	if len(args) == 0 {
		return usagef("say what to do: %s", strings.Join(verbNames(), ", "))
	}
	switch args[0] {
	case "-h", "-help", "--help":
		printAgentHelp(s)
		return flag.ErrHelp
	}
	for _, v := range agentVerbs() {
		if v.name == "agent "+args[0] {
			// A fault of this verb's command line names the verb's usage.
			return asVerb(v, v.run(s, args[1:]))
		}
	}
	return usagef("there is no %q: choose one of %s", args[0], strings.Join(verbNames(), ", "))
}

func verbNames() []string {
	var names []string
	for _, v := range agentVerbs() {
		names = append(names, strings.TrimPrefix(v.name, "agent "))
	}
	return names
}

func printAgentHelp(s streams) {
	fmt.Fprintf(s.out, "usage: prompt64 %s %s\n\n%s\n\n", agentCommand.name, agentCommand.args, agentCommand.summary)
	for _, v := range agentVerbs() {
		fmt.Fprintf(s.out, "  %s %s\n      %s\n", v.name, v.args, v.summary)
	}
	fmt.Fprint(s.out, "\n\"prompt64 agent VERB -help\" shows a verb's flags.\n")
}

// split takes the words before the first flag, so that "install codex -version V"
// reads as people say it.
func split(args []string) (words, flags []string) {
	for i, a := range args {
		if strings.HasPrefix(a, "-") && a != "-" {
			return args[:i], args[i:]
		}
	}
	return args, nil
}

// parseVerb reads a verb's flags and its one word, the agent's name; without a
// word it is the default, where there is one.
func parseVerb(s streams, v command, fs *flag.FlagSet, args []string, standard string) (string, error) {
	words, flags := split(args)
	if err := parse(s, v, fs, flags); err != nil {
		return "", err
	}
	words = append(words[:len(words):len(words)], fs.Args()...)
	switch {
	case len(words) == 1:
		return words[0], nil
	case len(words) > 1:
		return "", usagef("%q is left over", words[1])
	case standard == "":
		return "", usagef("say which agent")
	}
	return standard, nil
}

// dataFlag adds -data to a verb. The function gives the folder after parsing.
func dataFlag(fs *flag.FlagSet) func() (string, error) {
	dir := fs.String("data", "", "the bridge's state is in `DIR` (default: "+defaultDataHelp+")")
	return func() (string, error) {
		if *dir != "" {
			return absolute(*dir)
		}
		return defaultData()
	}
}
