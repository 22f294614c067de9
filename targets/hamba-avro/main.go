// The decoder of hamba/avro for Confluent's framing, behind adapter protocol 1. Its client asks no registry: every
// request is answered inside this process with the one schema of the question.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/hamba/avro/v2/registry"

	"kafkaconformance/adapter/serde"
	"kafkaconformance/common"
)

type oneSchema struct {
	schema string
	asked  int64
}

// RoundTrip answers GET /schemas/ids/N.
func (one *oneSchema) RoundTrip(request *http.Request) (*http.Response, error) {
	one.asked, _ = strconv.ParseInt(path.Base(request.URL.Path), 10, 64)
	body, _ := json.Marshal(map[string]string{"schema": one.schema})
	header := http.Header{"Content-Type": []string{"application/json"}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(string(body)))}, nil
}

func read(question serde.Question) (serde.Answer, error) {
	if question.Data == nil {
		return nil, fmt.Errorf("%w: null is for the caller", errors.ErrUnsupported)
	}
	one := &oneSchema{schema: question.Schema}
	client, err := registry.NewClient("http://registry", registry.WithHTTPClient(&http.Client{Transport: one}))
	if err != nil {
		return nil, err
	}
	var value any
	if err := registry.NewDecoder(client).Decode(context.Background(), question.Data, &value); err != nil {
		return nil, err
	}
	return serde.Answer{"schema_id": one.asked, "value": value}, nil
}

func main() {
	serdes := map[string][]string{"confluent": {"schema_id", "value"}}
	serde.Serve("hamba/avro", common.VersionOf("github.com/hamba/avro/v2"), serdes, read)
}
