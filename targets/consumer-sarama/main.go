// sarama's consumer: `Consumer.ConsumePartition`, and its channels of messages and errors.
//
// Each topic has a client of its own: where one partition of a fetch answer cannot be decoded, sarama loses the whole
// answer, and tells the error of all partitions that it fetches from that broker.
package main

import (
	"sync"

	"github.com/IBM/sarama"
	"kafkaconformance/common"
	"kafkaconformance/common/consumer"
)

type client struct {
	config *sarama.Config
	broker string
	lines  *consumer.Lines
	lock   sync.Mutex
	all    []sarama.Consumer
}

func create(broker, isolation string, lines *consumer.Lines) (consumer.Client, error) {
	config := sarama.NewConfig()
	config.Consumer.Return.Errors = true
	config.Consumer.MaxWaitTime = consumer.PollTime
	config.Consumer.Retry.Backoff = consumer.PollTime
	if isolation == "read_committed" {
		config.Consumer.IsolationLevel = sarama.ReadCommitted
	}
	return &client{config: config, broker: broker, lines: lines}, nil
}

func (c *client) Assign(topics []consumer.Topic) error {
	var waiting sync.WaitGroup
	for _, topic := range topics {
		waiting.Add(1)
		go func() {
			defer waiting.Done()
			if err := c.consume(topic); err != nil {
				c.lines.Error(topic.Name, err)
			}
		}()
	}
	waiting.Wait()
	return nil
}

func (c *client) consume(topic consumer.Topic) error {
	own, err := sarama.NewConsumer([]string{c.broker}, c.config)
	if err != nil {
		return err
	}
	c.lock.Lock()
	c.all = append(c.all, own)
	c.lock.Unlock()
	part, err := own.ConsumePartition(topic.Name, 0, topic.Offset)
	if err != nil {
		return err
	}
	go c.messages(part)
	go c.errors(part)
	return nil
}

func (c *client) messages(part sarama.PartitionConsumer) {
	for message := range part.Messages() {
		headers := []consumer.Header{}
		for _, header := range message.Headers {
			headers = append(headers, consumer.Header{Key: header.Key, Value: header.Value})
		}
		timestamp := message.Timestamp.UnixMilli()
		if message.Timestamp.IsZero() {
			timestamp = -1
		}
		c.lines.Record(message.Topic, message.Offset, timestamp, 0, message.Key, message.Value, headers)
	}
}

func (c *client) errors(part sarama.PartitionConsumer) {
	for problem := range part.Errors() {
		c.lines.Error(problem.Topic, problem.Err)
	}
}

func (c *client) Stop() {
	for _, own := range c.all {
		go own.Close()
	}
}

func main() {
	// Its messages do not say whether a timestamp is a create time.
	consumer.Fields = []string{"offset", "timestamp", "key", "value", "headers"}
	consumer.Serve("sarama", common.VersionOf("github.com/IBM/sarama"), "https://github.com/IBM/sarama", create)
}
