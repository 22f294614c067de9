// Puts the protocol's vectors to a codec: `kafka-conformance vectors --protocol --export out`, `go run protocol.go out`.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

type vector struct {
	Kind, Message, Verdict, Hex string
	Versions                    []int16
	Value                       any
}

// decode is yours: it returns what "value" has, or an error to refuse.
func decode(data []byte, kind, message string, version int16) (any, error) { return nil, fmt.Errorf("your codec") }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	folder, seen, passed := os.Args[1]+"/", map[string]int{}, map[string]int{}
	files := must(os.ReadDir(folder + "protocol"))
	for _, file := range files {
		for _, line := range bytes.Split(bytes.TrimSpace(must(os.ReadFile(folder+"protocol/"+file.Name()))), []byte("\n")) {
			var v vector
			must(0, json.Unmarshal(line, &v))
			for _, version := range v.Versions {
				value, err := decode(must(hex.DecodeString(v.Hex)), v.Kind, v.Message, version)
				seen[v.Verdict]++ // lenient ones may be refused, invalid ones must be
				if err == nil && v.Verdict != "invalid" && reflect.DeepEqual(value, v.Value) || err != nil && v.Verdict != "valid" {
					passed[v.Verdict]++
				}
			}
		}
	}
	for _, verdict := range []string{"invalid", "lenient", "valid"} {
		fmt.Printf("%s: %d messages, %d passed\n", verdict, seen[verdict], passed[verdict])
	}
}
