// versions writes to a file the highest version of each request that this release of sarama calls valid, as JSON. That is
// isValidVersion of its types, which is private and which nothing of the library calls; so it is read from its source.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"

	"github.com/IBM/sarama"
)

var said = regexp.MustCompile(`\*(\w+Request)\) isValidVersion\(\) bool \{\s+return (?:\w+\.Version >= 0 && )?\w+\.Version (?:<=|==) (\d+)\n`)

func main() {
	start := reflect.ValueOf(sarama.NewConfig).Pointer()
	file, _ := runtime.FuncForPC(start).FileLine(start) // where the source is
	sources, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*_request.go"))
	if err != nil {
		log.Fatal(err)
	}
	highest := map[string]int{}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			log.Fatal(err)
		}
		for _, found := range said.FindAllSubmatch(text, -1) {
			if highest[string(found[1])], err = strconv.Atoi(string(found[2])); err != nil {
				log.Fatal(err)
			}
		}
	}
	text, err := json.Marshal(highest)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], text, 0o644); err != nil {
		log.Fatal(err)
	}
}
