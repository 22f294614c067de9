// Puts the golden vectors to a decoder: `kafka-conformance vectors --export out`, then `go run loader.go out`.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

// decode is yours: it returns what "answer" has, or an error to refuse. Only the format tells v07 from the rest.
func decode(data []byte, format string) (any, error) { return nil, fmt.Errorf("your decoder") }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	folder, vectors := os.Args[1]+"/", struct{ Vectors []map[string]any }{}
	must(0, json.Unmarshal(must(os.ReadFile(folder+"manifest.json")), &vectors))
	for _, verdict := range []string{"invalid", "lenient", "valid"} {
		seen, size, passed, vector := 0, 0, 0, map[string]any{}
		for _, row := range vectors.Vectors {
			if row["verdict"] == verdict && row["direction"] == "decode" {
				data := must(os.ReadFile(folder + row["bin"].(string)))
				must(0, json.Unmarshal(must(os.ReadFile(folder+row["json"].(string))), &vector))
				seen, size = seen+1, size+len(data)
				records, err := decode(data, row["format"].(string)) // lenient ones may be refused, invalid ones must be
				if err == nil && verdict != "invalid" && reflect.DeepEqual(records, vector["answer"]) || err != nil && verdict != "valid" {
					passed++
				}
			}
		}
		fmt.Printf("%s: %d vectors, %d bytes, %d passed\n", verdict, seen, size, passed)
	}
}
