module kafkaconformance/confluent-kafka-go

go 1.26.0

replace kafkaconformance/adapter => ../../adapters/go

replace kafkaconformance/common => ../common/go

require (
	github.com/confluentinc/confluent-kafka-go/v2 v2.11.1
	github.com/google/uuid v1.6.0
	kafkaconformance/adapter v0.0.0
	kafkaconformance/common v0.0.0-00010101000000-000000000000
)

require (
	github.com/golang/protobuf v1.5.4 // indirect
	golang.org/x/oauth2 v0.18.0 // indirect
	google.golang.org/appengine v1.6.8 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
)
