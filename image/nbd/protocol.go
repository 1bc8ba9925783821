package nbd

// Numbers of the protocol, from the NBD project's proto.md.
const (
	magicHello  = 0x4e42444d41474943 // "NBDMAGIC"
	magicOption = 0x49484156454f5054 // "IHAVEOPT"
	magicReply  = 0x3e889045565a9    // of an option
	magicAsk    = 0x25609513
	magicAnswer = 0x67446698

	handshakeFixed  = 1 << 0
	handshakeNoZero = 1 << 1

	optExportName = 1
	optAbort      = 2
	optInfo       = 6
	optGo         = 7

	repAck     = 1
	repInfo    = 3
	repUnknown = 1<<31 | 1

	infoExport = 0

	flagHasFlags  = 1 << 0
	flagSendFlush = 1 << 2
	flagSendFUA   = 1 << 3

	cmdRead  = 0
	cmdWrite = 1
	cmdDisc  = 2
	cmdFlush = 3

	cmdFlagFUA = 1 << 0

	errIO    = 5
	errInval = 22

	// maxLength bounds a request; QEMU sends at most 32 MiB.
	maxLength = 32 << 20
	maxOption = 4096
)

const exportFlags = flagHasFlags | flagSendFlush | flagSendFUA
