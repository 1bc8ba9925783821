//go:build !linux

package main

func (m *machine) Trial() bool { return false }

func (m *machine) Committed() (bool, error) { return false, nil }
