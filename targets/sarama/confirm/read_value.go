// Sarama: what it gives of what a member of a group tells. Arguments: the kind of content, headers, a file.
package main

import (
	"fmt"
	"os"

	"github.com/IBM/sarama"
)

func main() {
	data, err := os.ReadFile(os.Args[3])
	if err != nil {
		panic(err)
	}
	if os.Args[1] == "consumer-protocol-assignment" {
		read, err := (&sarama.GroupMemberDescription{MemberAssignment: data}).GetMemberAssignment()
		if err != nil {
			fmt.Println("error:", err)
			return
		}
		fmt.Printf("topics=%d\n", len(read.Topics))
		return
	}
	read, err := (&sarama.GroupMemberDescription{MemberMetadata: data}).GetMemberMetadata()
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Printf("version=%d topics=%q owned=%d\n", read.Version, read.Topics, len(read.OwnedPartitions))
}
