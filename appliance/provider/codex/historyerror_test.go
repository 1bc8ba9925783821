package codex

import "testing"

func TestThreadThatIsNotWrittenYetHasNoHistory(t *testing.T) {
	for words, fault := range map[string]bool{
		"failed to read thread: thread-store internal error: failed to read session metadata /h/r.jsonl: rollout at /h/r.jsonl is empty": false,
		"thread 1 is not materialized yet; includeTurns is unavailable before first user message":                                        false,
		"failed to read thread: thread-store internal error: disk I/O error":                                                             true,
		"the list is empty": true,
	} {
		if err := historyError(&rpcError{Code: -32603, Message: words}); (err != nil) != fault {
			t.Errorf("%q: %v", words, err)
		}
	}
}
