// Package providertest has the suite that every provider passes, and a Fake to
// drive a provider's users.
//
// The suite does not judge what an agent says, and it cannot prove that a
// provider never races: it holds it to the rules that package provider states,
// one subtest for each promise, and is meant to run under the race detector.
// What an agent cannot do has to be declared in the Harness, so that a missing
// feature stands in the test's source and not in a silent skip.
package providertest
