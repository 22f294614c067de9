//go:build !noshares

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"kafkaconformance/common/consumer"
)

var statuses = map[string]kgo.AckStatus{
	"accept": kgo.AckAccept, "release": kgo.AckRelease, "reject": kgo.AckReject, "renew": kgo.AckRenew,
}

// shares says what a member of a share group is told, and says of each record what was asked for.
type shares struct {
	types      []string
	deliveries map[string]int
	lines      *consumer.Lines
	lock       sync.Mutex
	failed     error
	committed  chan struct{} // what the application waits for before it polls again, if it commits by itself
	hasGot     bool
	hasRenewed bool
}

// ofShares are the settings that members of share groups have.
var ofShares = []string{"share-protocol", "acknowledge"}

// newShares makes the options of a member of a share group, and what listens to them.
func newShares(group string, settings map[string]string, lines *consumer.Lines) (*shares, []kgo.Opt) {
	made := &shares{types: types(settings["acknowledge"]), deliveries: map[string]int{}, lines: lines}
	if settings["commit"] != "" {
		made.committed = make(chan struct{}, 1)
	}
	return made, []kgo.Opt{kgo.ShareGroup(group), kgo.ShareAckCallback(made.acknowledged)}
}

func types(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func (s *shares) delivered(record *kgo.Record) {
	s.lines.Event("delivered", record.Topic, fmt.Sprint(record.Offset), fmt.Sprintf("count=%d", record.DeliveryCount()))
	s.hasGot = true
	if len(s.types) == 0 {
		return // the next poll accepts
	}
	key := fmt.Sprintf("%s %d", record.Topic, record.Offset)
	status := statuses[s.types[(int(record.Offset)+s.deliveries[key])%len(s.types)]]
	record.Ack(status)
	s.hasRenewed = s.hasRenewed || status == kgo.AckRenew
	s.deliveries[key]++
}

func (s *shares) acknowledged(_ *kgo.Client, results kgo.ShareAckResults) {
	for _, result := range results {
		if result.Err == nil {
			s.lines.Event("acknowledged", result.Topic)
			continue
		}
		s.lock.Lock()
		s.failed = result.Err
		s.lock.Unlock()
		s.lines.Event("acknowledge-failed", result.Topic, strings.Join(strings.Fields(result.Err.Error()), " "))
	}
}

// finish does what the application does before it polls again, for that accepts all of which nothing was said.
func (s *shares) finish(alive context.Context, inner *kgo.Client) {
	if s.hasRenewed {
		ctx, cancel := context.WithTimeout(alive, 3*time.Second)
		inner.FlushAcks(ctx)
		cancel()
	}
	if s.hasGot && s.committed != nil {
		select {
		case <-s.committed:
		case <-alive.Done():
		}
	}
	s.hasGot, s.hasRenewed = false, false
}

// commit accepts what the application had last, and waits until that is said.
func (s *shares) commit(ctx context.Context, inner *kgo.Client) error {
	s.lock.Lock()
	s.failed = nil
	s.lock.Unlock()
	defer func() {
		select {
		case s.committed <- struct{}{}:
		default:
		}
	}()
	inner.MarkAcks(kgo.AckAccept)
	if err := inner.FlushAcks(ctx); err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.failed
}
