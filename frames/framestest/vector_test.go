package framestest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/frames"
)

var update = flag.Bool("update", false, "write testdata/vectors.jsonl anew")

func encodeVectors(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, v := range makeVectors() {
		must(t, e.Encode(v))
	}
	return b.Bytes()
}

// The vectors are made from the codec, so this test alone would only show that it
// has not changed; TestHandMadeVectorsAreInTheFile holds them against bytes that
// were written by hand.
func TestVectorFileIsNotStale(t *testing.T) {
	want := encodeVectors(t)
	if *update {
		must(t, os.WriteFile("testdata/vectors.jsonl", want, 0o644))
		return
	}
	if !bytes.Equal(want, vectorFile) {
		t.Error("testdata/vectors.jsonl is stale: go test ./frames/framestest -update, and look at the difference")
	}
}

func vectors(t *testing.T) []Vector {
	t.Helper()
	vs, err := Vectors()
	must(t, err)
	if len(vs) < 100 {
		t.Fatalf("only %d vectors", len(vs))
	}
	return vs
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	must(t, err)
	return b
}

func direction(v Vector) frames.Direction {
	if v.Direction == directionNames[frames.ToC64] {
		return frames.ToC64
	}
	return frames.ToBridge
}

func TestValidVectorsDecodeAndEncodeToTheSameBytes(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Fault != "" {
			continue
		}
		b := unhex(t, v.Frame)
		f, err := frames.NewReader(bytes.NewReader(b), direction(v)).Next()
		if err != nil || byte(f.Type) != v.Type || f.Flags != v.Flags || !bytes.Equal(f.Payload, unhex(t, v.Payload)) {
			t.Errorf("%s: %+v, %v", v.Name, f, err)
			continue
		}
		m, err := frames.Decode(direction(v), f)
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		if got := m.AppendTo(nil); !bytes.Equal(got, b) {
			t.Errorf("%s: % X", v.Name, got)
		}
		if built := build(t, m, v.Fields); !bytes.Equal(built.AppendTo(nil), b) {
			t.Errorf("%s: its fields make % X", v.Name, built.AppendTo(nil))
		}
	}
}

// build makes a message of m's type from the fields of a vector alone, as another
// language would.
func build(t *testing.T, m frames.Message, fields map[string]any) frames.Message {
	t.Helper()
	v := reflect.New(reflect.TypeOf(m)).Elem()
	if v.NumField() != len(fields) {
		t.Errorf("%v has fields %v", m.Type(), fields)
	}
	for i := range v.NumField() {
		f := v.Field(i)
		switch x := fields[snake(v.Type().Field(i).Name)].(type) {
		case bool:
			f.SetBool(x)
		case float64:
			f.SetUint(uint64(x))
		case string:
			if b := unhex(t, x); f.Kind() == reflect.Slice {
				f.SetBytes(b)
			} else {
				reflect.Copy(f, reflect.ValueOf(b))
			}
		default:
			t.Errorf("%v: field %d is missing", m.Type(), i)
		}
	}
	return v.Interface().(frames.Message)
}

func TestInvalidVectorsHaveTheirFault(t *testing.T) {
	class := map[string]error{"framing": frames.ErrFraming, "value": frames.ErrValue}
	for _, v := range vectors(t) {
		if v.Fault == "" {
			continue
		}
		r := frames.NewReader(bytes.NewReader(unhex(t, v.Frame)), direction(v))
		f, err := r.Next()
		if err == nil {
			_, err = frames.Decode(direction(v), f)
		}
		if !errors.Is(err, class[v.Fault]) {
			t.Errorf("%s: %v", v.Name, err)
		}
		if _, err = r.Next(); v.Fault == "value" && err != io.EOF {
			t.Errorf("%s: the stream did not stay in step: %v", v.Name, err)
		}
	}
}

func TestEveryTypeHasAVectorOfEachLengthThatMatters(t *testing.T) {
	valid, faulty := map[uint8]int{}, map[uint8]int{}
	for _, v := range vectors(t) {
		if v.Fault == "" {
			valid[v.Type]++
		} else {
			faulty[v.Type]++
		}
	}
	for i := range 256 {
		if !frames.Type(i).Known() {
			continue
		}
		if valid[uint8(i)] == 0 || faulty[uint8(i)] == 0 {
			t.Errorf("%v: %d valid, %d faulty", frames.Type(i), valid[uint8(i)], faulty[uint8(i)])
		}
	}
}

func TestHandMadeVectorsAreInTheFile(t *testing.T) {
	want := map[string]string{ // from the protocol's tables, not from the codec
		"hello":                       "01000A0050524F4D505436342F32",
		"hello ok":                    "020004000200FF0F",
		"lease state":                 "04001200000102030405060708090A0B0C0D0E0F7800",
		"reconnect, sequence wraps":   "05001200000102030405060708090A0B0C0D0E0FFFFF",
		"heartbeat":                   "09000000",
		"user text, two lines":        "100003006 10A62",
		"assistant delta, token":      "1100040001007EFF",
		"decision, named":             "170003000105 80",
		"history text, starts":        "1A01030001 6869",
		"dashboard entry, change":     "31000C0002004D03000100612E747874",
		"dashboard entry, binary":     "3100080002013FFFFFFFFF7A",
		"workspace entry, repository": "3C010300006162",
		"pair state":                  "3F00010001",
	}
	have := map[string]string{}
	for _, v := range vectors(t) {
		have[v.Name] = v.Frame
	}
	for name, hex := range want {
		hex = string(bytes.ReplaceAll([]byte(hex), []byte(" "), nil))
		if diff := cmp.Diff(hex, have[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
