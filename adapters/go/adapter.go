// Package adapter serves a decoder in Go over adapter protocol 1, with nothing but the standard library: copy this file.
package adapter

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Target is a library behind the protocol. It does exactly what the library's own consumer does with fetched records,
// and mends nothing: an error refuses, errors.ErrUnsupported tells a gap, and a panic is a crash as it is for users.
type Target struct {
	Hello  map[string]any // protocol 1, name, version, language, formats, codecs, fields, checks_crc, directions, url
	Decode func(data []byte) ([]Record, error)
	Encode func(magic, codec int8, records []Record) ([]byte, error) // only called if the hello declares it

	// Message reads a request (kind 0) or response (1), header and body, and gives it as JSON, or writes it again,
	// whichever the hello declares in apis; else it is not called.
	Message func(kind int8, api, version int16, data []byte) ([]byte, error)
}

// Record is one record of an answer. A nil key or value is null; fields that are not declared may stay as they are.
type Record struct {
	Offset, Timestamp           int64
	Key, Value                  []byte
	Headers                     [][2][]byte // keys and values
	ProducerID                  int64
	ProducerEpoch               int16
	Sequence                    int32
	TimestampType, Flags, Codec int8 // 0 create time, 1 log append time; 1 transactional, 2 control; 1 gzip, 2 snappy...
}

// Serve answers requests until the end of input.
func (target Target) Serve() {
	replies := os.Stdout
	os.Stdout = os.Stderr // what a library prints must not stand between replies
	hello, _ := json.Marshal(target.Hello)
	for length := int32(0); binary.Read(os.Stdin, binary.BigEndian, &length) == nil; {
		request := make([]byte, length)
		io.ReadFull(os.Stdin, request)
		reply := append([]byte("H"), hello...)
		if request[0] != 'H' {
			reply = target.block(&wire{in: request})
		}
		replies.Write(new(wire).pass(&reply))
	}
}

func (target Target) block(request *wire) []byte {
	var kind, inputKind, magic, codec, status, messageKind int8
	var api, version int16
	var number, count, length int32
	if request.pass(&kind, &number); kind == 'D' {
		request.pass(&inputKind)
	}
	request.pass(&count)
	reply := &wire{}
	for reply.pass(&kind, &number, &count); count > 0; count-- {
		var records []Record
		var input, output []byte
		var err error
		switch kind {
		case 'D':
			request.pass(&input)
			records, err = target.Decode(input)
			output = new(wire).pass(&records)
		case 'M':
			request.pass(&messageKind, &api, &version, &input)
			output, err = target.Message(messageKind, api, version, input)
		default:
			request.pass(&magic, &codec, &length, &records)
			output, err = target.Encode(magic, codec, records)
		}
		if status = 0; errors.Is(err, errors.ErrUnsupported) {
			status, output = 2, []byte(err.Error())
		} else if err != nil {
			status, output = 1, []byte(err.Error())
		}
		reply.pass(&status, &output)
	}
	return reply.out
}

type wire struct{ in, out []byte }

// pass reads big-endian values if there is something to read, else it writes them: one list of fields for both.
func (w *wire) pass(fields ...any) []byte {
	for _, field := range fields {
		switch field := field.(type) {
		case *[]byte:
			size := int32(len(*field))
			if *field == nil {
				size = -1
			}
			if w.pass(&size); w.in == nil {
				w.out = append(w.out, *field...)
			} else if size >= 0 {
				*field, w.in = w.in[:size:size], w.in[size:]
			}
		case *[][2][]byte:
			list(w, field, func(header *[2][]byte) { w.pass(&header[0], &header[1]) })
		case *[]Record:
			list(w, field, func(r *Record) {
				w.pass(&r.Offset, &r.Timestamp, &r.TimestampType, &r.Key, &r.Value, &r.Headers,
					&r.ProducerID, &r.ProducerEpoch, &r.Sequence, &r.Flags, &r.Codec)
			})
		default:
			if w.in == nil {
				w.out, _ = binary.Append(w.out, binary.BigEndian, field)
			} else if used, err := binary.Decode(w.in, binary.BigEndian, field); err == nil {
				w.in = w.in[used:]
			}
		}
	}
	return w.out
}

func list[T any](w *wire, items *[]T, pass func(*T)) {
	size := int32(len(*items))
	if w.pass(&size); w.in != nil {
		*items = make([]T, size)
	}
	for i := range *items {
		pass(&(*items)[i])
	}
}
