// franz-go's consumer, `kgo.Client` with `PollFetches`, of partitions that it is told directly.
package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"kafkaconformance/common"
	"kafkaconformance/common/consumer"
)

type client struct {
	inner    *kgo.Client
	isMember bool
	hasRegex bool
	lines    *consumer.Lines
	done     context.CancelFunc
	shares   *shares
}

func create(broker, isolation string, settings map[string]string, lines *consumer.Lines) (consumer.Client, error) {
	level := kgo.ReadUncommitted()
	if isolation == "read_committed" {
		level = kgo.ReadCommitted()
	}
	reset, known := map[string]kgo.Offset{"earliest": kgo.NewOffset().AtStart(), "latest": kgo.NewOffset().AtEnd()}[settings["reset"]]
	if !known {
		reset = kgo.NoResetOffset()
	}
	options := []kgo.Opt{kgo.SeedBrokers(broker), kgo.FetchIsolationLevel(level), kgo.FetchMaxWait(consumer.PollTime),
		kgo.ConsumeResetOffset(reset), kgo.MetadataMinAge(consumer.PollTime),
		kgo.FetchMaxPartitionBytes(int32(consumer.Number(settings, "max_bytes", 1<<20))),
		kgo.RequestTimeoutOverhead(time.Duration(consumer.Number(settings, "timeout", 10000)) * time.Millisecond),
		kgo.Rack(settings["rack"])}
	group := settings["group"]
	if settings["protocol"] == "share" {
		shares, own := newShares(group, settings, lines)
		inner, err := kgo.NewClient(append(options, own...)...)
		return &client{inner: inner, isMember: true, lines: lines, shares: shares}, err
	}
	if group != "" { // a member of a group commits by itself, and often
		options = append(options, kgo.ConsumerGroup(group), kgo.HeartbeatInterval(consumer.PollTime), kgo.AutoCommitInterval(consumer.PollTime), kgo.SessionTimeout(10*time.Second))
	}
	if settings["commit"] == "manual" {
		options = append(options, kgo.DisableAutoCommit())
	}
	if settings["assignor"] == "range" {
		options = append(options, kgo.Balancers(kgo.RangeBalancer()))
	} else if settings["assignor"] != "" {
		options = append(options, kgo.Balancers(kgo.CooperativeStickyBalancer()))
	}
	if settings["protocol"] == "consumer" {
		options = append(options, ofNewGroup()...)
	}
	if settings["regex"] != "" {
		options = append(options, kgo.ConsumeRegex(), kgo.ConsumeTopics(settings["regex"]))
	}
	if group != "" {
		options = append(options, callbacks(lines, consumer.Number(settings, "callback", 0))...)
	}
	if settings["instance"] != "" {
		options = append(options, kgo.InstanceID(settings["instance"]))
	}
	inner, err := kgo.NewClient(options...)
	return &client{inner: inner, isMember: group != "", hasRegex: settings["regex"] != "", lines: lines}, err
}

// callbacks say what the application is told of its partitions; it takes its time when it loses some.
func callbacks(lines *consumer.Lines, milliseconds int) []kgo.Opt {
	say := func(what string) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			topics := slices.Sorted(maps.Keys(partitions))
			if what == "revoked" && len(topics) > 0 {
				time.Sleep(time.Duration(milliseconds) * time.Millisecond)
			}
			lines.Event(what, topics...)
		}
	}
	return []kgo.Opt{kgo.OnPartitionsAssigned(say("assigned")), kgo.OnPartitionsRevoked(say("revoked")), kgo.OnPartitionsLost(say("lost"))}
}

func (c *client) Commit() error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if c.shares != nil {
		return c.shares.commit(ctx, c.inner)
	}
	return c.inner.CommitUncommittedOffsets(ctx)
}

func (c *client) Assign(topics []consumer.Topic) error {
	partitions := map[string]map[int32]kgo.Offset{}
	for _, topic := range topics {
		partitions[topic.Name] = map[int32]kgo.Offset{0: kgo.NewOffset().At(topic.Offset)}
	}
	if c.hasRegex {
		// it has subscribed already
	} else if c.isMember {
		names := make([]string, 0, len(topics))
		for name := range partitions {
			names = append(names, name)
		}
		c.inner.AddConsumeTopics(names...)
	} else {
		c.inner.AddConsumePartitions(partitions)
	}
	alive, done := context.WithCancel(context.Background())
	c.done = done
	go func() {
		for alive.Err() == nil {
			c.say(c.inner.PollFetches(alive))
			if c.shares != nil {
				c.shares.finish(alive, c.inner)
			}
		}
	}()
	return nil
}

func (c *client) say(fetches kgo.Fetches) {
	fetches.EachPartition(func(partition kgo.FetchTopicPartition) {
		for _, record := range partition.Records {
			headers := []consumer.Header{}
			for _, header := range record.Headers {
				headers = append(headers, consumer.Header{Key: []byte(header.Key), Value: header.Value})
			}
			kind, timestamp := int(record.Attrs.TimestampType()), record.Timestamp.UnixMilli()
			if kind < 0 {
				timestamp = -1
			}
			c.lines.Record(partition.Topic, record.Offset, timestamp, kind, record.Key, record.Value, headers)
			if c.shares != nil {
				c.shares.delivered(record)
			}
		}
		if partition.Err != nil && partition.Topic != "" {
			c.lines.Error(partition.Topic, partition.Err)
		} else if c.isMember && partition.Err != nil && !errors.Is(partition.Err, context.Canceled) {
			c.lines.Error("?", partition.Err) // of the group
		}
	})
}

func (c *client) Stop() {
	c.done()
	c.inner.CloseAllowingRebalance()
}

func main() {
	consumer.Settings = []string{"reset", "max_bytes", "timeout", "rack", "group", "instance", "regex", "assignor", "commit", "callback"}
	consumer.Settings = append(append(consumer.Settings, ofNewGroups...), ofShares...)
	consumer.Serve("franz-go", common.VersionOf("github.com/twmb/franz-go"), "https://github.com/twmb/franz-go", create)
}
