package main

import (
	"context"
	"encoding/binary"
	"net"
	"time"

	"kafkaconformance/adapter"
	"kafkaconformance/common"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// The newest Kafka that takes each magic, and speaks no flexible versions.
var versions = []func() *kversion.Versions{kversion.V0_9_0, kversion.V0_10_0, kversion.V2_1_0}

var codecs = []func() kgo.CompressionCodec{
	kgo.NoCompression, kgo.GzipCompression, kgo.SnappyCompression, kgo.Lz4Compression, kgo.ZstdCompression,
}

// encode lets a producer send the records to a broker within this process, and takes what it sent.
func encode(magic, codec int8, records []adapter.Record) ([]byte, error) {
	if err := common.Producible(magic, codec, records); err != nil {
		return nil, err
	}
	var produced []byte
	client, err := kgo.NewClient(
		kgo.Dialer(func(context.Context, string, string) (net.Conn, error) { return broker(&produced), nil }),
		kgo.MaxVersions(versions[magic]()),
		kgo.ProducerBatchCompression(codecs[codec]()),
		kgo.DisableIdempotentWrite(),
		kgo.ManualFlushing(),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
	)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	for _, record := range records {
		client.Produce(context.Background(), given(record), func(_ *kgo.Record, failed error) {
			if err == nil {
				err = failed
			}
		})
	}
	if client.Flush(context.Background()); err != nil {
		return nil, err
	}
	return common.Appended(produced, records), nil
}

func given(record adapter.Record) *kgo.Record {
	given := &kgo.Record{Topic: common.Topic, Key: record.Key, Value: record.Value}
	given.Timestamp = time.UnixMilli(record.Timestamp)
	for _, header := range record.Headers {
		given.Headers = append(given.Headers, kgo.RecordHeader{Key: string(header[0]), Value: header[1]})
	}
	return given
}

// broker answers a producer: there is one broker, with one topic and one partition, and it takes what comes.
func broker(produced *[]byte) net.Conn {
	return common.Broker(func(key, version int16, request []byte) []byte {
		body := request[2+binary.BigEndian.Uint16(request):] // after the client's id
		asked := kmsg.RequestForKey(key)
		asked.SetVersion(version)
		if err := asked.ReadFrom(body); err != nil {
			panic(err)
		}
		response := asked.ResponseKind()
		switch response := response.(type) {
		case *kmsg.ApiVersionsResponse:
			for _, key := range []kmsg.Key{kmsg.Produce, kmsg.Metadata, kmsg.ApiVersions} {
				newest := kmsg.RequestForKey(int16(key)).MaxVersion()
				response.ApiKeys = append(response.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: int16(key), MaxVersion: newest})
			}
		case *kmsg.MetadataResponse:
			topic := common.Topic
			response.Brokers = []kmsg.MetadataResponseBroker{{Host: "broker", Port: 9092}}
			response.Topics = []kmsg.MetadataResponseTopic{{
				Topic:      &topic,
				Partitions: []kmsg.MetadataResponseTopicPartition{{Replicas: []int32{0}, ISR: []int32{0}}},
			}}
		case *kmsg.ProduceResponse:
			*produced = asked.(*kmsg.ProduceRequest).Topics[0].Partitions[0].Records
			response.Topics = []kmsg.ProduceResponseTopic{{
				Topic:      common.Topic,
				Partitions: []kmsg.ProduceResponseTopicPartition{{Partition: common.Partition}},
			}}
		}
		return response.AppendTo(nil)
	})
}
