//go:build noshares

package main

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
	"kafkaconformance/common/consumer"
)

// Releases before 1.21 have no share groups, and are never asked for one.

var ofShares []string

type shares struct{}

func newShares(string, map[string]string, *consumer.Lines) (*shares, []kgo.Opt) { return nil, nil }

func (s *shares) delivered(*kgo.Record) {}

func (s *shares) finish(context.Context, *kgo.Client) {}

func (s *shares) commit(context.Context, *kgo.Client) error { return nil }
