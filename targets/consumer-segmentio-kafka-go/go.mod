module kafkaconformance/consumer-segmentio-kafka-go

go 1.25

require (
	github.com/segmentio/kafka-go v0.4.51
	kafkaconformance/common v0.0.0
)

require (
	github.com/klauspost/compress v1.15.9 // indirect
	github.com/pierrec/lz4/v4 v4.1.15 // indirect
	kafkaconformance/adapter v0.0.0 // indirect
)

replace kafkaconformance/adapter => ../../adapters/go

replace kafkaconformance/common => ../common/go
