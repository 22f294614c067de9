// Package consumer holds what drivers of consumers in Go share: the frames, and records as lines (docs/broker.md).
package consumer

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// PollTime is how long one poll waits for something to say.
const PollTime = 100 * time.Millisecond

// Fields are those of a record that the client tells.
var Fields = []string{"offset", "timestamp", "timestamp_type", "key", "value", "headers"}

// Settings are those that the client knows, of "reset", "max_bytes", "timeout", "rack", "group" and "instance".
var Settings = []string{}

// Topic is a topic whose partition 0 is to be consumed from an offset.
type Topic struct {
	Name   string
	Offset int64
}

// Client is a client under test. What it gets, it says with the Lines that it was made with, at any time.
type Client interface {
	Assign(topics []Topic) error
	Stop()
}

// Member is a client that commits when it is told to.
type Member interface{ Commit() error }

// Header is a record header.
type Header struct{ Key, Value []byte }

// Lines collects what an application gets, until the suite asks for it.
type Lines struct {
	lock  sync.Mutex
	lines []string
	some  chan struct{}
}

// Record says that the application got a record.
func (l *Lines) Record(topic string, offset, timestamp int64, kind int, key, value []byte, headers []Header) {
	words := []string{"record", topic, strconv.FormatInt(offset, 10), strconv.FormatInt(timestamp, 10),
		strconv.Itoa(kind), text(key), text(value)}
	for _, header := range headers {
		words = append(words, hex.EncodeToString(header.Key), text(header.Value))
	}
	l.add(strings.Join(words, "\t"))
}

// Event says what else the application was told: "revoked", with the names of topics.
func (l *Lines) Event(what string, topics ...string) {
	l.add(strings.Join(append([]string{what}, topics...), "\t"))
}

// Error says that the application was told an error.
func (l *Lines) Error(topic string, err error) {
	l.add("error\t" + topic + "\t" + strings.Join(strings.Fields(err.Error()), " "))
}

func (l *Lines) add(line string) {
	l.lock.Lock()
	l.lines = append(l.lines, line)
	l.lock.Unlock()
	select {
	case l.some <- struct{}{}:
	default:
	}
}

func (l *Lines) take() string {
	select {
	case <-l.some:
	case <-time.After(PollTime):
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	said := strings.Join(l.lines, "\n")
	l.lines = nil
	return said
}

func text(content []byte) string {
	if content == nil {
		return "-"
	}
	return hex.EncodeToString(content)
}

// Number returns a setting as a number, or what is usual if it is not set.
func Number(settings map[string]string, name string, usual int) int {
	number, err := strconv.Atoi(settings[name])
	if err != nil {
		return usual
	}
	return number
}

// Serve answers the suite until its end of input; create makes a client for a broker, an isolation level and further settings.
func Serve(name, version, url string, create func(broker, isolation string, settings map[string]string, lines *Lines) (Client, error)) {
	hello, _ := json.Marshal(map[string]any{
		"protocol": 1, "name": name, "version": version, "language": "Go", "url": url,
		"formats": []string{"v0", "v1", "v2"}, "codecs": []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"fields": Fields, "checks_crc": true, "directions": []string{"decode"}, "requests": []string{"deliver"}, "partial": true,
		"settings": Settings,
	})
	in, lines := bufio.NewReader(os.Stdin), &Lines{some: make(chan struct{}, 1)}
	var client Client
	for {
		var size int32
		if binary.Read(in, binary.BigEndian, &size) != nil {
			return
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		said := ""
		switch body[0] {
		case 'H':
			said = string(hello)
		case 'A':
			if client != nil {
				client.Stop()
				lines.take()
			}
			client = assigned(string(body[1:]), lines, create)
		case 'P':
			said = lines.take()
		case 'C':
			if err := client.(Member).Commit(); err != nil {
				lines.Event("commit-failed", strings.Join(strings.Fields(err.Error()), " "))
			} else {
				lines.Event("committed")
			}
			said = lines.take()
		case 'Z':
			if client != nil {
				client.Stop()
			}
			client = nil
			said = lines.take()
		}
		reply := binary.BigEndian.AppendUint32(nil, uint32(1+len(said)))
		os.Stdout.Write(append(append(reply, body[0]), said...))
	}
}

// assigned makes a client that consumes what is asked for; if there is none, the application is told why.
func assigned(request string, lines *Lines, create func(string, string, map[string]string, *Lines) (Client, error)) Client {
	rows := strings.Split(request, "\n")
	words, settings := strings.Split(rows[0], "\t"), map[string]string{}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		settings[name] = value
	}
	client, err := create(words[0], words[1], settings, lines)
	if err != nil {
		lines.Error("?", err)
		return nil
	}
	topics := []Topic{}
	for _, row := range rows[1:] {
		name, offset, _ := strings.Cut(row, "\t")
		number, _ := strconv.ParseInt(offset, 10, 64)
		topics = append(topics, Topic{name, number})
	}
	if err := client.Assign(topics); err != nil {
		lines.Error("?", err)
	}
	return client
}
