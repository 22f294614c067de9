// Writes orders with sarama: sarama HOST:PORT BROKER-RELEASE < orders.
package main

import (
	"os"
	"time"

	"github.com/IBM/sarama"

	"kafkaconformance/common/orders"
)

func main() { orders.Each("github.com/IBM/sarama", write) }

func write(address string, order orders.Order) error {
	config := sarama.NewConfig()
	config.Version = map[string]sarama.KafkaVersion{
		"0.9.0.1": sarama.V0_9_0_1, "0.10.2.2": sarama.V0_10_2_2, "3.9.2": sarama.V2_8_0_0,
	}[os.Args[2]]
	config.ApiVersionsRequest = os.Args[2] != "0.9.0.1" // which does not know it
	config.Producer.Return.Successes = true
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Partitioner = sarama.NewManualPartitioner
	config.Producer.Flush.Messages = len(order.Records)
	config.Producer.Flush.Frequency = time.Second
	config.Producer.Compression = map[string]sarama.CompressionCodec{
		"none": sarama.CompressionNone, "gzip": sarama.CompressionGZIP, "snappy": sarama.CompressionSnappy,
		"lz4": sarama.CompressionLZ4, "zstd": sarama.CompressionZSTD,
	}[order.Codec]
	if order.Level != nil {
		config.Producer.CompressionLevel = *order.Level
	}
	if order.Acks != nil {
		config.Producer.RequiredAcks = sarama.RequiredAcks(*order.Acks)
	}
	if order.Idempotent {
		config.Producer.Idempotent = true
		config.Net.MaxOpenRequests = 1
	}
	if order.Transactional {
		config.Producer.Transaction.ID = order.Topic
	}
	producer, err := sarama.NewSyncProducer([]string{address}, config)
	if err != nil {
		return err
	}
	defer producer.Close()
	if order.Transactional {
		if err := producer.BeginTxn(); err != nil {
			return err
		}
	}
	if err := producer.SendMessages(messages(order)); err != nil {
		return err
	}
	if order.Transactional {
		return producer.CommitTxn()
	}
	return nil
}

func messages(order orders.Order) (sent []*sarama.ProducerMessage) {
	for _, record := range order.Records {
		message := &sarama.ProducerMessage{Topic: order.Topic, Timestamp: time.UnixMilli(record.Timestamp)}
		if record.Key != nil {
			message.Key = sarama.StringEncoder(*record.Key)
		}
		if record.Value != nil {
			message.Value = sarama.StringEncoder(*record.Value)
		}
		for _, header := range record.Headers {
			name, value := []byte(*header[0]), orders.Bytes(header[1])
			message.Headers = append(message.Headers, sarama.RecordHeader{Key: name, Value: value})
		}
		sent = append(sent, message)
	}
	return sent
}
