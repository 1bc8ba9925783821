package demo

// fail ends the turn as failed, in the user's words.
func (t *turn) fail(args string) error {
	if args == "" {
		return errUsage
	}
	return failure(args)
}

// hang waits for the turn's cancel.
func (t *turn) hang(string) error {
	if err := t.sayWords("I hang until you cancel."); err != nil {
		return err
	}
	<-t.ctx.Done()
	return t.ctx.Err()
}

// stuck waits for the session's end: a cancel does not reach it.
func (t *turn) stuck(string) error {
	if err := t.sayWords("I am stuck, and a cancel will not help."); err != nil {
		return err
	}
	<-t.s.life.Done()
	return t.s.life.Err()
}

// crash kills the agent.
func (t *turn) crash(string) error {
	if err := t.sayWords("I am about to crash."); err != nil {
		return err
	}
	return errCrash
}
