// A producer in Go behind the suite, with nothing but the standard library: copy this file, and call your client in
// produce. Then: kafka-conformance smoke 'cmd:./producer', and run the same.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// "settings" is what it can be asked to do, also: "idempotent", "transactional", "level", "acks".
const hello = `{"protocol": 1, "kind": "producer", "name": "mine", "version": "1.0", "language": "Go", "checks_crc": true,
"formats": ["v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
"fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
"directions": ["encode"], "requests": ["produce"], "settings": ["headers"]}`

// Header is a header of a record; a nil value is null.
type Header struct {
	Key   string
	Value []byte
}

// Record is a record to write; a nil key or value is null.
type Record struct {
	Timestamp  int64
	Key, Value []byte
	Headers    []Header
}

// Order is what to write to partition 0 of a topic, and how. A nil number is the client's own way; a transaction has
// the topic's name as its id, and is committed.
type Order struct {
	Topic, Codec              string
	Level, Acks               *int
	Idempotent, Transactional bool
	Records                   []Record
}

// produce writes all records of an order, waits until they are sent, and gives what the application is told of failures.
func produce(broker string, order Order) []error {
	return []error{fmt.Errorf("nothing writes %d records to %s of %s", len(order.Records), order.Topic, broker)}
}

func main() {
	replies, in := os.Stdout, bufio.NewReader(os.Stdin)
	os.Stdout = os.Stderr // what a library prints must not stand between replies
	reply := func(text string) {
		fmt.Fprintf(replies, "%s%s", binary.BigEndian.AppendUint32(nil, uint32(len(text))), text)
	}
	for length := int32(0); binary.Read(in, binary.BigEndian, &length) == nil; {
		request := make([]byte, length)
		io.ReadFull(in, request)
		if request[0] == 'H' {
			reply("H" + hello)
			continue
		}
		broker, orders := parse(string(request[1:]))
		for _, order := range orders {
			failures := []string{}
			for _, err := range produce(broker, order) {
				failures = append(failures, strings.Join(strings.Fields(err.Error()), " "))
			}
			reply("O" + strings.Join(failures, "\n"))
		}
	}
}

func parse(request string) (broker string, orders []Order) {
	for number, row := range strings.Split(request, "\n") {
		words := strings.Split(row, "\t")
		if number == 0 {
			broker = words[0]
		} else if words[0] == "order" {
			orders = append(orders, asked(words[1], words[2:]))
		} else {
			order := &orders[len(orders)-1]
			order.Records = append(order.Records, record(words[1:]))
		}
	}
	return
}

func asked(topic string, settings []string) Order {
	order := Order{Topic: topic}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		number, _ := strconv.Atoi(value)
		switch name {
		case "codec":
			order.Codec = value
		case "level":
			order.Level = &number
		case "acks":
			order.Acks = &number
		case "idempotent":
			order.Idempotent = true
		case "transactional":
			order.Transactional = true
		}
	}
	return order
}

func record(words []string) Record {
	timestamp, _ := strconv.ParseInt(words[0], 10, 64)
	made := Record{Timestamp: timestamp, Key: content(words[1]), Value: content(words[2])}
	for at := 3; at+1 < len(words); at += 2 {
		made.Headers = append(made.Headers, Header{string(content(words[at])), content(words[at+1])})
	}
	return made
}

func content(text string) []byte {
	if text == "-" {
		return nil
	}
	data, _ := hex.DecodeString(text)
	return data
}
