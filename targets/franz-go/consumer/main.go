// franz-go's consumer, `kgo.Client` with `PollFetches`, of partitions that it is told directly.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"kafkaconformance/common"
	"kafkaconformance/common/consumer"
)

type client struct {
	inner    *kgo.Client
	isMember bool
	lines    *consumer.Lines
	done     context.CancelFunc
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
	if group != "" { // a member of a group commits by itself, and often
		options = append(options, kgo.ConsumerGroup(group), kgo.HeartbeatInterval(consumer.PollTime), kgo.AutoCommitInterval(consumer.PollTime), kgo.SessionTimeout(10*time.Second))
	}
	if settings["instance"] != "" {
		options = append(options, kgo.InstanceID(settings["instance"]))
	}
	inner, err := kgo.NewClient(options...)
	return &client{inner: inner, isMember: group != "", lines: lines}, err
}

func (c *client) Assign(topics []consumer.Topic) error {
	partitions := map[string]map[int32]kgo.Offset{}
	for _, topic := range topics {
		partitions[topic.Name] = map[int32]kgo.Offset{0: kgo.NewOffset().At(topic.Offset)}
	}
	if c.isMember {
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
	consumer.Settings = []string{"reset", "max_bytes", "timeout", "rack", "group", "instance"}
	consumer.Serve("franz-go", common.VersionOf("github.com/twmb/franz-go"), "https://github.com/twmb/franz-go", create)
}
