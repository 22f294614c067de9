package main

import (
	"math"
	"net"
	"time"

	"github.com/IBM/sarama"

	"kafkaconformance/adapter"
)

// ready is how many consumers wait for an input. A new one waits 100 ms before its first fetch
// (partitionConsumersBatchTimeout in consumer.go), so that many start while others work.
const ready = 64

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
	c := &consumer{
		broker: sarama.NewBroker("broker:9092"),
		input:  make(chan []byte),
		done:   make(chan struct{}),
		closed: make(chan struct{}),
	}
	config := sarama.NewConfig()
	config.Version = sarama.V2_1_0_0 // fetches in version 10
	config.ApiVersionsRequest = false
	config.Consumer.Return.Errors = true
	config.Net.ReadTimeout = time.Hour // as long as it takes until there is an input
	config.Net.Proxy.Enable, config.Net.Proxy.Dialer = true, dialer{adapter.Broker(c.answer())}
	must(c.broker.Open(config))
	whole, err := sarama.NewConsumerFromClient(&client{config: config, broker: c.broker})
	must(err)
	c.PartitionConsumer, err = whole.ConsumePartition(adapter.Topic, adapter.Partition, 0)
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
		return adapter.FetchResponse10(<-c.input, math.MaxInt64)
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

// client answers what a consumer asks about the cluster: there is one broker, and the log begins at offset 0.
type client struct {
	sarama.Client
	config *sarama.Config
	broker *sarama.Broker
}

func (c *client) Config() *sarama.Config          { return c.config }
func (c *client) Closed() bool                    { return false }
func (c *client) RefreshMetadata(...string) error { return nil }

func (c *client) LeaderAndEpoch(string, int32) (*sarama.Broker, int32, error) {
	return c.broker, -1, nil
}

func (c *client) GetOffset(_ string, _ int32, time int64) (int64, error) {
	if time == sarama.OffsetOldest {
		return 0, nil
	}
	return math.MaxInt64, nil
}

// dialer dials the connection that is already there.
type dialer struct{ connection net.Conn }

func (d dialer) Dial(string, string) (net.Conn, error) { return d.connection, nil }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
