// Package serde serves a reader of keys and values over adapter protocol 1, with the standard library alone: copy this
// file. A frame is an int32 length and that many bytes, of which the first is the kind: `H` is answered with the hello,
// `F` brings a block of questions as JSON.
package serde

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Question is a value to be read. A nil Data is null; of the headers the last of a name counts. Schema is that of the
// payload, in Avro, for readers that do not give the payload itself.
type Question struct {
	Content string
	Data    []byte
	Headers []Header
	Schema  string
}

// Header is a header of the record; a nil value is null.
type Header struct {
	Key   string
	Value []byte
}

// Answer has parts by name: schema_id, guid (hex), indexes, payload (hex), value.
type Answer map[string]any

// Serve answers requests until the end of input. serdes has for each kind of content that is read the parts that answers
// have. An error refuses a value, errors.ErrUnsupported tells a gap, and a panic is a crash as it is for users.
func Serve(name, version string, serdes map[string][]string, read func(Question) (Answer, error)) {
	replies := os.Stdout
	os.Stdout = os.Stderr // what a library prints must not stand between replies
	hello, _ := json.Marshal(map[string]any{"protocol": 1, "name": name, "version": version, "language": "Go",
		"serdes": serdes, "formats": []string{}, "codecs": []string{}, "fields": []string{}, "directions": []string{},
		"checks_crc": true})
	for {
		request, err := frame(os.Stdin)
		if err != nil {
			return
		}
		reply := append([]byte("H"), hello...)
		if request[0] != 'H' {
			reply = block(request, read)
		}
		replies.Write(sized(nil, reply))
	}
}

func block(request []byte, read func(Question) (Answer, error)) []byte {
	reply := bytes.Clone(request[:9]) // the kind, the number of the block, and how many questions it has
	for inputs := bytes.NewReader(request[9:]); ; {
		input, err := frame(inputs)
		if err != nil {
			return reply
		}
		status, content := result(input, read)
		reply = sized(append(reply, status), content)
	}
}

func result(input []byte, read func(Question) (Answer, error)) (byte, []byte) {
	answer, err := read(question(input))
	if errors.Is(err, errors.ErrUnsupported) {
		return 2, []byte(err.Error())
	}
	if err != nil {
		return 1, []byte(err.Error())
	}
	content, _ := json.Marshal(answer)
	return 0, content
}

func question(input []byte) Question {
	var asked struct {
		Content string
		Data    *string
		Headers [][2]*string
		Schema  string
	}
	json.Unmarshal(input, &asked)
	found := Question{Content: asked.Content, Data: octets(asked.Data), Schema: asked.Schema}
	for _, header := range asked.Headers {
		found.Headers = append(found.Headers, Header{*header[0], octets(header[1])})
	}
	return found
}

func octets(text *string) []byte {
	if text == nil {
		return nil
	}
	data, _ := hex.DecodeString(*text)
	return data
}

func frame(from io.Reader) ([]byte, error) {
	var size int32
	if err := binary.Read(from, binary.BigEndian, &size); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	_, err := io.ReadFull(from, data)
	return data, err
}

func sized(to, data []byte) []byte {
	return append(binary.BigEndian.AppendUint32(to, uint32(len(data))), data...)
}
