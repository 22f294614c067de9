// Writes orders with confluent-kafka-go, which has librdkafka inside: librdkafka HOST:PORT BROKER-RELEASE < orders.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/confluentinc/confluent-kafka-go/kafka"

	"kafkaconformance/common/orders"
)

func main() {
	_, version := kafka.LibraryVersion()
	orders.EachOf("librdkafka "+version, write)
}

func write(address string, order orders.Order) error {
	settings := kafka.ConfigMap{
		"bootstrap.servers": address, "compression.type": order.Codec, "linger.ms": 1000, "acks": "all",
		"enable.idempotence": order.Idempotent, "message.timeout.ms": 30000,
	}
	if os.Args[2] == "0.9.0.1" { // it does not know the request that tells versions
		settings["api.version.request"], settings["broker.version.fallback"] = false, "0.9.0"
	}
	if order.Level != nil {
		settings["compression.level"] = *order.Level
	}
	if order.Transactional {
		settings["transactional.id"] = order.Topic
	}
	producer, err := kafka.NewProducer(&settings)
	if err != nil {
		return err
	}
	defer producer.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for range 40 { // the question makes the topic
		if known, err := producer.GetMetadata(&order.Topic, false, 5000); err == nil && len(known.Topics[order.Topic].Partitions) > 0 {
			break
		}
		time.Sleep(250 * time.Millisecond)
	}
	if order.Transactional {
		if err := errors.Join(producer.InitTransactions(ctx), producer.BeginTransaction()); err != nil {
			return err
		}
	}
	delivered := make(chan kafka.Event, len(order.Records))
	for _, record := range order.Records {
		if err := producer.Produce(message(order.Topic, record), delivered); err != nil {
			return err
		}
	}
	for range order.Records {
		select {
		case event := <-delivered:
			if err := event.(*kafka.Message).TopicPartition.Error; err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if order.Transactional {
		return producer.CommitTransaction(ctx)
	}
	return nil
}

func message(topic string, record orders.Record) *kafka.Message {
	sent := &kafka.Message{
		TopicPartition: kafka.TopicPartition{Topic: &topic, Partition: 0},
		Key:            orders.Bytes(record.Key), Value: orders.Bytes(record.Value),
		Timestamp: time.UnixMilli(record.Timestamp),
	}
	for _, header := range record.Headers {
		sent.Headers = append(sent.Headers, kafka.Header{Key: *header[0], Value: orders.Bytes(header[1])})
	}
	return sent
}
