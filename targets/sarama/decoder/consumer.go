package main

import (
	"math"
	"time"

	"github.com/IBM/sarama"

	"kafkaconformance/common"
)

// ready is how many consumers wait for an input. A new one waits 100 ms before its first fetch
// (partitionConsumersBatchTimeout in consumer.go), so that many start while others work.
const ready = 512

var consumers = startConsumers()

// consumer is a sarama consumer of one partition and the broker that it fetches from.
type consumer struct {
	sarama.PartitionConsumer
	broker *sarama.Broker
	input  chan []byte
	done   chan struct{} // closed when the consumer asks for more
	closed chan struct{} // closed when nobody listens any more
}

func startConsumers() <-chan *consumer {
	started := make(chan *consumer, ready)
	go func() {
		for {
			started <- startConsumer()
		}
	}()
	return started
}

func startConsumer() *consumer {
	c := &consumer{input: make(chan []byte), done: make(chan struct{}), closed: make(chan struct{})}
	config := sarama.NewConfig()
	config.Version = sarama.V2_1_0_0 // fetches in version 10
	config.Consumer.Return.Errors = true
	config.Net.ReadTimeout = time.Hour // as long as it takes until there is an input
	cluster, err := connect(config, c.answer())
	must(err)
	c.broker = cluster.broker
	whole, err := sarama.NewConsumerFromClient(cluster)
	must(err)
	c.PartitionConsumer, err = whole.ConsumePartition(common.Topic, common.Partition, sarama.OffsetOldest)
	must(err)
	return c
}

// answer serves the input once.
func (c *consumer) answer() func(key, version int16, request []byte) []byte {
	served := false
	return func(int16, int16, []byte) []byte {
		if served {
			close(c.done)
			<-c.closed
			return nil
		}
		served = true
		return common.FetchResponse10(<-c.input, math.MaxInt64)
	}
}

func (c *consumer) close() {
	c.AsyncClose()
	close(c.closed)
	go func() {
		c.broker.Close()
		for range c.Messages() {
		}
		for range c.Errors() {
		}
	}()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
