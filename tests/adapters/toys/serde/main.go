package main

import (
	"encoding/hex"
	"errors"
	"fmt"

	"toy/serde"
)

func read(question serde.Question) (serde.Answer, error) {
	if question.Content == "string" {
		return nil, fmt.Errorf("no such thing: %w", errors.ErrUnsupported)
	}
	if question.Content == "void" {
		last, said := question.Headers[len(question.Headers)-1], "-"
		if last.Value != nil {
			said = hex.EncodeToString(last.Value)
		}
		return serde.Answer{"value": fmt.Sprintf("%x:%s:%x", last.Key, said, question.Schema)}, nil
	}
	if len(question.Data) == 0 {
		return nil, errors.New("not so")
	}
	return serde.Answer{"schema_id": len(question.Headers), "payload": hex.EncodeToString(question.Data)}, nil
}

func main() {
	value := []string{"value"}
	serde.Serve("toy", "1", map[string][]string{"confluent": {"schema_id", "payload"}, "void": value, "string": value}, read)
}
