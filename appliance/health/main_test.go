package health_test

import (
	"testing"

	"github.com/prompt64/prompt64/internal/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }
