// kmsg: what its types give of a value. Arguments: the kind of content, headers, a file.
package main

import (
	"fmt"
	"os"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func main() {
	data, err := os.ReadFile(os.Args[3])
	if err != nil {
		panic(err)
	}
	switch os.Args[1] {
	case "connect-worker-assignment":
		var read kmsg.ConnectMemberAssignment
		if err = read.ReadFrom(data); err == nil {
			fmt.Printf("error=%d leader=%q url=%q offset=%d assignment=%+v revoked=%+v\n", read.Error, read.Leader,
				read.LeaderURL, read.ConfigOffset, read.Assignment, read.Revoked)
		}
	case "consumer-protocol-subscription":
		var read kmsg.ConsumerMemberMetadata
		if err = read.ReadFrom(data); err == nil {
			fmt.Printf("topics=%v\n", read.Topics)
		}
	}
	if err != nil {
		fmt.Println("error:", err)
	}
}
