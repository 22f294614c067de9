// confluent-kafka-go: what `protobuf.Deserialize`'s first step, and that of Avro and JSON Schema, gives of a value.
// Arguments: the kind of content, headers as name=hex with commas between them, a file.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/confluentinc/confluent-kafka-go/v2/schemaregistry/serde"
)

func main() {
	schema := serde.SchemaID{SchemaType: "AVRO"}
	if strings.HasSuffix(os.Args[1], "protobuf") {
		schema.SchemaType = "PROTOBUF"
	}
	var headers []kafka.Header
	for _, header := range strings.Split(os.Args[2], ",") {
		if name, value, found := strings.Cut(header, "="); found {
			data, _ := hex.DecodeString(value)
			headers = append(headers, kafka.Header{Key: name, Value: data})
		}
	}
	data, _ := os.ReadFile(os.Args[3])
	size, err := serde.DualSchemaIDDeserializer("topic", serde.ValueSerde, headers, data, &schema)
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Printf("id=%d guid=%s indexes=%v payload=%x\n", schema.ID, schema.GUID, schema.MessageIndexes, data[size:])
}
