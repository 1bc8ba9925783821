// Command hello is the bare program that the device is measured against: on a
// gokrazy image with nothing else it answers on port 80, and says how much memory
// is left.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello") })
	http.HandleFunc("/meminfo", func(w http.ResponseWriter, _ *http.Request) {
		text, err := os.ReadFile("/proc/meminfo")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(text)
	})
	log.Fatal(http.ListenAndServe(":80", nil))
}
