package minutes

import (
	"strings"

	"github.com/prompt64/prompt64/appliance/lease"
)

// Text returns minutes as plain text.
func Text(title string, said []lease.Said) string {
	var b strings.Builder
	b.WriteString(title + "\n" + strings.Repeat("=", len([]rune(title))) + "\n")
	last := ""
	for _, it := range Joined(said) {
		if it.Kind != "activity" || last != "activity" {
			b.WriteByte('\n')
		}
		last = it.Kind
		switch it.Kind {
		case "activity":
			b.WriteString("* " + it.Head + ": " + oneLine(it.Text) + "\n")
		case "end", "place", "missed", "withdrawn":
			b.WriteString("--- " + join(it.Head, oneLine(it.Text)) + " ---\n")
		default:
			b.WriteString(it.Head + "\n" + endLine(it.Text))
			for _, d := range it.Detail {
				b.WriteString("    " + mark(d) + d.Text + "\n")
			}
		}
	}
	return b.String()
}

// Markdown returns minutes as Markdown. Prompts and answers stand in it as they
// are.
func Markdown(title string, said []lease.Said) string {
	var b strings.Builder
	b.WriteString("# " + oneLine(title) + "\n")
	last := ""
	for _, it := range Joined(said) {
		if it.Kind != "activity" || last != "activity" {
			b.WriteByte('\n')
		}
		last = it.Kind
		switch it.Kind {
		case "activity":
			b.WriteString("- " + it.Head + ": " + code(oneLine(it.Text)) + "\n")
		case "end", "place", "missed", "withdrawn":
			b.WriteString("*" + it.Head + "*")
			if it.Text != "" {
				b.WriteString(" " + code(oneLine(it.Text)))
			}
			b.WriteString("\n\n---\n")
		case "question", "answer":
			b.WriteString("**" + it.Head + "** " + code(oneLine(it.Text)) + "\n")
			writeDetail(&b, it.Detail)
		case "reasoning":
			b.WriteString("## " + it.Head + "\n\n" + quote(it.Text))
		default:
			b.WriteString("## " + it.Head + "\n\n" + endLine(it.Text))
		}
	}
	return b.String()
}

// writeDetail writes a block that nothing in it can end.
func writeDetail(b *strings.Builder, lines []Detail) {
	if len(lines) == 0 {
		return
	}
	var text strings.Builder
	for _, d := range lines {
		text.WriteString(mark(d) + d.Text + "\n")
	}
	fence := fence(text.String(), 3)
	b.WriteString("\n" + fence + "\n" + text.String() + fence + "\n")
}

// fence is a row of backticks that is longer than any in text.
func fence(text string, least int) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(least, longest+1))
}

// code writes text so that nothing in it means anything.
func code(text string) string {
	if text == "" {
		return ""
	}
	f := fence(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return f + text + f
}

func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n> ") + "\n"
}

func mark(d Detail) string {
	if d.Mark == "" {
		return "  "
	}
	return d.Mark + " "
}

func join(head, text string) string {
	if text == "" {
		return head
	}
	return head + ": " + text
}

// oneLine puts lines behind each other.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// endLine is text with an end of line, unless it is empty.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
