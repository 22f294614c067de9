// Writes orders with segmentio/kafka-go: segmentio HOST:PORT < orders.
package main

import (
	"context"
	"time"

	"github.com/segmentio/kafka-go"

	"kafkaconformance/common/orders"
)

func main() { orders.Each("github.com/segmentio/kafka-go", write) }

func write(address string, order orders.Order) error {
	writer := &kafka.Writer{
		Addr: kafka.TCP(address), Topic: order.Topic, RequiredAcks: kafka.RequireAll, AllowAutoTopicCreation: true,
		BatchSize: len(order.Records), BatchBytes: 1 << 20, BatchTimeout: time.Second,
		Compression: map[string]kafka.Compression{
			"none": 0, "gzip": kafka.Gzip, "snappy": kafka.Snappy, "lz4": kafka.Lz4, "zstd": kafka.Zstd,
		}[order.Codec],
	}
	if order.Acks != nil {
		writer.RequiredAcks = kafka.RequiredAcks(*order.Acks)
	}
	defer writer.Close()
	var sent []kafka.Message
	for _, record := range order.Records {
		message := kafka.Message{
			Key: orders.Bytes(record.Key), Value: orders.Bytes(record.Value), Time: time.UnixMilli(record.Timestamp),
		}
		for _, header := range record.Headers {
			message.Headers = append(message.Headers, kafka.Header{Key: *header[0], Value: orders.Bytes(header[1])})
		}
		sent = append(sent, message)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var err error
	for range 5 { // the topic is being created
		if err = writer.WriteMessages(ctx, sent...); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
