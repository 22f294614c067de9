// franz-go's reader of Confluent's framing behind adapter protocol 1.
package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/sr"

	"kafkaconformance/adapter/serde"
	"kafkaconformance/common"
)

// The most indexes that are wanted; what users of the library choose.
const most = 1000

func read(question serde.Question) (serde.Answer, error) {
	if question.Data == nil {
		return nil, fmt.Errorf("%w: null is for the caller", errors.ErrUnsupported)
	}
	var header sr.ConfluentHeader
	id, payload, err := header.DecodeID(question.Data)
	if err != nil {
		return nil, err
	}
	answer := serde.Answer{"schema_id": id}
	if strings.HasSuffix(question.Content, "protobuf") {
		if answer["indexes"], payload, err = header.DecodeIndex(payload, most); err != nil {
			return nil, err
		}
	}
	answer["payload"] = hex.EncodeToString(payload)
	return answer, nil
}

func main() {
	serdes := map[string][]string{
		"confluent":          {"schema_id", "payload"},
		"confluent-protobuf": {"schema_id", "indexes", "payload"},
	}
	serde.Serve("franz-go", common.VersionOf("github.com/twmb/franz-go/pkg/sr"), serdes, read)
}
