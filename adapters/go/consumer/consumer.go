// A consumer in Go behind the suite, with nothing but the standard library: copy this file, and call your client in the
// methods of Client. Then: kafka-conformance smoke 'cmd:./consumer', and run the same.
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
	"sync"
	"time"
)

// A hello with "settings": ["reset", "max_bytes", "timeout", "rack", "group"] takes part in conversations; it lists
// those that Settings may name.
const hello = `{"protocol": 1, "kind": "consumer", "name": "mine", "version": "1.0", "language": "Go", "checks_crc": true,
"formats": ["v0", "v1", "v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
"fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
"directions": ["decode"], "requests": ["deliver"], "partial": true}`

// Client is your client. It says with sayRecord and sayError what the application gets, at any time.
type Client struct {
	Broker, Isolation string // host:port; read_uncommitted or read_committed
	Settings          map[string]string
}

// Assign makes the client, and consumes partition 0 of these topics, each from its offset, and no others.
func (c *Client) Assign(offsets map[string]int64) error { return nil }

// Close ends it.
func (c *Client) Close() {}

// Header is a header of a record; a nil value is null.
type Header struct {
	Key   string
	Value []byte
}

// sayRecord says that the application got a record; kind is 0 create time, 1 log append time, -1 none.
func sayRecord(topic string, offset, timestamp int64, kind int, key, value []byte, headers ...Header) {
	words := []string{"record", topic, strconv.FormatInt(offset, 10), strconv.FormatInt(timestamp, 10),
		strconv.Itoa(kind), text(key), text(value)}
	for _, header := range headers {
		words = append(words, hex.EncodeToString([]byte(header.Key)), text(header.Value))
	}
	say(strings.Join(words, "\t"))
}

// sayError says that the application was told an error; the topic is "?" if it names none.
func sayError(topic string, err error) {
	say("error\t" + topic + "\t" + strings.Join(strings.Fields(err.Error()), " "))
}

var (
	lock  sync.Mutex
	lines []string
	some  = make(chan struct{}, 1)
)

func say(line string) {
	lock.Lock()
	lines = append(lines, line)
	lock.Unlock()
	select {
	case some <- struct{}{}:
	default:
	}
}

// take gives the lines that are there, or that come in time.
func take(time_ time.Duration) string {
	select {
	case <-some:
	case <-time.After(time_):
	}
	lock.Lock()
	defer lock.Unlock()
	said := strings.Join(lines, "\n")
	lines = nil
	return said
}

func text(content []byte) string {
	if content == nil {
		return "-"
	}
	return hex.EncodeToString(content)
}

func main() {
	replies, in := os.Stdout, bufio.NewReader(os.Stdin)
	os.Stdout = os.Stderr // what a library prints must not stand between replies
	var client *Client
	for length := int32(0); binary.Read(in, binary.BigEndian, &length) == nil; {
		request := make([]byte, length)
		io.ReadFull(in, request)
		said := hello
		switch kind := request[0]; kind {
		case 'P':
			said = take(100 * time.Millisecond)
		case 'A', 'Z':
			if client != nil {
				client.Close()
			}
			said, client = take(0), nil
			if kind == 'A' {
				client, said = assigned(string(request[1:])), ""
			}
		}
		fmt.Fprintf(replies, "%s%c%s", binary.BigEndian.AppendUint32(nil, uint32(1+len(said))), request[0], said)
	}
}

func assigned(request string) *Client {
	rows := strings.Split(request, "\n")
	words := strings.Split(rows[0], "\t")
	client := &Client{Broker: words[0], Isolation: words[1], Settings: map[string]string{}}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		client.Settings[name] = value
	}
	offsets := map[string]int64{}
	for _, row := range rows[1:] {
		topic, offset, _ := strings.Cut(row, "\t")
		offsets[topic], _ = strconv.ParseInt(offset, 10, 64)
	}
	if err := client.Assign(offsets); err != nil {
		sayError("?", err)
	}
	return client
}
