// kmsg: what its types give of a request or response. Arguments: which of both, API, version, a file.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func main() {
	api, _ := strconv.Atoi(os.Args[2])
	version, _ := strconv.Atoi(os.Args[3])
	data, _ := os.ReadFile(os.Args[4])
	request, response := kmsg.RequestForKey(int16(api)), kmsg.ResponseForKey(int16(api))
	request.SetVersion(int16(version))
	response.SetVersion(int16(version))
	reader := kbin.Reader{Src: data} // the header: kmsg has no types for it
	if os.Args[1] == "request" {
		reader.Span(2 + 2)
		reader.Int32()
		reader.NullableString()
	} else {
		reader.Int32()
	}
	if request.IsFlexible() {
		kmsg.SkipTags(&reader)
	}
	if os.Args[1] == "request" {
		tell(request, request.ReadFrom(reader.Src))
	} else {
		tell(response, response.ReadFrom(reader.Src))
	}
}

func tell(message any, err error) {
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	text, _ := json.Marshal(message)
	fmt.Println(string(text))
}
