package config

import (
	"strings"
	"testing"
)

func TestPasswordMatchesItselfAlone(t *testing.T) {
	if !testHash.Matches(testPassword) {
		t.Error("the password is refused")
	}
	for _, other := range []string{"", "correct hors", "Correct horse", testPassword + " ", strings.Repeat("x", 1<<20)} {
		if testHash.Matches(other) {
			t.Errorf("%.20q passes", other)
		}
	}
	if (Password{}).Matches("") || !(Password{}).Empty() {
		t.Error("no password lets somebody in")
	}
}

func TestSamePasswordHasAnotherDigestEachTime(t *testing.T) {
	other, err := NewPassword(testPassword)
	if err != nil {
		t.Fatal(err)
	}
	if other.hash.Equal(testHash.hash) || strings.Contains(other.hash.Reveal(), testPassword) {
		t.Error("two devices with one password have one digest, or the digest has the password")
	}
}

func TestPasswordIsTakenFromItsDigest(t *testing.T) {
	p, err := ParsePassword(testHash.hash.Reveal())
	if err != nil || !p.Matches(testPassword) {
		t.Errorf("it does not match: %v", err)
	}
}

func TestMarkIsOfOneTextAndOneDigest(t *testing.T) {
	again, err := NewPassword(testPassword)
	if err != nil {
		t.Fatal(err)
	}
	mark := testHash.Mark("a")
	if mark == "" || mark != testHash.Mark("a") {
		t.Errorf("marks %q and %q of one text", mark, testHash.Mark("a"))
	}
	if mark == testHash.Mark("b") || mark == again.Mark("a") {
		t.Error("another text, or the password set anew, has the same mark")
	}
	if none := (Password{}).Mark("a"); none != "" {
		t.Errorf("without a password there is a mark: %s", none)
	}
}

func TestPasswordOfWrongLengthIsRefusedWithoutRepeatingIt(t *testing.T) {
	for _, bad := range []string{"", "7 chars", strings.Repeat("ö", 129), "bytes \xff\xff\xff"} {
		_, err := NewPassword(bad)
		if err == nil || !strings.Contains(err.Error(), "8 to 128 characters") || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	if _, err := NewPassword(strings.Repeat("ö", 128)); err != nil {
		t.Error(err)
	}
}

// A damaged digest must neither let anybody in nor ask for gigabytes.
func TestDigestThatNobodyWroteMatchesNothing(t *testing.T) {
	good := testHash.hash.Reveal()
	for _, bad := range []string{
		"", "$", strings.Repeat("$", 5), "plain",
		strings.Replace(good, "argon2id", "argon2i", 1),
		strings.Replace(good, "m=19456", "m=4194304", 1),
		strings.Replace(good, "t=2", "t=4000000", 1),
		strings.Replace(good, "t=2", "t=0", 1),
		strings.Replace(good, "p=1", "p=0", 1),
		strings.Replace(good, "p=1", "p=999", 1),
		strings.Replace(good, "v=19", "v=18", 1),
		good[:len(good)-1], good + "!", good[:strings.LastIndex(good, "$")+1],
	} {
		if _, err := parseHash(bad); err == nil {
			t.Errorf("%q is taken for a digest", bad)
		}
		if p, err := ParsePassword(bad); err == nil || !p.Empty() {
			t.Errorf("%q is taken for a password", bad)
		}
		if (Password{NewSecret(bad)}).Matches(testPassword) {
			t.Errorf("%q matches", bad)
		}
	}
}
