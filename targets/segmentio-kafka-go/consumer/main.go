// segmentio's consumer, `kafka.Reader`, one for each topic; one with a `GroupID` in a group.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
	"kafkaconformance/common"
	"kafkaconformance/common/consumer"
)

// patience is how long a reader waits for an answer, by its own clock: the broker answers sooner.
const patience = 2 * time.Second

// idle is what a reader logs when an answer had no records, which is no error.
const idle = "no messages received from kafka within the allocated time"

type client struct {
	broker string
	level  kafka.IsolationLevel
	most   int
	group  string
	start  int64
	lines  *consumer.Lines
	end    context.CancelFunc
	done   sync.WaitGroup
}

func create(broker, isolation string, settings map[string]string, lines *consumer.Lines) (consumer.Client, error) {
	level := kafka.ReadUncommitted
	if isolation == "read_committed" {
		level = kafka.ReadCommitted
	}
	start := kafka.FirstOffset
	if settings["reset"] == "latest" {
		start = kafka.LastOffset
	}
	most := consumer.Number(settings, "max_bytes", 64<<20)
	return &client{broker: broker, level: level, most: most, group: settings["group"], start: start, lines: lines}, nil
}

func (c *client) Assign(topics []consumer.Topic) error {
	alive, end := context.WithCancel(context.Background())
	c.end = end
	names := []string{}
	for _, topic := range topics {
		if c.group != "" {
			names = append(names, topic.Name)
			continue
		}
		config := c.config(topic.Name)
		config.Topic, config.Partition, config.OffsetOutOfRangeError = topic.Name, 0, true
		reader := kafka.NewReader(config)
		if err := reader.SetOffset(topic.Offset); err != nil {
			return err
		}
		c.done.Add(1)
		go c.read(alive, reader.FetchMessage, reader)
	}
	if c.group != "" {
		reader := kafka.NewReader(c.ofMember(names))
		c.done.Add(1)
		go c.read(alive, reader.ReadMessage, reader) // which commits
	}
	return nil
}

func (c *client) config(about string) kafka.ReaderConfig {
	return kafka.ReaderConfig{
		Brokers: []string{c.broker}, MaxWait: patience, IsolationLevel: c.level, MinBytes: 1, MaxBytes: c.most,
		ReadBackoffMin: 20 * time.Millisecond, ReadBackoffMax: 50 * time.Millisecond, ErrorLogger: c.logger(about),
	}
}

// ofMember is the configuration of a member of a group, which commits by itself, and often.
func (c *client) ofMember(topics []string) kafka.ReaderConfig {
	config := c.config("?")
	config.GroupID, config.GroupTopics, config.StartOffset = c.group, topics, c.start
	config.HeartbeatInterval, config.CommitInterval = consumer.PollTime, consumer.PollTime
	config.SessionTimeout, config.JoinGroupBackoff = 10*time.Second, consumer.PollTime
	return config
}

func (c *client) logger(topic string) kafka.LoggerFunc {
	return func(form string, values ...any) {
		if text := fmt.Sprintf(form, values...); !strings.Contains(text, idle) && !strings.Contains(text, "context canceled") {
			c.lines.Error(topic, fmt.Errorf("logged: %s", text))
		}
	}
}

func (c *client) read(alive context.Context, next func(context.Context) (kafka.Message, error), reader *kafka.Reader) {
	defer c.done.Done()
	defer reader.Close()
	for {
		message, err := next(alive)
		if alive.Err() != nil {
			return
		}
		if err != nil {
			c.lines.Error(c.about(reader), err)
			if isTemporary(err) {
				continue
			}
			return
		}
		headers := []consumer.Header{}
		for _, header := range message.Headers {
			headers = append(headers, consumer.Header{Key: []byte(header.Key), Value: header.Value})
		}
		timestamp := int64(-1)
		if !message.Time.IsZero() {
			timestamp = message.Time.UnixMilli()
		}
		c.lines.Record(message.Topic, message.Offset, timestamp, 0, message.Key, message.Value, headers)
	}
}

// isTemporary tells whether the library says of an error that it will pass: an application that does not want to stop at
// every move of a leader goes on then.
func isTemporary(err error) bool {
	var told kafka.Error
	return errors.As(err, &told) && told.Temporary()
}

func (c *client) about(reader *kafka.Reader) string {
	if c.group != "" {
		return "?"
	}
	return reader.Config().Topic
}

func (c *client) Stop() {
	c.end()
	c.done.Wait()
}

// fields leaves out the type of timestamps, which the library does not tell.
var fields = []string{"offset", "timestamp", "key", "value", "headers"}

func main() {
	consumer.Fields, consumer.Settings = fields, []string{"max_bytes", "group"}
	url := "https://github.com/segmentio/kafka-go"
	consumer.Serve("segmentio-kafka-go", common.VersionOf("github.com/segmentio/kafka-go"), url, create)
}
