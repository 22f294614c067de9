package main

import (
	"math"
	"net"
	"time"

	"github.com/IBM/sarama"

	"kafkaconformance/common"
)

// cluster tells consumers and producers what a client knows of its cluster: there is one broker, with one topic and one
// partition, and its log holds every offset.
type cluster struct {
	sarama.Client
	config *sarama.Config
	broker *sarama.Broker
}

// connect opens a broker within this process.
func connect(config *sarama.Config, answer func(key, version int16, request []byte) []byte) (*cluster, error) {
	config.ApiVersionsRequest = false
	config.Net.Proxy.Enable, config.Net.Proxy.Dialer = true, dialer{common.Broker(answer)}
	broker := sarama.NewBroker("broker:9092")
	return &cluster{config: config, broker: broker}, broker.Open(config)
}

func (c *cluster) Config() *sarama.Config                       { return c.config }
func (c *cluster) Closed() bool                                 { return false }
func (c *cluster) RefreshMetadata(...string) error              { return nil }
func (c *cluster) Partitions(string) ([]int32, error)           { return []int32{common.Partition}, nil }
func (c *cluster) WritablePartitions(t string) ([]int32, error) { return c.Partitions(t) }
func (c *cluster) Leader(string, int32) (*sarama.Broker, error) { return c.broker, nil }

func (c *cluster) LeaderAndEpoch(string, int32) (*sarama.Broker, int32, error) {
	return c.broker, -1, nil
}

func (c *cluster) GetOffset(_ string, _ int32, time int64) (int64, error) {
	if time == sarama.OffsetOldest {
		return math.MinInt64, nil
	}
	return math.MaxInt64, nil
}

// dialer dials the connection that is already there.
type dialer struct{ connection net.Conn }

func (d dialer) Dial(string, string) (net.Conn, error) { return patient{d.connection}, nil }

// patient is a connection without deadlines: an input may be long in coming, and a pipe lives until its last deadline,
// closed or not, so that hundreds of thousands would pile up.
type patient struct{ net.Conn }

func (patient) SetDeadline(time.Time) error      { return nil }
func (patient) SetReadDeadline(time.Time) error  { return nil }
func (patient) SetWriteDeadline(time.Time) error { return nil }
