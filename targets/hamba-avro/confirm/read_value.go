// hamba/avro: what `registry.Decoder.Decode` gives of a value whose schema is "null", with a registry in this program.
// Arguments: the kind of content, headers (unused), a file.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/hamba/avro/v2/registry"
)

type one struct{}

func (one) RoundTrip(*http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": []string{"application/json"}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(`{"schema": "\"null\""}`))}, nil
}

func main() {
	data, _ := os.ReadFile(os.Args[3])
	client, _ := registry.NewClient("http://registry", registry.WithHTTPClient(&http.Client{Transport: one{}}))
	var value any
	if err := registry.NewDecoder(client).Decode(context.Background(), data, &value); err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Println(value)
}
