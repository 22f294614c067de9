// franz-go: what `sr.ConfluentHeader` gives of a value. Arguments: the kind of content, headers (unused), a file.
package main

import (
	"fmt"
	"os"

	"github.com/twmb/franz-go/pkg/sr"
)

func main() {
	data, _ := os.ReadFile(os.Args[3])
	id, rest, err := new(sr.ConfluentHeader).DecodeID(data)
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	index, payload, err := new(sr.ConfluentHeader).DecodeIndex(rest, 1000)
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Printf("id=%d indexes=%v payload=%x\n", id, index, payload)
}
