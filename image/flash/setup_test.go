package flash_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/image/flash"
)

var le = binary.LittleEndian

const fatStart = 1 << 20

// bootable is a small image with a partition table and a FAT16 as gokrazy's packer
// writes it, with room for files.
func bootable() []byte {
	const sectors, first, last = 24 << 10, fatStart / 512, 20 << 10
	b := make([]byte, sectors*512)
	b[510], b[511] = 0x55, 0xaa
	entries := b[1024 : 1024+128*128]
	copy(entries, strings.Repeat("\x01", 32))
	le.PutUint64(entries[32:], first)
	le.PutUint64(entries[40:], last)
	h := b[512:1024]
	copy(h, "EFI PART\x00\x00\x01\x00\x5c\x00\x00\x00")
	for at, v := range map[int]uint64{24: 1, 32: sectors - 1, 40: 34, 48: sectors - 34, 72: 2} {
		le.PutUint64(h[at:], v)
	}
	copy(h[56:], "the disk's own i")
	le.PutUint32(h[80:], 128)
	le.PutUint32(h[84:], 128)
	le.PutUint32(h[88:], crc32.ChecksumIEEE(entries))
	le.PutUint32(h[16:], crc32.ChecksumIEEE(h[:92]))

	f := b[fatStart:]
	copy(f, "\xeb\x3c\x90gokrazy!")
	le.PutUint16(f[11:], 512)
	f[13], f[16], f[21], f[510], f[511] = 4, 1, 0xf8, 0x55, 0xaa
	le.PutUint16(f[14:], 4)   // reserved
	le.PutUint16(f[17:], 512) // entries of the root folder
	le.PutUint16(f[22:], 17)  // sectors of the table
	le.PutUint32(f[32:], 4+17+32+4200*4)
	copy(f[54:], "FAT16   ")
	le.PutUint32(f[4*512:], 0xfffffff8)
	return b
}

// The device takes a file as a whole or not at all, and nobody is there to be asked.
func TestSetupThatTheDeviceWouldNotTakeIsRefused(t *testing.T) {
	for name, s := range map[string]flash.Setup{
		"":                   {Hostname: "c64", Password: "moonlight", SSID: `My "LAN"`, PSK: "12345678", Region: "DE"},
		"nothing":            {},
		"hostname":           {Hostname: "my c64"},
		"password":           {Password: "short"},
		"wifi[0].psk":        {SSID: "home", PSK: "1234567"},
		"wifi[0].region":     {SSID: "home", PSK: "12345678", Region: "de"},
		"wifi[0].ssid: \"xx": {SSID: strings.Repeat("x", 33)},
	} {
		err := s.Check()
		if name == "" || name == "nothing" {
			if err != nil {
				t.Errorf("%+v: %v", s, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), name) || s.PSK != "" && strings.Contains(err.Error(), s.PSK) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCardIsSetUpAfterItWasWritten(t *testing.T) {
	image := looked(t, bootable())
	c := newCard(32 << 20)
	if state, err := write(t.Context(), image, c); state != flash.Good || err != nil {
		t.Fatal(state, err)
	}
	setup := flash.Setup{Hostname: "c64", Password: "moonlight", SSID: `My "LAN"`, PSK: "12345678", Region: "DE"}
	if err := setup.Place(c, c.Size(), time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	want, err := setup.JSON()
	if err != nil || !bytes.Contains(c.data[fatStart:], want) {
		t.Errorf("%s is not on the card, %v", want, err)
	}
	for _, part := range []string{`"version": 1`, `"hostname": "c64"`, `"ssid": "My \"LAN\""`, `"psk": "12345678"`, `"region": "DE"`} {
		if !bytes.Contains(want, []byte(part)) {
			t.Errorf("%s is not in %s", part, want)
		}
	}
	if err := setup.Place(c, c.Size(), time.Unix(1e9, 0)); err == nil {
		t.Error("a file that is there already was replaced")
	}
}

func TestCardWithoutABootPartitionIsNotSetUp(t *testing.T) {
	c := newCard(8 << 20)
	if _, err := write(t.Context(), looked(t, cardImage(30)), c); err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(c.data)
	if err := (flash.Setup{SSID: "x"}).Place(c, c.Size(), time.Now()); err == nil || !bytes.Equal(before, c.data) {
		t.Errorf("%v", err)
	}
}

func TestSetupThatDoesNotComeBackIsAnError(t *testing.T) {
	c := newCard(32 << 20)
	if _, err := write(t.Context(), looked(t, bootable()), c); err != nil {
		t.Fatal(err)
	}
	c.onWrite = func(n int, p []byte, off int64) (int, error) {
		if bytes.Contains(p, []byte("moonlight")) {
			copy(p[bytes.Index(p, []byte("moonlight")):], "daylight!")
		}
		return len(p), nil
	}
	if err := (flash.Setup{Password: "moonlight"}).Place(c, c.Size(), time.Now()); err == nil {
		t.Error("it was not noticed")
	}
}
