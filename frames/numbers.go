package frames

// Every number of the wire protocol stands in this file, and only protocol
// numbers do: choices of our own (time-outs, queue lengths) belong to the
// package that makes them. The assembler's copy, c64prg/src/protocol.inc, is
// generated from here.

// Type is the first byte of a frame.
type Type uint8

// Frame types, in the order of the protocol's table.
const (
	TypeHello              Type = 0x01
	TypeHelloOk            Type = 0x02
	TypeLeaseGet           Type = 0x03
	TypeLeaseState         Type = 0x04
	TypeReconnect          Type = 0x05
	TypeReconnectState     Type = 0x06
	TypeReconnectDone      Type = 0x07
	TypeSessionRelease     Type = 0x08
	TypeHeartbeat          Type = 0x09
	TypeHeartbeatAck       Type = 0x0A
	TypeUserText           Type = 0x10
	TypeAssistantDelta     Type = 0x11
	TypeTurnDone           Type = 0x12
	TypeReasoningDelta     Type = 0x13
	TypeTurnCancel         Type = 0x14
	TypeTurnCancelled      Type = 0x15
	TypeApprovalRequest    Type = 0x16
	TypeApprovalDecision   Type = 0x17
	TypeActivityEvent      Type = 0x18
	TypeTurnFailed         Type = 0x19
	TypeHistoryText        Type = 0x1A
	TypeApprovalAck        Type = 0x1B
	TypeSettingsGet        Type = 0x20
	TypeSettingsSet        Type = 0x21
	TypeSettingsState      Type = 0x22
	TypeWorkspaceSet       Type = 0x23
	TypeWorkspaceState     Type = 0x24
	TypeSessionListGet     Type = 0x25
	TypeSessionEntry       Type = 0x26
	TypeSessionListDone    Type = 0x27
	TypeSessionSelect      Type = 0x28
	TypeSessionState       Type = 0x29
	TypeAccessSet          Type = 0x2A
	TypeAccessState        Type = 0x2B
	TypeHistoryGet         Type = 0x2C
	TypeHistoryDone        Type = 0x2D
	TypeDashboardGet       Type = 0x30
	TypeDashboardEntry     Type = 0x31
	TypeDashboardDone      Type = 0x32
	TypeActionGet          Type = 0x33
	TypeActionText         Type = 0x34
	TypeDiffGet            Type = 0x35
	TypeDiffLine           Type = 0x36
	TypeDiffDone           Type = 0x37
	TypeApprovalDetailGet  Type = 0x38
	TypeApprovalDetailLine Type = 0x39
	TypeApprovalDetailDone Type = 0x3A
	TypeWorkspaceListGet   Type = 0x3B
	TypeWorkspaceEntry     Type = 0x3C
	TypeWorkspaceListDone  Type = 0x3D
	TypePair               Type = 0x3E
	TypePairState          Type = 0x3F
	TypeError              Type = 0x7F
)

// Sizes, in bytes.
const (
	HeaderSize         = 4   // type, flags, length low, length high
	MaxPayloadToBridge = 768 // what a C64 may send in one frame
	MaxPayloadToC64    = 92  // what a C64 accepts in one frame
	TokenSize          = 16  // a lease's token
	PairingCodeSize    = 8   // characters A-Z and 2-9
)

// The greeting and the version that answers it.
const (
	Greeting     = "PROMPT64/2"
	MajorVersion = 2
	MinorVersion = 0
)

// Capabilities is the mask in HelloOk.
type Capabilities uint16

// The bits of Capabilities; 12 to 15 are reserved and zero.
const (
	CapLease           Capabilities = 1 << 0
	CapSettings        Capabilities = 1 << 1
	CapSessions        Capabilities = 1 << 2
	CapReasoning       Capabilities = 1 << 3
	CapApprovals       Capabilities = 1 << 4
	CapDashboard       Capabilities = 1 << 5
	CapHeartbeat       Capabilities = 1 << 6
	CapDurableApproval Capabilities = 1 << 7
	CapApprovalDetail  Capabilities = 1 << 8
	CapWorkspaceList   Capabilities = 1 << 9
	CapPairing         Capabilities = 1 << 10
	CapNamedDecision   Capabilities = 1 << 11

	AllCapabilities Capabilities = 1<<12 - 1
)

