package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// save changes the settings. Its error is for form.wrong: a fault of change's own, an
// Invalid, or words for a disk that does not take them.
func (v *visit) save(change func(*config.Settings) error) error {
	var refusal error
	err := v.site.Settings.Update(func(s *config.Settings) error {
		refusal = change(s)
		return refusal
	})
	if _, invalid := errors.AsType[config.Invalid](err); err == nil || invalid || refusal != nil {
		return err
	}
	why := strings.TrimPrefix(err.Error(), "save settings: ")
	return fault{http.StatusInternalServerError, "Nothing was changed, since the settings could not be saved: " + why +
		". Mend that first, then send this again.", err}
}

// wrong puts an error beside its field, or above the form where it has none, and
// returns the status of the page that shows it. names says which field of the form
// shows which field of the settings; one that ends with [ stands for every entry of a
// list.
func (f *form) wrong(v *visit, err error, names map[string]string) (status int) {
	invalid, ok := errors.AsType[config.Invalid](err)
	if !ok {
		f.Error, status = v.told(err, http.StatusUnprocessableEntity)
		return status
	}
	for _, one := range invalid {
		switch at := f.field(nameOf(one.Field, names)); {
		case at == nil:
			f.Error = addRefused(f.Error, one)
		case at.Type == "lines":
			at.Error = addRefused(at.Error, one)
		default:
			at.Error = sentence(one.Allowed)
		}
	}
	return http.StatusUnprocessableEntity
}

// addRefused says which value is not allowed, behind others of its kind.
func addRefused(words string, one config.FieldError) string {
	value, rule := one.Value, ": "+one.Allowed+"."
	_ = json.Unmarshal([]byte(one.Value), &value) // one that was cut stays as it is
	if before, ok := strings.CutSuffix(words, rule); ok {
		value = before + ", " + value
	}
	return value + rule
}

func nameOf(setting string, names map[string]string) string {
	if name, ok := names[setting]; ok {
		return name
	}
	for prefix, name := range names {
		if strings.HasSuffix(prefix, "[") && strings.HasPrefix(setting, prefix) {
			return name
		}
	}
	return ""
}

// told is an error as a page says it, and the page's status: a fault's own, or the
// given one. What it does not say goes into the log.
func (v *visit) told(err error, otherwise int) (words string, status int) {
	f, ok := errors.AsType[fault](err)
	if !ok {
		return sentence(err.Error()), otherwise
	}
	if f.cause != nil {
		v.site.Log.Warn("page", "path", v.r.URL.Path, "err", err)
	}
	return f.words, f.status
}

// within bounds what is asked of something slow. If the time is up, or somebody
// stopped it, the error says that in words, and not as a context does.
func within(ctx context.Context, d time.Duration, late string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, d, errors.New(late))
	defer cancel()
	err := do(ctx)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}
