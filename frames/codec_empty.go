package frames

// The messages that are nothing but their type.

// Type is TypeLeaseGet.
func (LeaseGet) Type() Type { return TypeLeaseGet }

// AppendTo appends the frame to dst.
func (LeaseGet) AppendTo(dst []byte) []byte { return empty(dst, TypeLeaseGet) }

// Decode fails if f has a payload.
func (*LeaseGet) Decode(f Frame) error { return check(f, TypeLeaseGet) }

// Type is TypeReconnectDone.
func (ReconnectDone) Type() Type { return TypeReconnectDone }

// AppendTo appends the frame to dst.
func (ReconnectDone) AppendTo(dst []byte) []byte { return empty(dst, TypeReconnectDone) }

// Decode fails if f has a payload.
func (*ReconnectDone) Decode(f Frame) error { return check(f, TypeReconnectDone) }

// Type is TypeSessionRelease.
func (SessionRelease) Type() Type { return TypeSessionRelease }

// AppendTo appends the frame to dst.
func (SessionRelease) AppendTo(dst []byte) []byte { return empty(dst, TypeSessionRelease) }

// Decode fails if f has a payload.
func (*SessionRelease) Decode(f Frame) error { return check(f, TypeSessionRelease) }

// Type is TypeHeartbeat.
func (Heartbeat) Type() Type { return TypeHeartbeat }

// AppendTo appends the frame to dst.
func (Heartbeat) AppendTo(dst []byte) []byte { return empty(dst, TypeHeartbeat) }

// Decode fails if f has a payload.
func (*Heartbeat) Decode(f Frame) error { return check(f, TypeHeartbeat) }

// Type is TypeHeartbeatAck.
func (HeartbeatAck) Type() Type { return TypeHeartbeatAck }

// AppendTo appends the frame to dst.
func (HeartbeatAck) AppendTo(dst []byte) []byte { return empty(dst, TypeHeartbeatAck) }

// Decode fails if f has a payload.
func (*HeartbeatAck) Decode(f Frame) error { return check(f, TypeHeartbeatAck) }

// Type is TypeTurnCancel.
func (TurnCancel) Type() Type { return TypeTurnCancel }

// AppendTo appends the frame to dst.
func (TurnCancel) AppendTo(dst []byte) []byte { return empty(dst, TypeTurnCancel) }

// Decode fails if f has a payload.
func (*TurnCancel) Decode(f Frame) error { return check(f, TypeTurnCancel) }

// Type is TypeSettingsGet.
func (SettingsGet) Type() Type { return TypeSettingsGet }

// AppendTo appends the frame to dst.
func (SettingsGet) AppendTo(dst []byte) []byte { return empty(dst, TypeSettingsGet) }

// Decode fails if f has a payload.
func (*SettingsGet) Decode(f Frame) error { return check(f, TypeSettingsGet) }

// Type is TypeSessionListGet.
func (SessionListGet) Type() Type { return TypeSessionListGet }

// AppendTo appends the frame to dst.
func (SessionListGet) AppendTo(dst []byte) []byte { return empty(dst, TypeSessionListGet) }

// Decode fails if f has a payload.
func (*SessionListGet) Decode(f Frame) error { return check(f, TypeSessionListGet) }

// Type is TypeHistoryGet.
func (HistoryGet) Type() Type { return TypeHistoryGet }

// AppendTo appends the frame to dst.
func (HistoryGet) AppendTo(dst []byte) []byte { return empty(dst, TypeHistoryGet) }

// Decode fails if f has a payload.
func (*HistoryGet) Decode(f Frame) error { return check(f, TypeHistoryGet) }

// Type is TypeDiffDone.
func (DiffDone) Type() Type { return TypeDiffDone }

// AppendTo appends the frame to dst.
func (DiffDone) AppendTo(dst []byte) []byte { return empty(dst, TypeDiffDone) }

// Decode fails if f has a payload.
func (*DiffDone) Decode(f Frame) error { return check(f, TypeDiffDone) }
