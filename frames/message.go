package frames

// The messages, as Go values. Text fields hold display-safe bytes; after Decode
// they alias the frame's payload and are good until the next frame is read.

// Token names a lease.
type Token [TokenSize]byte

// Session set-up, leases and replay.
type (
	// Hello is the greeting, the first frame of a C64.
	Hello struct{}
	// HelloOk answers it.
	HelloOk struct {
		Major, Minor uint8
		Capabilities Capabilities
	}
	// LeaseGet asks for a fresh lease.
	LeaseGet struct{}
	// LeaseState names it; Lifetime is in seconds.
	LeaseState struct {
		Token    Token
		Lifetime uint16
	}
	// Reconnect takes a detached lease up again.
	Reconnect struct {
		Token   Token
		Applied uint16
	}
	// ReconnectState precedes the replay.
	ReconnectState struct {
		Token  Token
		Active bool
		Latest uint16
	}
	// ReconnectDone ends the replay.
	ReconnectDone struct{}
	// SessionRelease gives a lease up, and acknowledges that.
	SessionRelease struct{}
	// Heartbeat asks whether the line lives.
	Heartbeat struct{}
	// HeartbeatAck answers it.
	HeartbeatAck struct{}
)

// Turns and approvals. Seq is the wrapping sequence of an asynchronous frame.
type (
	// UserText is a prompt.
	UserText struct{ Text []byte }
	// AssistantDelta is a piece of the answer.
	AssistantDelta struct {
		Seq  uint16
		Text []byte
	}
	// TurnDone ends a turn.
	TurnDone struct{ Seq uint16 }
	// ReasoningDelta is a piece of the reasoning.
	ReasoningDelta struct {
		Seq  uint16
		Text []byte
	}
	// TurnCancel asks to end the turn.
	TurnCancel struct{}
	// TurnCancelled ends a turn that was cancelled.
	TurnCancelled struct{ Seq uint16 }
	// ApprovalRequest asks the user.
	ApprovalRequest struct {
		Seq     uint16
		Kind    ApprovalKind
		Summary []byte
	}
	// ApprovalDecision answers; Request is the sequence of the request that
	// it names if Named.
	ApprovalDecision struct {
		Decision Decision
		Named    bool
		Request  uint16
	}
	// ActivityEvent tells of a tool at work.
	ActivityEvent struct {
		Seq       uint16
		Lifecycle Lifecycle
		Label     []byte
	}
	// TurnFailed ends a turn that failed.
	TurnFailed struct {
		Seq     uint16
		Summary []byte
	}
	// HistoryText is a piece of an entry of the history.
	HistoryText struct {
		Start   bool
		Speaker Speaker
		Text    []byte
	}
	// ApprovalAck says that the decision was taken.
	ApprovalAck struct{ Seq uint16 }
)

// Settings, workspaces and sessions.
type (
	// SettingsGet asks for the settings.
	SettingsGet struct{}
	// SettingsSet changes them; Display is left alone unless HasDisplay.
	SettingsSet struct {
		Reasoning  Reasoning
		HasDisplay bool
		Display    uint8
	}
	// SettingsState tells them.
	SettingsState struct {
		Reasoning Reasoning
		Display   uint8
	}
	// WorkspaceSet chooses a folder beneath the root.
	WorkspaceSet struct{ Path []byte }
	// WorkspaceState tells which.
	WorkspaceState struct{ Path []byte }
	// SessionListGet asks for the workspace's sessions.
	SessionListGet struct{}
	// SessionEntry is a row of the list.
	SessionEntry struct {
		Index   uint8
		Current bool
		Title   []byte
	}
	// SessionListDone ends it.
	SessionListDone struct{ Count uint8 }
	// SessionSelect chooses one.
	SessionSelect struct{ Index uint8 }
	// SessionState tells which.
	SessionState struct {
		Index uint8
		Title []byte
	}
	// AccessSet changes the access.
	AccessSet struct{ Access Access }
	// AccessState tells it.
	AccessState struct{ Access Access }
	// HistoryGet asks for the finished turns.
	HistoryGet struct{}
	// HistoryDone ends them.
	HistoryDone struct{ Entries uint8 }
)

// The dashboard.
type (
	// DashboardGet asks for a tab.
	DashboardGet struct{ Tab Tab }
	// DashboardEntry is a row of it; see the Row types for Data.
	DashboardEntry struct {
		Tab  Tab
		Row  uint8
		Data []byte
	}
	// DashboardDone ends the tab.
	DashboardDone struct {
		Tab   Tab
		Count uint8
	}
	// ActionGet asks for an action's prompt.
	ActionGet struct{ Index uint8 }
	// ActionText is that prompt.
	ActionText struct{ Text []byte }
	// DiffGet asks for the diff of a CHANGES row.
	DiffGet struct{ Index uint8 }
	// DiffLine is a piece of a line of it.
	DiffLine struct {
		Start bool
		Kind  LineKind
		Text  []byte
	}
	// DiffDone ends the diff.
	DiffDone struct{}
	// Error refuses something, in words.
	Error struct{ Text []byte }
)

// The extensions, announced by capability bits 8 to 11.
type (
	// ApprovalDetailGet asks for all that a decision is about.
	ApprovalDetailGet struct{ Request uint16 }
	// ApprovalDetailLine is a piece of a line of it.
	ApprovalDetailLine struct {
		Start   bool
		Request uint16
		Kind    LineKind
		Text    []byte
	}
	// ApprovalDetailDone ends it; Lines saturates at 255.
	ApprovalDetailDone struct {
		Request uint16
		Lines   uint8
	}
	// WorkspaceListGet asks for the folders in a folder.
	WorkspaceListGet struct{ Path []byte }
	// WorkspaceEntry is one of them.
	WorkspaceEntry struct {
		Git   bool
		Index uint8
		Name  []byte
	}
	// WorkspaceListDone ends the list.
	WorkspaceListDone struct{ Count uint8 }
	// Pair shows the pairing code.
	Pair struct{ Code [PairingCodeSize]byte }
	// PairState accepts it.
	PairState struct{}
)

// ActivityRow is the data of a row of the ACTIVITY tab.
type ActivityRow struct {
	Lifecycle Lifecycle
	Label     []byte
}

// ChangeRow is the data of a row of the CHANGES tab. Added and Deleted are
// BinaryFile for a file that has no lines.
type ChangeRow struct {
	State          byte // M, A, D, R, U or ?
	Added, Deleted uint16
	Path           []byte
}
