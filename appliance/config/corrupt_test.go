package config

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// corrupt damages data in one of the ways of disks, cables and people.
func corrupt(rng *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) == 0 {
		return []byte{byte(rng.Uint32())}
	}
	at := rng.IntN(len(data))
	end := at + rng.IntN(len(data)-at) + 1
	switch rng.IntN(8) {
	case 0:
		data[at] ^= 1 << rng.IntN(8)
	case 1:
		return data[:at]
	case 2:
		clear(data[at:end])
	case 3:
		return slices.Delete(data, at, end)
	case 4:
		return slices.Insert(data, at, data[at:end]...)
	case 5:
		for i := at; i < end; i++ {
			data[i] = byte(rng.Uint32())
		}
	case 6:
		copy(data[at:], []byte(`{"psk":[null,"\ud800",1e999]}`))
	case 7:
		rng.Shuffle(len(data), func(i, j int) { data[i], data[j] = data[j], data[i] })
	}
	return data
}

func TestThousandCorruptionsNeverStopTheStartNorOpenTheDevice(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 64))
	healthy := newPlatter()
	twoSaves(t, Options{Dir: "/perm", files: healthy})
	sources := map[Source]int{}
	for range 1000 {
		p := newPlatter()
		maps.Copy(p.names, healthy.names)
		names := slices.Sorted(maps.Keys(p.names))
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names[:1+rng.IntN(2)] {
			data := corrupt(rng, p.names[name].data)
			if rng.IntN(10) == 0 && name != lastGoodName {
				delete(p.names, name)
			} else {
				p.names[name] = &content{data: data}
			}
		}
		sources[startCorrupted(t, p)]++
	}
	for _, s := range []Source{Loaded, LastGood, Lost} {
		if sources[s] < 20 {
			t.Errorf("%v came up %d times", s, sources[s])
		}
	}
	if sources[Fresh] > 0 {
		t.Errorf("%d times the device was taken for a new one", sources[Fresh])
	}
}

// startCorrupted opens a damaged folder and checks what must hold whatever the
// damage is.
func startCorrupted(t *testing.T, p *platter) Source {
	t.Helper()
	o := Options{Dir: "/perm", Root: "/", files: p}
	s := Open(o)
	state, got := s.State(), s.Settings()
	if err := Validate(got, o); err != nil {
		t.Fatalf("settings that are not allowed are in force: %v", err)
	}
	if state.Setup {
		t.Fatalf("Set-up is open: %+v, %s", state, p.names[configName].data)
	}
	if !got.Password.Empty() && !got.Password.hash.Equal(testHash.hash) {
		t.Fatal("another password is in force")
	}
	if state.Source != Loaded && len(state.Problems) == 0 {
		t.Fatalf("nothing tells about %+v", state)
	}
	if state.Source == Lost && plain(got) != plain(Default()) {
		t.Fatalf("lost settings left %s", plain(got))
	}
	again := Open(o)
	if st := again.State(); st.Setup || st.Source != state.Source {
		t.Fatalf("the second start is %+v after %+v", st, state)
	}
	return state.Source
}
