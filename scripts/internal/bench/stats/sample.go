// Package stats sums up repeated measurements.
//
// It does not test hypotheses and knows no distribution: a median and the range
// of a few runs is all that a noisy machine's figures bear.
package stats

import (
	"math"
	"slices"
)

// Sample is the values of one quantity, in any order. It is not changed.
type Sample []float64

// Percentile is the smallest value that at least p hundredths of the sample do
// not exceed; NaN if the sample is empty.
func (s Sample) Percentile(p float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	rank := int(math.Ceil(p / 100 * float64(len(s))))
	return sorted[min(max(rank, 1), len(s))-1]
}

// Median is the value in the middle, or between the two in the middle; NaN if
// the sample is empty.
func (s Sample) Median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	half := len(s) / 2
	if len(s)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// Max is the largest value; NaN if the sample is empty.
func (s Sample) Max() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	return slices.Max(s)
}

// Spread is half the range as a part of the median: 0.1 reads "within 10 %, or
// so". It is 0 for fewer than two values, and where the median is 0.
func (s Sample) Spread() float64 {
	median := s.Median()
	if len(s) < 2 || median == 0 {
		return 0
	}
	return (slices.Max(s) - slices.Min(s)) / 2 / math.Abs(median)
}

// Map is the sample with f applied to each value.
func (s Sample) Map(f func(float64) float64) Sample {
	out := make(Sample, len(s))
	for i, v := range s {
		out[i] = f(v)
	}
	return out
}

// Zip combines the values of two samples pair by pair.
func Zip(a, b Sample, f func(a, b float64) float64) Sample {
	out := make(Sample, min(len(a), len(b)))
	for i := range out {
		out[i] = f(a[i], b[i])
	}
	return out
}
