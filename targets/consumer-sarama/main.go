// sarama's consumer, `sarama.Consumer`, with a partition consumer for each topic.
package main

import (
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
	if isolation == "read_committed" {
		config.Consumer.IsolationLevel = sarama.ReadCommitted
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
		go c.readMessages(topic.Name, partition)
		go c.readErrors(topic.Name, partition)
	}
	return nil
}

func (c *client) readMessages(topic string, partition sarama.PartitionConsumer) {
	defer c.done.Done()
	for message := range partition.Messages() {
		headers := []consumer.Header{}
		for _, header := range message.Headers {
			headers = append(headers, consumer.Header{Key: header.Key, Value: header.Value})
		}
		timestamp := int64(-1)
		if !message.Timestamp.IsZero() {
			timestamp = message.Timestamp.UnixMilli()
		}
		c.lines.Record(topic, message.Offset, timestamp, 0, message.Key, message.Value, headers)
	}
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

// fields leaves out the type of timestamps, which the library does not tell.
var fields = []string{"offset", "timestamp", "key", "value", "headers"}

func main() {
	consumer.Fields, consumer.Settings = fields, []string{"max_bytes", "timeout"}
	consumer.Serve("sarama", common.VersionOf("github.com/IBM/sarama"), "https://github.com/IBM/sarama", create)
}
