package frames

// What is left for text in a frame to the C64 once the fixed fields are in. All
// are derived, so that they follow the frame limit.
const (
	MaxErrorText     = MaxPayloadToC64                // Error, ActionText, WorkspaceState
	MaxHistoryText   = MaxPayloadToC64 - 1            // HistoryText: speaker
	MaxLineText      = MaxPayloadToC64 - 1            // DiffLine: kind
	MaxSessionTitle  = MaxPayloadToC64 - 1            // SessionState: index
	MaxEntryName     = MaxPayloadToC64 - 1            // WorkspaceEntry: index
	MaxDeltaText     = MaxPayloadToC64 - sequenceSize // AssistantDelta, ReasoningDelta, TurnFailed
	MaxEntryTitle    = MaxPayloadToC64 - 2            // SessionEntry: index, current
	MaxRowData       = MaxPayloadToC64 - 2            // DashboardEntry: tab, row
	MaxSummary       = MaxDeltaText - 1               // ApprovalRequest: kind
	MaxLabel         = MaxDeltaText - 1               // ActivityEvent: lifecycle
	MaxDetailText    = MaxDeltaText - 1               // ApprovalDetailLine: request, kind
	MaxActivityLabel = MaxRowData - 1                 // ActivityRow: lifecycle
	MaxChangePath    = MaxRowData - changeRowFixed    // ChangeRow: state, added, deleted
	MaxPromptText    = MaxPayloadToBridge             // UserText, WorkspaceSet, WorkspaceListGet

	sequenceSize   = 2
	changeRowFixed = 5
)

// MaxFrameToC64 and MaxFrameToBridge are the largest whole frames.
const (
	MaxFrameToC64    = HeaderSize + MaxPayloadToC64
	MaxFrameToBridge = HeaderSize + MaxPayloadToBridge
)
