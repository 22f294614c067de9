package common

import (
	"encoding/binary"
	"errors"
	"fmt"

	"kafkaconformance/adapter"
)

// Producible is an error if no producer can be asked for these records: most of what they hold is a broker's to decide.
func Producible(magic, codec int8, records []adapter.Record) error {
	for i, record := range records {
		switch {
		case record.Flags&2 != 0 || record.TimestampType == 1:
			return gap("a producer writes neither control batches nor log append time")
		case record.Flags != 0 || record.ProducerID != -1 || record.Sequence != -1:
			return gap("a producer does not choose its id and its sequence")
		case record.Offset != records[0].Offset+int64(i):
			return gap("a producer leaves no gaps between offsets")
		case magic == 0 && codec != 0 && record.Offset != 0:
			return gap("a broker writes the offsets that stand within a wrapper of magic 0")
		case magic > 0 && record.Timestamp < 0:
			return gap("a producer fills in the time where there is none")
		}
	}
	return nil
}

func gap(what string) error { return fmt.Errorf("%w: %s", errors.ErrUnsupported, what) }

// Appended is what a producer wrote, with the offsets that a broker gives it: the first one of a batch, the last one of
// a wrapper, its own of a message. No checksum covers them.
func Appended(written []byte, records []adapter.Record) []byte {
	for entry := written; len(entry) > 0; entry = entry[12+binary.BigEndian.Uint32(entry[8:]):] {
		offset, count := records[0].Offset, 1
		if magic, codec := entry[16], entry[17]&7; magic == 2 {
			count = int(binary.BigEndian.Uint32(entry[57:]))
		} else if codec != 0 {
			offset, count = records[len(records)-1].Offset, len(records)
		}
		binary.BigEndian.PutUint64(entry, uint64(offset))
		records = records[count:]
	}
	return written
}
