package ultimate_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/ultimate/ultimatetest"
)

func TestEachProductTellsWhetherItsCommandInterfaceIsOn(t *testing.T) {
	exact := ultimatetest.Elite()
	exact.NoPatterns = true
	for name, m := range map[string]ultimatetest.Model{
		"elite": ultimatetest.Elite(), "plus": ultimatetest.Plus(), "c64": ultimatetest.C64(), "no patterns": exact,
	} {
		t.Run(name, func(t *testing.T) {
			u, c, d := one(t, m)
			f := look(t, c, d)
			wantTrouble(t, f.Trouble, ultimate.InterfaceOff)
			if f.Interface != ultimate.Off || !m.NoInfo && (f.Product != m.Product || f.Firmware != m.Firmware) {
				t.Errorf("it is %+v", f)
			}
			u.SetEnabled(true)
			f = look(t, c, d)
			wantTrouble(t, f.Trouble, "")
			if f.Interface != ultimate.On {
				t.Errorf("it is %+v", f)
			}
		})
	}
}

func TestWhatIsOffIsNamedWithWhatToDo(t *testing.T) {
	with := func(change func(*ultimatetest.Model)) ultimatetest.Model {
		m := ultimatetest.Elite()
		change(&m)
		return m
	}
	for name, c := range map[string]struct {
		model    ultimatetest.Model
		password string
		want     ultimate.Code
	}{
		"web service off":  {with(func(m *ultimatetest.Model) { m.NoREST = true }), "", ultimate.Unreachable},
		"no API":           {with(func(m *ultimatetest.Model) { m.NoAPI = true }), "", ultimate.OldFirmware},
		"no setting":       {with(func(m *ultimatetest.Model) { m.Category = "" }), "", ultimate.NoInterface},
		"password missing": {with(func(m *ultimatetest.Model) { m.Password = "moon" }), "", ultimate.PasswordNeeded},
		"password wrong":   {with(func(m *ultimatetest.Model) { m.Password = "moon" }), "Moon", ultimate.PasswordWrong},
		"password right":   {with(func(m *ultimatetest.Model) { m.Password = "moon" }), "moon", ultimate.InterfaceOff},
	} {
		t.Run(name, func(t *testing.T) {
			_, client, d := one(t, c.model)
			d.Password = config.NewSecret(c.password)
			wantTrouble(t, look(t, client, d).Trouble, c.want)
		})
	}
}

func TestStrangeAnswersAreBoundedAndNamed(t *testing.T) {
	for fault, want := range map[ultimatetest.Fault]ultimate.Code{
		ultimatetest.Endless:  ultimate.Strange,
		ultimatetest.Garbage:  ultimate.Strange,
		ultimatetest.NoJSON:   ultimate.Strange,
		ultimatetest.Redirect: ultimate.Strange,
		ultimatetest.Crash:    ultimate.Refused,
		ultimatetest.Drop:     ultimate.Lost,
		ultimatetest.Cut:      ultimate.Lost,
		ultimatetest.Busy:     ultimate.Busy,
	} {
		t.Run(string(fault), func(t *testing.T) {
			u, c, d := one(t, ultimatetest.Elite())
			u.Next(fault, fault, fault, fault, fault, fault, fault, fault)
			wantTrouble(t, look(t, c, d).Trouble, want)
		})
	}
}

func TestOneBrokenConnectionAndAMomentOfBusyAreSurvived(t *testing.T) {
	for _, fault := range []ultimatetest.Fault{ultimatetest.Drop, ultimatetest.Cut, ultimatetest.Busy} {
		u, c, d := one(t, ultimatetest.Elite())
		u.SetEnabled(true)
		u.Next(fault)
		wantTrouble(t, look(t, c, d).Trouble, "")
	}
}

func TestRedirectReachesNobodyElse(t *testing.T) {
	lan := ultimatetest.New(t)
	bad, other := lan.Add(ultimatetest.Elite()), lan.Add(ultimatetest.Plus())
	bad.Next(ultimatetest.Redirect)
	f := look(t, lan.Client(), ultimate.Device{Address: bad.Address, Password: config.NewSecret("moon")})
	wantTrouble(t, f.Trouble, ultimate.Strange)
	if got := other.Requests(); len(got) > 0 {
		t.Errorf("the other device got %v", got)
	}
}

func TestOnlyAddressesOfALocalNetworkAreDialled(t *testing.T) {
	lan := ultimatetest.New(t)
	u := lan.Add(ultimatetest.Elite())
	c := lan.Client()
	for _, a := range []string{"127.0.0.1", "8.8.8.8", "169.254.169.254", "0.0.0.0", "255.255.255.255", "224.0.0.1", "::1", "::ffff:127.0.0.1",
		lan.Prefix.Addr().String(), lan.Broadcast().String()} {
		d := ultimate.Device{Address: netip.MustParseAddr(a)}
		wantTrouble(t, look(t, c, d).Trouble, ultimate.NotLocal)
		wantError(t, c.Enable(within(t), d), ultimate.NotLocal)
		wantError(t, c.Run(within(t), d, make([]byte, 100)), ultimate.NotLocal)
	}
	if got := u.Requests(); len(got) > 0 {
		t.Errorf("the device got %v", got)
	}
	wantTrouble(t, look(t, c, ultimate.Device{}).Trouble, ultimate.NotLocal)
}

func TestNamesFromTheNetworkAreFitToBeShown(t *testing.T) {
	m := ultimatetest.Elite()
	m.Product = "Ultimate\x1b[2J\u202e" + strings.Repeat("x", 300)
	_, c, d := one(t, m)
	f := look(t, c, d)
	if !strings.HasPrefix(f.Product, "Ultimate[2Jx") || len(f.Product) > 64 {
		t.Errorf("it is shown as %q", f.Product)
	}
}
