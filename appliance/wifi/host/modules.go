package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// errNoModule is a module that the kernel's folder does not have.
var errNoModule = errors.New("there is no such kernel module")

// module is a line of modules.dep.
type module struct {
	path  string   // below the folder of modules
	needs []string // paths, the nearest first
}

// moduleName is what the kernel calls a module: its file's name, with _ for -.
func moduleName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// readModules reads modules.dep of the running kernel.
func (h *Host) readModules() (folder string, all map[string]module, err error) {
	release, err := kernelRelease()
	if err != nil {
		return "", nil, err
	}
	folder = filepath.Join(h.cfg.Root, "/lib/modules", release)
	f, err := os.Open(filepath.Join(folder, "modules.dep"))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	all = map[string]module{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		path, needs, ok := strings.Cut(lines.Text(), ":")
		if ok {
			all[moduleName(path)] = module{path, strings.Fields(needs)}
		}
	}
	return folder, all, lines.Err()
}

// LoadDriver loads the driver's modules and what they need.
func (h *Host) LoadDriver(ctx context.Context) error {
	folder, all, err := h.readModules()
	if err != nil {
		return fmt.Errorf("load the Wi-Fi driver: %w", err)
	}
	for _, name := range h.cfg.Modules {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, there := all[moduleName(name)]
		if !there {
			return fmt.Errorf("load the Wi-Fi driver: %s: %w", name, errNoModule)
		}
		// What is needed stands behind what needs it.
		for _, path := range m.loadOrder() {
			if err := loadModule(filepath.Join(folder, path)); err != nil {
				return fmt.Errorf("load the Wi-Fi driver: %s: %w", moduleName(path), err)
			}
		}
	}
	return nil
}

// UnloadDriver removes the driver's modules, the last first. What they need stays.
func (h *Host) UnloadDriver(context.Context) error {
	var errs []error
	for _, name := range slices.Backward(h.cfg.Modules) {
		if err := unloadModule(moduleName(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("unload %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// loadOrder lists the files to load for a module. In modules.dep, what is needed
// stands behind what needs it.
func (m module) loadOrder() []string {
	order := slices.Clone(m.needs)
	slices.Reverse(order)
	return append(order, m.path)
}
