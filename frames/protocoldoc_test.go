package frames

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

func readProtocol(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestDocumentHasARowForEveryType(t *testing.T) {
	doc := readProtocol(t)
	for i := range 256 {
		ty := Type(i)
		if !ty.Known() {
			continue
		}
		way := map[[2]bool]string{{true, false}: "->", {false, true}: "<-", {true, true}: "<>"}[[2]bool{ty.Allowed(ToBridge), ty.Allowed(ToC64)}]
		if row := fmt.Sprintf("| `%02X` | %v | %s |", i, ty, way); strings.Count(doc, row) != 1 {
			t.Errorf("not exactly one row %s", row)
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `[0-9A-F]{2}` \\|").FindAllString(doc, -1)
	known := 0
	for i := range 256 {
		if Type(i).Known() {
			known++
		}
	}
	if len(rows) != known {
		t.Errorf("%d rows for %d types", len(rows), known)
	}
}

func TestDocumentedTextLimitsAreThoseOfTheCodec(t *testing.T) {
	doc := readProtocol(t)
	for ty, limit := range map[Type]int{
		TypeError: MaxErrorText, TypeAssistantDelta: MaxDeltaText, TypeReasoningDelta: MaxDeltaText,
		TypeApprovalRequest: MaxSummary, TypeActivityEvent: MaxLabel, TypeTurnFailed: MaxDeltaText,
		TypeApprovalDetailLine: MaxDetailText, TypeHistoryText: MaxHistoryText, TypeWorkspaceState: MaxErrorText,
		TypeSessionEntry: MaxEntryTitle, TypeSessionState: MaxSessionTitle, TypeWorkspaceEntry: MaxEntryName,
		TypeDashboardEntry: MaxRowData, TypeActionText: MaxErrorText, TypeDiffLine: MaxLineText,
	} {
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%02X` .*up to %d\\b", byte(ty), limit))
		if !row.MatchString(doc) {
			t.Errorf("%v: no limit of %d", ty, limit)
		}
	}
}

func TestDocumentNamesEveryErrorText(t *testing.T) {
	doc := readProtocol(t)
	for _, s := range []string{
		ErrorVersion, ErrorLeaseExpired, ErrorLeaseInUse, ErrorBridgeFull, ErrorNotPaired,
		ErrorTryLater, ErrorSessionInUse, ErrorApprovalGone, ErrorPromptPrefix, ErrorDecisionWord,
	} {
		if !strings.Contains(doc, "`"+s+"`") {
			t.Errorf("%s is not explained", s)
		}
	}
}

func TestExampleInTheDocumentDecodesAsItSays(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```frames\n(.*?)```").FindAllStringSubmatch(readProtocol(t), -1)
	frames := 0
	for _, b := range blocks {
		lines := strings.Split(strings.TrimSuffix(b[1], "\n"), "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			frames++
			checkExample(t, lines[i], strings.TrimSpace(lines[i+1]))
		}
	}
	if len(blocks) != 2 || frames < 14 {
		t.Errorf("%d blocks, %d frames", len(blocks), frames)
	}
}

func checkExample(t *testing.T, line, says string) {
	t.Helper()
	d := ToC64
	if line[0] == '>' {
		d = ToBridge
	}
	b, err := hex.DecodeString(strings.ReplaceAll(line[1:], " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(bytes.NewReader(b), d)
	f, err := r.Next()
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	if got := Describe(f); got != says {
		t.Errorf("%s\nis   %s\nsays %s", line, got, says)
	}
	if r.start != len(b) {
		t.Errorf("%s has more than one frame", line)
	}
}
