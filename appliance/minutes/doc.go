// Package minutes writes down what was said in a lease for people: as text, as
// Markdown, and as items that a page shows one by one.
//
// What it does not promise: prompts and answers stand in the minutes exactly as
// they were said, whatever is in them: whoever puts an Item into HTML escapes it,
// and whoever prints minutes in a terminal trusts the agent. Labels and questions
// lose their control characters, so that one cannot be made to look like another.
package minutes
