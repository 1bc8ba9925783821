package main

import (
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/prompt64/prompt64/appliance/agent"
)

var (
	agentList   command
	agentRemove command
)

func init() {
	agentList = command{
		name:    "agent list",
		args:    "[codex] [-data DIR]",
		summary: "Lists the installed versions of an agent, and those that are known.",
		run:     runAgentList,
	}
	agentRemove = command{
		name:    "agent remove",
		args:    "codex -version V | -all [-data DIR]",
		summary: "Removes a version of an agent, or all of them. Its sign-in and sessions stay.",
		run:     runAgentRemove,
	}
}

func runAgentList(s streams, args []string) error {
	fs := flag.NewFlagSet("agent list", flag.ContinueOnError)
	data := dataFlag(fs)
	name, err := parseVerb(s, agentList, fs, args, agent.Codex)
	if err != nil {
		return err
	}
	dir, err := data()
	if err != nil {
		return err
	}
	list, err := agent.Open(dir).List(name)
	if err != nil {
		return err
	}
	known, err := agent.Known()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, v := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.Agent, v.Version, standing(v), v.Dir)
	}
	for _, r := range known {
		if r.Agent == name && r.Target == agent.ThisMachine() && !installed(list, r.Version) {
			fmt.Fprintf(w, "%s\t%s\tknown\t\n", r.Agent, r.Version)
		}
	}
	return w.Flush()
}

// standing is a version's place among the others.
func standing(v agent.Version) string {
	switch {
	case v.Current && v.Damaged:
		return "current, damaged"
	case v.Damaged:
		return "damaged"
	case v.Current:
		return "current"
	case v.Former:
		return "former"
	}
	return "left over"
}

func installed(list []agent.Version, version string) bool {
	for _, v := range list {
		if v.Version == version {
			return true
		}
	}
	return false
}

func runAgentRemove(s streams, args []string) error {
	fs := flag.NewFlagSet("agent remove", flag.ContinueOnError)
	version := fs.String("version", "", "remove version `V`")
	all := fs.Bool("all", false, "remove every version")
	data := dataFlag(fs)
	name, err := parseVerb(s, agentRemove, fs, args, "")
	switch {
	case err != nil:
		return err
	case *all == (*version != ""):
		return usagef("say which with -version V, or -all")
	}
	dir, err := data()
	if err != nil {
		return err
	}
	gone, err := agent.Open(dir).Remove(name, *version)
	var names []string
	for _, v := range gone {
		names = append(names, v.Version)
	}
	if len(names) > 0 || err == nil {
		fmt.Fprintf(s.out, "removed %s %s\n", name, strings.Join(names, ", "))
	}
	return err
}
