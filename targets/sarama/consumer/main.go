// sarama's consumer, `sarama.Consumer`, with a partition consumer for each topic; its `ConsumerGroup` in a group.
package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/IBM/sarama"
	"kafkaconformance/common"
	"kafkaconformance/common/consumer"
)

type client struct {
	inner  sarama.Consumer
	lines  *consumer.Lines
	topics []sarama.PartitionConsumer
	done   sync.WaitGroup
}

func create(broker, isolation string, settings map[string]string, lines *consumer.Lines) (consumer.Client, error) {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Consumer.Return.Errors = true
	config.Consumer.MaxWaitTime = consumer.PollTime
	config.Consumer.Retry.Backoff = 50 * time.Millisecond
	config.Consumer.Fetch.Default = int32(consumer.Number(settings, "max_bytes", 1<<20))
	config.Net.ReadTimeout = time.Duration(consumer.Number(settings, "timeout", 30000)) * time.Millisecond
	config.RackID = settings["rack"]
	if isolation == "read_committed" {
		config.Consumer.IsolationLevel = sarama.ReadCommitted
	}
	if settings["group"] != "" {
		return createMember(broker, config, settings, lines)
	}
	inner, err := sarama.NewConsumer([]string{broker}, config)
	return &client{inner: inner, lines: lines}, err
}

func (c *client) Assign(topics []consumer.Topic) error {
	for _, topic := range topics {
		partition, err := c.inner.ConsumePartition(topic.Name, 0, topic.Offset)
		if err != nil {
			c.lines.Error(topic.Name, err)
			continue
		}
		c.topics = append(c.topics, partition)
		c.done.Add(2)
		go c.readMessages(partition)
		go c.readErrors(topic.Name, partition)
	}
	return nil
}

func (c *client) readMessages(partition sarama.PartitionConsumer) {
	defer c.done.Done()
	for message := range partition.Messages() {
		say(c.lines, message)
	}
}

func say(lines *consumer.Lines, message *sarama.ConsumerMessage) {
	headers := []consumer.Header{}
	for _, header := range message.Headers {
		headers = append(headers, consumer.Header{Key: header.Key, Value: header.Value})
	}
	timestamp := int64(-1)
	if !message.Timestamp.IsZero() {
		timestamp = message.Timestamp.UnixMilli()
	}
	lines.Record(message.Topic, message.Offset, timestamp, 0, message.Key, message.Value, headers)
}

func (c *client) readErrors(topic string, partition sarama.PartitionConsumer) {
	defer c.done.Done()
	for failed := range partition.Errors() {
		c.lines.Error(topic, failed.Err)
	}
}

func (c *client) Stop() {
	for _, partition := range c.topics {
		partition.AsyncClose()
	}
	c.done.Wait()
	c.inner.Close()
}

// member is a member of a group, which commits by itself, and often.
type member struct {
	inner sarama.ConsumerGroup
	lines *consumer.Lines
	end   context.CancelFunc
	done  sync.WaitGroup
}

func createMember(
	broker string, config *sarama.Config, settings map[string]string, lines *consumer.Lines,
) (consumer.Client, error) {
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	if settings["reset"] == "latest" {
		config.Consumer.Offsets.Initial = sarama.OffsetNewest
	}
	config.Consumer.Offsets.AutoCommit.Interval = consumer.PollTime
	config.Consumer.Group.Heartbeat.Interval = consumer.PollTime
	config.Consumer.Group.Session.Timeout = 10 * time.Second
	config.Consumer.Group.Rebalance.Retry.Backoff = consumer.PollTime
	config.Consumer.Group.InstanceId = settings["instance"]
	inner, err := sarama.NewConsumerGroup([]string{broker}, settings["group"], config)
	if err != nil {
		return nil, err
	}
	return &member{inner: inner, lines: lines}, nil
}

// Assign consumes the topics, session after session, as the library wants its users to.
func (m *member) Assign(topics []consumer.Topic) error {
	names := []string{}
	for _, topic := range topics {
		names = append(names, topic.Name)
	}
	alive, end := context.WithCancel(context.Background())
	m.end = end
	m.done.Add(2)
	go func() {
		defer m.done.Done()
		for alive.Err() == nil {
			if err := m.inner.Consume(alive, names, &handler{m.lines}); err != nil && !errors.Is(err, context.Canceled) {
				m.lines.Error("?", err)
				time.Sleep(consumer.PollTime)
			}
		}
	}()
	go func() {
		defer m.done.Done()
		for err := range m.inner.Errors() {
			m.lines.Error("?", err)
		}
	}()
	return nil
}

func (m *member) Stop() {
	m.end()
	m.inner.Close()
	m.done.Wait()
}

type handler struct{ lines *consumer.Lines }

func (h *handler) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (h *handler) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (h *handler) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for message := range claim.Messages() {
		say(h.lines, message)
		session.MarkMessage(message, "")
	}
	return nil
}

// fields leaves out the type of timestamps, which the library does not tell.
var fields = []string{"offset", "timestamp", "key", "value", "headers"}

func main() {
	consumer.Fields, consumer.Settings = fields, []string{"max_bytes", "timeout", "rack", "group", "instance"}
	consumer.Serve("sarama", common.VersionOf("github.com/IBM/sarama"), "https://github.com/IBM/sarama", create)
}
