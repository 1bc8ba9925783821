package ultimatetest

// Model is a product with a firmware.
type Model struct {
	Product  string
	Firmware string
	UniqueID string
	Category string // the one that has the command interface; empty: it has none
	Password string // its network password; empty: none

	NoIdent    bool // the Ident service is off
	NoREST     bool // the web service is off
	NoInfo     bool // there is no /v1/info yet
	NoAPI      bool // a web server without the REST API
	NoPatterns bool // a category must be named in full
	AllOkay    bool // success is listed among the errors, as old firmware does
	SaveAll    bool // saving one category saves nothing
}

// Elite is an Ultimate 64 with firmware of 2025.
func Elite() Model {
	return Model{Product: "Ultimate 64 Elite (V1.49) 3.14d", Firmware: "3.14d", UniqueID: "D09B96", Category: "C64 and Cartridge Settings"}
}

// Plus is a cartridge with the first firmware that has a REST API.
func Plus() Model {
	return Model{Product: "1541 Ultimate II+ 3.11", Firmware: "3.11", Category: "C64 and Cartridge Settings", NoInfo: true, AllOkay: true}
}

// C64 is a C64 Ultimate, which names a category otherwise.
func C64() Model {
	return Model{Product: "Commodore 64 Ultimate (V1.1) 1.1.0", Firmware: "1.1.0", UniqueID: "5D4A11", Category: "Cartridge and ROM Settings"}
}
