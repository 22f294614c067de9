package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	. "toy/adapter"
)

var full = Record{
	Offset: math.MinInt64, Timestamp: math.MaxInt64, TimestampType: 1, Key: []byte("\x00k"), Value: []byte{},
	Headers:    [][2][]byte{{[]byte("a"), {0xff}}, {[]byte("a"), nil}},
	ProducerID: 9007199254740993, ProducerEpoch: -3, Sequence: math.MaxInt32, Flags: 3, Codec: 4,
}

func decode(data []byte) ([]Record, error) {
	switch string(data) {
	case "all":
		return []Record{full}, nil
	case "refuses":
		return nil, errors.New("not so")
	case "half":
		return []Record{full}, errors.New("not to the end")
	case "cannot":
		return nil, fmt.Errorf("%w: no such thing", errors.ErrUnsupported)
	case "print":
		fmt.Println("noise")
	case "panic":
		panic("bad luck")
	}
	return nil, nil
}

func encode(magic, codec int8, records []Record) ([]byte, error) {
	if codec > 3 {
		return nil, errors.ErrUnsupported
	}
	same := byte(0)
	for _, record := range records {
		if reflect.DeepEqual(record, full) {
			same++
		}
	}
	return []byte{byte(magic), byte(codec), same}, nil
}

func message(kind int8, api, version int16, data []byte) ([]byte, error) {
	switch string(data) {
	case "refuses":
		return nil, errors.New("not so")
	case "cannot":
		return nil, fmt.Errorf("%w: no such thing", errors.ErrUnsupported)
	}
	return fmt.Appendf(nil, "%d %d %d %s", kind, api, version, data), nil
}

func main() {
	hello := map[string]any{"protocol": 1, "name": "toy"}
	Target{Hello: hello, Decode: decode, Encode: encode, Message: message}.Serve()
}
