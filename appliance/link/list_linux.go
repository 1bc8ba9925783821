package link

// ListSerial lists the system's serial ports with their USB serial numbers.
func ListSerial() ([]Device, error) { return sysTTY.list() }
