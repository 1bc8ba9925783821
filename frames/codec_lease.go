package frames

// Type is TypeHello.
func (Hello) Type() Type { return TypeHello }

// AppendTo appends the frame to dst.
func (Hello) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeHello, 0)
	return end(append(dst, Greeting...), at)
}

// Decode fails unless f is the greeting of this version, byte for byte.
func (*Hello) Decode(f Frame) error {
	if err := check(f, TypeHello); err != nil {
		return err
	}
	if string(f.Payload) != Greeting {
		return framing(TypeHello, ErrorVersion)
	}
	return nil
}

// Type is TypeHelloOk.
func (HelloOk) Type() Type { return TypeHelloOk }

// AppendTo appends the frame to dst.
func (m HelloOk) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeHelloOk, 0)
	return end(appendU16(append(dst, m.Major, m.Minor), uint16(m.Capabilities)), at)
}

// Decode reads f. A major version that is not ours is a value fault; a minor one
// or a capability that we do not know is not.
func (m *HelloOk) Decode(f Frame) error {
	if err := check(f, TypeHelloOk); err != nil {
		return err
	}
	if f.Payload[0] != MajorVersion {
		return outOfRange(f.Type, " MAJOR", f.Payload[0])
	}
	*m = HelloOk{f.Payload[0], f.Payload[1], Capabilities(u16(f.Payload[2:]))}
	return nil
}

// Type is TypeLeaseState.
func (LeaseState) Type() Type { return TypeLeaseState }

// AppendTo appends the frame to dst.
func (m LeaseState) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeLeaseState, 0)
	return end(appendU16(append(dst, m.Token[:]...), m.Lifetime), at)
}

// Decode reads f.
func (m *LeaseState) Decode(f Frame) error {
	if err := check(f, TypeLeaseState); err != nil {
		return err
	}
	*m = LeaseState{Token(f.Payload[:TokenSize]), u16(f.Payload[TokenSize:])}
	return nil
}

// Type is TypeReconnect.
func (Reconnect) Type() Type { return TypeReconnect }

// AppendTo appends the frame to dst.
func (m Reconnect) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeReconnect, 0)
	return end(appendU16(append(dst, m.Token[:]...), m.Applied), at)
}

// Decode reads f.
func (m *Reconnect) Decode(f Frame) error {
	if err := check(f, TypeReconnect); err != nil {
		return err
	}
	*m = Reconnect{Token(f.Payload[:TokenSize]), u16(f.Payload[TokenSize:])}
	return nil
}

// Type is TypeReconnectState.
func (ReconnectState) Type() Type { return TypeReconnectState }

// AppendTo appends the frame to dst.
func (m ReconnectState) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeReconnectState, 0)
	dst = append(append(dst, m.Token[:]...), flag(m.Active, 1))
	return end(appendU16(dst, m.Latest), at)
}

// Decode reads f.
func (m *ReconnectState) Decode(f Frame) error {
	if err := check(f, TypeReconnectState); err != nil {
		return err
	}
	active, err := boolean(f.Type, " ACTIVE", f.Payload[TokenSize])
	if err != nil {
		return err
	}
	*m = ReconnectState{Token(f.Payload[:TokenSize]), active, u16(f.Payload[TokenSize+1:])}
	return nil
}

// Type is TypePair.
func (Pair) Type() Type { return TypePair }

// AppendTo appends the frame to dst.
func (m Pair) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypePair, 0)
	return end(append(dst, m.Code[:]...), at)
}

// Decode reads f. A character that no code has is a value fault in the words of
// a wrong code, which it is.
func (m *Pair) Decode(f Frame) error {
	if err := check(f, TypePair); err != nil {
		return err
	}
	for _, c := range f.Payload {
		if !PairingChar(c) {
			return badValue(f.Type, ErrorNotPaired)
		}
	}
	copy(m.Code[:], f.Payload)
	return nil
}

// PairingChar reports whether a pairing code may have c: A-Z or 2-9.
func PairingChar(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '2' && c <= '9' }

// Type is TypePairState.
func (PairState) Type() Type { return TypePairState }

// AppendTo appends the frame to dst.
func (PairState) AppendTo(dst []byte) []byte { return append(dst, byte(TypePairState), 0, 1, 0, 1) }

// Decode reads f, whose one byte must be 1: accepted.
func (*PairState) Decode(f Frame) error {
	if err := check(f, TypePairState); err != nil {
		return err
	}
	if f.Payload[0] != 1 {
		return outOfRange(f.Type, "", f.Payload[0])
	}
	return nil
}
