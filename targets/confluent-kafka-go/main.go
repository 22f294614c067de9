// confluent-kafka-go's reader of what names a schema, behind adapter protocol 1: the step of its deserializers of Avro,
// JSON Schema and Protobuf that comes before a registry is asked.
package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	confluent "github.com/confluentinc/confluent-kafka-go/v2/schemaregistry/serde"
	"github.com/google/uuid"

	"kafkaconformance/adapter/serde"
	"kafkaconformance/common"
)

func read(question serde.Question) (serde.Answer, error) {
	if question.Data == nil {
		return nil, fmt.Errorf("%w: its deserializers return null before they look for a schema", errors.ErrUnsupported)
	}
	schema := confluent.SchemaID{SchemaType: "AVRO"}
	if strings.HasSuffix(question.Content, "protobuf") {
		schema.SchemaType = "PROTOBUF"
	}
	var headers []kafka.Header
	for _, header := range question.Headers {
		headers = append(headers, kafka.Header{Key: header.Key, Value: header.Value})
	}
	size, err := confluent.DualSchemaIDDeserializer("topic", confluent.ValueSerde, headers, question.Data, &schema)
	if err != nil {
		return nil, err
	}
	answer := serde.Answer{"schema_id": schema.ID, "indexes": schema.MessageIndexes, "guid": nil}
	if schema.GUID != uuid.Nil {
		answer["guid"] = hex.EncodeToString(schema.GUID[:])
	}
	answer["payload"] = hex.EncodeToString(question.Data[size:])
	return answer, nil
}

func main() {
	parts := []string{"schema_id", "guid", "payload"}
	serdes := map[string][]string{}
	for _, content := range []string{"confluent", "confluent-guid", "confluent-header"} {
		serdes[content] = parts
		serdes[content+"-protobuf"] = append(parts, "indexes")
	}
	serde.Serve("confluent-kafka-go", common.VersionOf("github.com/confluentinc/confluent-kafka-go/v2"), serdes, read)
}
