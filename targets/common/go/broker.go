// Package common holds what several targets in Go share: a broker within the process, and what a producer leaves to one.
package common

import (
	"encoding/binary"
	"io"
	"net"
)

// The only topic and partition of the broker below.
const (
	Topic     = "t"
	Partition = 0
)

// Keys of Kafka's requests.
const (
	Produce     = 0
	Fetch       = 1
	ApiVersions = 18
)

// Broker is one broker within this process, for libraries that only decode what they fetched themselves. It returns the
// client's end of the connection. The answer to a request is the response's body; nil closes the connection.
func Broker(answer func(key, version int16, request []byte) []byte) net.Conn {
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		for size := int32(0); binary.Read(server, binary.BigEndian, &size) == nil; {
			request := make([]byte, size)
			if _, err := io.ReadFull(server, request); err != nil {
				return
			}
			key, version := binary.BigEndian.Uint16(request), binary.BigEndian.Uint16(request[2:])
			body := answer(int16(key), int16(version), request[8:])
			if body == nil {
				return
			}
			response := binary.BigEndian.AppendUint32(nil, uint32(4+len(body)))
			server.Write(append(append(response, request[4:8]...), body...))
		}
	}()
	return client
}

// FetchResponse10 is the body of a fetch response, version 10, with these records and high watermark.
func FetchResponse10(records []byte, highWatermark int64) []byte {
	body := make([]byte, 4+2+4) // throttle time, error code, session id
	body = append(body, 0, 0, 0, 1, 0, byte(len(Topic)))
	body = append(body, Topic...)
	body = append(body, 0, 0, 0, 1, 0, 0, 0, Partition, 0, 0)         // no error
	body = binary.BigEndian.AppendUint64(body, uint64(highWatermark)) // high watermark
	body = binary.BigEndian.AppendUint64(body, uint64(highWatermark)) // last stable offset
	body = append(body, 0, 0, 0, 0, 0, 0, 0, 0)                       // log start offset
	body = append(body, 0xff, 0xff, 0xff, 0xff)                       // no aborted transactions
	return append(binary.BigEndian.AppendUint32(body, uint32(len(records))), records...)
}

// Produced takes the records out of a produce request for one partition, of a version that is not flexible.
func Produced(version int16, request []byte) []byte {
	place := 2 + int(binary.BigEndian.Uint16(request)) // the client's id
	if version >= 3 {
		place += 2 // no transactional id
	}
	place += 2 + 4 + 4 + 2 + len(Topic) + 4 + 4 + 4 // acks, timeout, one topic, its name, one partition, its index, size
	return request[place:]
}
