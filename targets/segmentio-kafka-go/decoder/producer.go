package main

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"

	"kafkaconformance/adapter"
	"kafkaconformance/common"
)

// encode writes the record set that Writer and Client put into a produce request (protocol/produce).
func encode(magic, codec int8, records []adapter.Record) ([]byte, error) {
	if magic == 0 {
		return nil, fmt.Errorf("%w: it writes magic 1 and 2", errors.ErrUnsupported)
	}
	if err := common.Producible(magic, codec, records); err != nil {
		return nil, err
	}
	given := make([]kafka.Record, len(records))
	for i, record := range records {
		given[i] = kafka.Record{Time: time.UnixMilli(record.Timestamp), Key: kafka.NewBytes(record.Key)}
		given[i].Value = kafka.NewBytes(record.Value)
		for _, header := range record.Headers {
			given[i].Headers = append(given[i].Headers, kafka.Header{Key: string(header[0]), Value: header[1]})
		}
	}
	set := protocol.RecordSet{
		Version:    magic,
		Attributes: protocol.Attributes(codec),
		Records:    kafka.NewRecordReader(given...),
	}
	var written bytes.Buffer
	if _, err := set.WriteTo(&written); err != nil {
		return nil, err
	}
	return common.Appended(written.Bytes()[4:], records), nil // after the size
}
