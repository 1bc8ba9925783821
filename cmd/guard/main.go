package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("guard: ")
	m := &machine{patient: dumpTime}
	g := newGuard(m)
	flag.StringVar(&m.usual.Bridge, "bridge", "127.0.0.1:6464", "where the bridge is, unless it says otherwise")
	flag.StringVar(&m.usual.Pages, "pages", "127.0.0.1:80", "where the pages are, unless the bridge says otherwise")
	flag.StringVar(&m.places, "places", guardlog.PlacesFile(), "the file in which the bridge says where it is")
	flag.StringVar(&m.work, "work", guardlog.WorkFile(), "the file in which the bridge says what it is at before it answers")
	flag.StringVar(&m.data, "data", "/perm/prompt64", "the data folder")
	flag.StringVar(&m.gokrazy.path, "path", "/user/prompt64", "the bridge's program, as gokrazy names it")
	flag.StringVar(&m.gokrazy.socket, "socket", "/run/gokrazy-http.sock", "gokrazy's socket")
	flag.DurationVar(&g.every, "every", every, "between two looks")
	flag.DurationVar(&g.grace, "grace", grace, "for a bridge that starts")
	limit := flag.Uint64("memory", memoryLimit, "how many MiB the bridge may have; 0: any")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "guard: %q is left over\n", flag.Arg(0))
		os.Exit(2)
	}
	g.memory = *limit << 20
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	g.watch(ctx)
}
