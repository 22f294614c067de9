// Package orders reads what a producer is asked to write, and says what came of it.
package orders

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
)

// Record is one record to send; a nil text is null.
type Record struct {
	Key, Value *string
	Headers    [][2]*string
	Timestamp  int64
}

// Order is one topic to write.
type Order struct {
	Name, Topic, Codec        string
	Level, Acks               *int
	Idempotent, Transactional bool
	Records                   []Record
}

// Bytes gives a text as bytes; nil for null.
func Bytes(text *string) []byte {
	if text == nil {
		return nil
	}
	return []byte(*text)
}

// Each has write do every order of standard input, and prints a line of JSON for each, with the version of the module.
func Each(module string, write func(address string, order Order) error) { EachOf(version(module), write) }

// EachOf does the same for a library that says its version itself.
func EachOf(version string, write func(address string, order Order) error) {
	var all []Order
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	for _, order := range all {
		failures := []string{}
		if err := write(os.Args[1], order); err != nil {
			failures = append(failures, err.Error())
		}
		line, _ := json.Marshal(map[string]any{"order": order.Name, "version": version, "failures": failures})
		fmt.Println(string(line))
	}
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return module[len("github.com/"):] + " " + dependency.Version
		}
	}
	return module
}
