// Package stage sets a C64 that runs the real program before the real bridge, on
// loopback, for tests of whole conversations.
//
// It is for tests only: its methods end the test instead of returning errors.
// It does not promise emulated and real time in step: the machine runs as fast
// as it can and waits for the bridge where it asks the network for something,
// so a test must wait for what is to happen and never for a time.
//
// A Bridge is bridge.Server, lease.Table, a workspace and an agent: the demo, or
// what the test brings, which is closed with it. It counts what reaches the
// agent, and its Gate holds the demo's pauses until the test lets them pass. A C64 is the machine with a driver at its keyboard, and a
// Paper on which everything that the program ever put into its transcript is
// kept, read out of RAM frame by frame. Story renders what a framestest.Client
// received from the same prompts, so that the two can be compared.
package stage
