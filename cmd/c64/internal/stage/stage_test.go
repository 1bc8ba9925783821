package stage

import (
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }
