// kafka-go: what its package protocol gives of a request or response. Arguments: which of both, API, version, a file.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/segmentio/kafka-go/protocol"
	_ "github.com/segmentio/kafka-go/protocol/describeacls"
)

func main() {
	api, _ := strconv.Atoi(os.Args[2])
	version, _ := strconv.Atoi(os.Args[3])
	data, _ := os.ReadFile(os.Args[4])
	frame := bytes.NewReader(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	if os.Args[1] == "request" {
		_, _, _, message, err := protocol.ReadRequest(frame)
		tell(message, err)
	} else {
		_, message, err := protocol.ReadResponse(frame, protocol.ApiKey(api), int16(version))
		tell(message, err)
	}
}

func tell(message any, err error) {
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	text, _ := json.Marshal(message)
	fmt.Println(string(text))
}
