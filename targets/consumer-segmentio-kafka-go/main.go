// segmentio's consumer, `kafka.Reader`, one for each topic.
package main

import (
	"context"
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
	lines  *consumer.Lines
	end    context.CancelFunc
	done   sync.WaitGroup
}

func create(broker, isolation string, settings map[string]string, lines *consumer.Lines) (consumer.Client, error) {
	level := kafka.ReadUncommitted
	if isolation == "read_committed" {
		level = kafka.ReadCommitted
	}
	return &client{broker: broker, level: level, most: consumer.Number(settings, "max_bytes", 64<<20), lines: lines}, nil
}

func (c *client) Assign(topics []consumer.Topic) error {
	alive, end := context.WithCancel(context.Background())
	c.end = end
	for _, topic := range topics {
		reader := kafka.NewReader(kafka.ReaderConfig{
			Brokers: []string{c.broker}, Topic: topic.Name, Partition: 0, MaxWait: patience,
			ReadBackoffMin: 20 * time.Millisecond, ReadBackoffMax: 50 * time.Millisecond, IsolationLevel: c.level,
			MinBytes: 1, MaxBytes: c.most, OffsetOutOfRangeError: true, ErrorLogger: c.logger(topic.Name),
		})
		if err := reader.SetOffset(topic.Offset); err != nil {
			return err
		}
		c.done.Add(1)
		go c.read(alive, topic.Name, reader)
	}
	return nil
}

func (c *client) logger(topic string) kafka.LoggerFunc {
	return func(form string, values ...any) {
		if text := fmt.Sprintf(form, values...); !strings.Contains(text, idle) && !strings.Contains(text, "context canceled") {
			c.lines.Error(topic, fmt.Errorf("logged: %s", text))
		}
	}
}

func (c *client) read(alive context.Context, topic string, reader *kafka.Reader) {
	defer c.done.Done()
	defer reader.Close()
	for {
		message, err := reader.FetchMessage(alive)
		if alive.Err() != nil {
			return
		}
		if err != nil {
			c.lines.Error(topic, err)
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
		c.lines.Record(topic, message.Offset, timestamp, 0, message.Key, message.Value, headers)
	}
}

func (c *client) Stop() {
	c.end()
	c.done.Wait()
}

// fields leaves out the type of timestamps, which the library does not tell.
var fields = []string{"offset", "timestamp", "key", "value", "headers"}

func main() {
	consumer.Fields, consumer.Settings = fields, []string{"max_bytes"}
	url := "https://github.com/segmentio/kafka-go"
	consumer.Serve("segmentio-kafka-go", common.VersionOf("github.com/segmentio/kafka-go"), url, create)
}
