package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/IBM/sarama"

	"kafkaconformance/adapter"
	"kafkaconformance/common"
)

// The newest Kafka that takes each magic, and speaks no flexible versions.
var versions = []sarama.KafkaVersion{sarama.V0_9_0_0, sarama.V0_10_2_0, sarama.V2_1_0_0}

// encode lets a producer send the records to a broker within this process, and takes what it sent.
func encode(magic, codec int8, records []adapter.Record) ([]byte, error) {
	if err := common.Producible(magic, codec, records); err != nil {
		return nil, err
	}
	produced := make(chan []byte, 1)
	cluster, err := connect(configuration(magic, codec, len(records)), func(_, version int16, request []byte) []byte {
		produced <- common.Produced(version, request)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	defer cluster.broker.Close()
	producer, err := sarama.NewAsyncProducerFromClient(cluster)
	must(err)
	defer producer.AsyncClose()
	for _, record := range records {
		producer.Input() <- given(record)
	}
	select {
	case data := <-produced:
		return common.Appended(data, records), nil
	case failure := <-producer.Errors():
		return nil, failure
	}
}

// configuration sends all records at once, and does not wait for an answer.
func configuration(magic, codec int8, count int) *sarama.Config {
	config := sarama.NewConfig()
	config.Version = versions[magic]
	config.Producer.Compression = sarama.CompressionCodec(codec)
	config.Producer.RequiredAcks = sarama.NoResponse
	config.Producer.Flush.Messages = count
	config.Producer.Partitioner = sarama.NewManualPartitioner
	return config
}

func given(record adapter.Record) *sarama.ProducerMessage {
	given := &sarama.ProducerMessage{Topic: common.Topic, Timestamp: time.UnixMilli(record.Timestamp)}
	if record.Key != nil {
		given.Key = sarama.ByteEncoder(record.Key)
	}
	if record.Value != nil {
		given.Value = sarama.ByteEncoder(record.Value)
	}
	for _, header := range record.Headers {
		given.Headers = append(given.Headers, sarama.RecordHeader{Key: header[0], Value: header[1]})
	}
	return given
}