// FlagStart is the flag of HistoryText, DiffLine and ApprovalDetailLine that
// begins an entry or a line; without it the frame continues the one before.
const FlagStart uint8 = 1

// FlagGit is the flag of WorkspaceEntry that marks a git repository.
const FlagGit uint8 = 1

// Decision is a C64's answer to an approval.
type Decision uint8

// The four decisions.
const (
	AcceptOnce       Decision = 0
	AcceptForSession Decision = 1
	Decline          Decision = 2
	CancelTurn       Decision = 3
)

// ApprovalKind says what an approval is about.
type ApprovalKind uint8

// The two kinds of approval.
const (
	KindCommand ApprovalKind = 0 // a command or the network
	KindFile    ApprovalKind = 1 // a file or the file system
)

// Lifecycle is the state of an activity.
type Lifecycle uint8

// The three states of an activity.
const (
	ActivityStarted   Lifecycle = 0
	ActivityCompleted Lifecycle = 1
	ActivityFailed    Lifecycle = 2
)

// Reasoning is how much of the agent's reasoning is shown.
type Reasoning uint8

// The reasoning settings.
const (
	ReasoningOff       Reasoning = 0
	ReasoningSummary   Reasoning = 1
	ReasoningDetailed  Reasoning = 2
	ReasoningDeveloper Reasoning = 3
)

// Access is what the agent may do without asking.
type Access uint8

// The access modes.
const (
	AccessReadOnly   Access = 0
	AccessAsk        Access = 1
	AccessAutoReview Access = 2
)

// DisplayPalette is the bit of the display setting that switches the PETSCII
// graphic palette on.
const DisplayPalette uint8 = 1

// Speaker says whose words a HistoryText carries.
type Speaker uint8

// The two speakers.
const (
	SpeakerUser      Speaker = 0
	SpeakerAssistant Speaker = 1
)

// Tab is a tab of the dashboard.
type Tab uint8

// The four tabs.
const (
	TabStatus   Tab = 0
	TabActivity Tab = 1
	TabChanges  Tab = 2
	TabActions  Tab = 3
)

// LineKind is the kind of a line of a diff or of an approval's detail.
type LineKind uint8

// The kinds of line.
const (
	LineContext  LineKind = 0
	LineAddition LineKind = 1
	LineDeletion LineKind = 2
	LineMetadata LineKind = 3
)

// SessionNew is the index that stands for a new session in SessionSelect and
// SessionState.
const SessionNew uint8 = 0xFF

// BinaryFile is the count in a CHANGES row of a file that has no lines.
const BinaryFile uint16 = 0xFFFF

// Lists and replies are bounded.
const (
	LeaseSeconds        = 120       // a detached lease's lifetime
	MaxDetachedLeases   = 8         // a ninth makes one expire
	MaxRetained         = 64 * 1024 // bytes of encoded frames of the current turn
	MaxSessions         = 32        // rows of a session list
	MaxRows             = 128       // rows of CHANGES and of a workspace list
	MaxActivityRows     = 64        // rows of ACTIVITY
	MaxHistory          = 16 * 1024 // bytes of text that HistoryGet answers with
	MaxDetail           = 12 * 1024 // bytes of text of a diff or an approval's detail
	HeartbeatQuietMS    = 2000      // silence in a turn before a heartbeat, ms
	HeartbeatAckMS      = 2000      // wait for its acknowledgement, ms
	HeartbeatIdleMS     = 20000     // silence outside a turn before a heartbeat, ms
	ReconnectIntervalMS = 5000      // between two attempts to connect, ms
)

// Texts of Error frames that a C64's program compares.
const (
	ErrorVersion      = "PROMPT64/2 REQUIRED"
	ErrorLeaseExpired = "LEASE EXPIRED"
	ErrorLeaseInUse   = "LEASE IN USE"
	ErrorBridgeFull   = "BRIDGE FULL"
	ErrorNotPaired    = "NOT PAIRED"
	ErrorTryLater     = "TRY LATER"
	ErrorSessionInUse = "SESSION IN USE"
	ErrorApprovalGone = "APPROVAL GONE"
	ErrorPromptPrefix = "PROMPT"   // begins every refusal of a prompt
	ErrorDecisionWord = "APPROVAL" // begins every refusal of a decision
)
