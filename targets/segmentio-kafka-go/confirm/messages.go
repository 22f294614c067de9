// kafka-go: what its package protocol gives of a request or response, and what it writes of it again.
// Arguments: which of both, API, version, a file.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/segmentio/kafka-go/protocol"
	_ "github.com/segmentio/kafka-go/protocol/createtopics"
	_ "github.com/segmentio/kafka-go/protocol/describeacls"
	_ "github.com/segmentio/kafka-go/protocol/saslauthenticate"
	_ "github.com/segmentio/kafka-go/protocol/syncgroup"
	_ "github.com/segmentio/kafka-go/protocol/txnoffsetcommit"
)

func main() {
	api, _ := strconv.Atoi(os.Args[2])
	version, _ := strconv.Atoi(os.Args[3])
	data, _ := os.ReadFile(os.Args[4])
	frame := bytes.NewReader(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	if os.Args[1] == "request" {
		number, correlation, client, message, err := protocol.ReadRequest(frame)
		tell(message, err, func(out *bytes.Buffer) error {
			return protocol.WriteRequest(out, number, correlation, client, message)
		})
	} else {
		correlation, message, err := protocol.ReadResponse(frame, protocol.ApiKey(api), int16(version))
		tell(message, err, func(out *bytes.Buffer) error {
			return protocol.WriteResponse(out, int16(version), correlation, message)
		})
	}
}

func tell(message any, err error, write func(*bytes.Buffer) error) {
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	text, _ := json.Marshal(message)
	fmt.Println(string(text))
	var again bytes.Buffer
	if err := write(&again); err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Printf("again: %x\n", again.Bytes()[4:])
}
