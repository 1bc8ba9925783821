package frames

//go:generate go run ./internal/protocolinc/write ../c64prg/src/protocol.inc
