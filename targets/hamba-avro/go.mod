module kafkaconformance/hamba-avro

go 1.26.0

replace kafkaconformance/adapter => ../../adapters/go

replace kafkaconformance/common => ../common/go

require (
	github.com/hamba/avro/v2 v2.31.0
	kafkaconformance/adapter v0.0.0
	kafkaconformance/common v0.0.0-00010101000000-000000000000
)

require (
	github.com/go-viper/mapstructure/v2 v2.4.0 // indirect
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
)
