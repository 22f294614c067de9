# Made from spec/layouts by generate.py.
from typing import Any, Literal, overload

from kafka_format import values
from kafka_format.codec.compiler import Structure
from kafka_format.protocol import values as versioned

@overload
def structure(name: Literal["header"]) -> Structure[values.Header]: ...

@overload
def structure(name: Literal["record"]) -> Structure[values.Record]: ...

@overload
def structure(name: Literal["record_batch"]) -> Structure[values.RecordBatch]: ...

@overload
def structure(name: Literal["gzip_header"]) -> Structure[values.GzipHeader]: ...

@overload
def structure(name: Literal["gzip_trailer"]) -> Structure[values.GzipTrailer]: ...

@overload
def structure(name: Literal["lz4_block_header"]) -> Structure[values.Lz4BlockHeader]: ...

@overload
def structure(name: Literal["lz4_frame_header"]) -> Structure[values.Lz4FrameHeader]: ...

@overload
def structure(name: Literal["xerial_chunk"]) -> Structure[values.XerialChunk]: ...

@overload
def structure(name: Literal["xerial_header"]) -> Structure[values.XerialHeader]: ...

@overload
def structure(name: Literal["zstd_frame_header"]) -> Structure[values.ZstdFrameHeader]: ...

@overload
def structure(name: Literal["aggregate_with_headers"]) -> Structure[values.AggregateWithHeaders]: ...

@overload
def structure(name: Literal["apicurio_long_id"]) -> Structure[values.ApicurioLongId]: ...

@overload
def structure(name: Literal["changed_values"]) -> Structure[values.ChangedValues]: ...

@overload
def structure(name: Literal["confluent_guid"]) -> Structure[values.ConfluentGuid]: ...

@overload
def structure(name: Literal["confluent_id"]) -> Structure[values.ConfluentId]: ...

@overload
def structure(name: Literal["foreign_key_response"]) -> Structure[values.ForeignKeyResponse]: ...

@overload
def structure(name: Literal["foreign_key_store_key"]) -> Structure[values.ForeignKeyStoreKey]: ...

@overload
def structure(name: Literal["foreign_key_subscription"]) -> Structure[values.ForeignKeySubscription]: ...

@overload
def structure(name: Literal["glue_header"]) -> Structure[values.GlueHeader]: ...

@overload
def structure(name: Literal["join_key"]) -> Structure[values.JoinKey]: ...

@overload
def structure(name: Literal["join_value"]) -> Structure[values.JoinValue]: ...

@overload
def structure(name: Literal["key_first_key"]) -> Structure[values.KeyFirstKey]: ...

@overload
def structure(name: Literal["list_of_fixed"]) -> Structure[values.ListOfFixed]: ...

@overload
def structure(name: Literal["list_of_others"]) -> Structure[values.ListOfOthers]: ...

@overload
def structure(name: Literal["message_indexes"]) -> Structure[values.MessageIndexes]: ...

@overload
def structure(name: Literal["position"]) -> Structure[values.Position]: ...

@overload
def structure(name: Literal["position_partition"]) -> Structure[values.PositionPartition]: ...

@overload
def structure(name: Literal["position_topic"]) -> Structure[values.PositionTopic]: ...

@overload
def structure(name: Literal["session_times"]) -> Structure[values.SessionTimes]: ...

@overload
def structure(name: Literal["store_header"]) -> Structure[values.StoreHeader]: ...

@overload
def structure(name: Literal["store_headers"]) -> Structure[values.StoreHeaders]: ...

@overload
def structure(name: Literal["store_window_times"]) -> Structure[values.StoreWindowTimes]: ...

@overload
def structure(name: Literal["suppressed_change"]) -> Structure[values.SuppressedChange]: ...

@overload
def structure(name: Literal["suppressed_context"]) -> Structure[values.SuppressedContext]: ...

@overload
def structure(name: Literal["suppressed_header"]) -> Structure[values.SuppressedHeader]: ...

@overload
def structure(name: Literal["suppressed_pair"]) -> Structure[values.SuppressedPair]: ...

@overload
def structure(name: Literal["suppressed_value"]) -> Structure[values.SuppressedValue]: ...

@overload
def structure(name: Literal["suppressed_value_0"]) -> Structure[values.SuppressedValue0]: ...

@overload
def structure(name: Literal["suppressed_value_1"]) -> Structure[values.SuppressedValue1]: ...

@overload
def structure(name: Literal["suppressed_value_2"]) -> Structure[values.SuppressedValue2]: ...

@overload
def structure(name: Literal["time_first_session_key"]) -> Structure[values.TimeFirstSessionKey]: ...

@overload
def structure(name: Literal["time_first_window_key"]) -> Structure[values.TimeFirstWindowKey]: ...

@overload
def structure(name: Literal["timestamped_value"]) -> Structure[values.TimestampedValue]: ...

@overload
def structure(name: Literal["value_with_headers"]) -> Structure[values.ValueWithHeaders]: ...

@overload
def structure(name: Literal["versioned_segment"]) -> Structure[values.VersionedSegment]: ...

@overload
def structure(name: Literal["versioned_segment_entry"]) -> Structure[values.VersionedSegmentEntry]: ...

@overload
def structure(name: Literal["window_times"]) -> Structure[values.WindowTimes]: ...

@overload
def structure(name: Literal["windowed_key"]) -> Structure[values.WindowedKey]: ...

@overload
def structure(name: Literal["control_record_key"]) -> Structure[values.ControlRecordKey]: ...

@overload
def structure(name: Literal["end_txn_marker"]) -> Structure[values.EndTxnMarker]: ...

@overload
def structure(name: Literal["kraft_version"]) -> Structure[values.KraftVersion]: ...

@overload
def structure(name: Literal["kraft_version_feature"]) -> Structure[values.KraftVersionFeature]: ...

@overload
def structure(name: Literal["kraft_voter"]) -> Structure[values.KraftVoter]: ...

@overload
def structure(name: Literal["kraft_voter_endpoint"]) -> Structure[values.KraftVoterEndpoint]: ...

@overload
def structure(name: Literal["kraft_voters"]) -> Structure[values.KraftVoters]: ...

@overload
def structure(name: Literal["leader_change_v0"]) -> Structure[values.LeaderChangeV0]: ...

@overload
def structure(name: Literal["leader_change_v1"]) -> Structure[values.LeaderChangeV1]: ...

@overload
def structure(name: Literal["leader_change_voter_v0"]) -> Structure[values.LeaderChangeVoterV0]: ...

@overload
def structure(name: Literal["leader_change_voter_v1"]) -> Structure[values.LeaderChangeVoterV1]: ...

@overload
def structure(name: Literal["snapshot_footer"]) -> Structure[values.SnapshotFooter]: ...

@overload
def structure(name: Literal["snapshot_header"]) -> Structure[values.SnapshotHeader]: ...

@overload
def structure(name: Literal["metadata_record_frame"]) -> Structure[values.MetadataRecordFrame]: ...

@overload
def structure(name: Literal["protocol_frame"]) -> Structure[values.ProtocolFrame]: ...

@overload
def structure(name: Literal["record_number"]) -> Structure[values.RecordNumber]: ...

@overload
def structure(name: Literal["schema_version"]) -> Structure[values.SchemaVersion]: ...

@overload
def structure(name: Literal["offset_index_entry"]) -> Structure[values.OffsetIndexEntry]: ...

@overload
def structure(name: Literal["producer_snapshot_file"]) -> Structure[values.ProducerSnapshotFile]: ...

@overload
def structure(name: Literal["producer_state"]) -> Structure[values.ProducerState]: ...

@overload
def structure(name: Literal["remote_log_snapshot_header"]) -> Structure[values.RemoteLogSnapshotHeader]: ...

@overload
def structure(name: Literal["time_index_entry"]) -> Structure[values.TimeIndexEntry]: ...

@overload
def structure(name: Literal["transaction_index_entry"]) -> Structure[values.TransactionIndexEntry]: ...

@overload
def structure(name: Literal["message_set_entry"]) -> Structure[values.MessageSetEntry]: ...

@overload
def structure(name: Literal["message_v0"]) -> Structure[values.MessageV0]: ...

@overload
def structure(name: Literal["message_v1"]) -> Structure[values.MessageV1]: ...

@overload
def structure(name: Literal["v07_entry"]) -> Structure[values.V07Entry]: ...

@overload
def structure(name: Literal["v07_message_0"]) -> Structure[values.V07Message0]: ...

@overload
def structure(name: Literal["v07_message_1"]) -> Structure[values.V07Message1]: ...

@overload
def structure(name: Literal["tagged_field"]) -> Structure[values.TaggedField]: ...

@overload
def structure(name: Literal["tagged_fields"]) -> Structure[values.TaggedFields]: ...

@overload
def structure(name: Literal["v07_request_frame"]) -> Structure[values.V07RequestFrame]: ...

@overload
def structure(name: Literal["v07_response_frame"]) -> Structure[values.V07ResponseFrame]: ...

@overload
def structure(name: Literal["answer"]) -> Structure[values.Answer]: ...

@overload
def structure(name: Literal["answer_header"]) -> Structure[values.AnswerHeader]: ...

@overload
def structure(name: Literal["answer_record"]) -> Structure[values.AnswerRecord]: ...

@overload
def structure(name: Literal["answered"]) -> Structure[values.Answered]: ...

@overload
def structure(name: Literal["block_reply"]) -> Structure[values.BlockReply]: ...

@overload
def structure(name: Literal["block_result"]) -> Structure[values.BlockResult]: ...

@overload
def structure(name: Literal["child_ended"]) -> Structure[values.ChildEnded]: ...

@overload
def structure(name: Literal["decode_request"]) -> Structure[values.DecodeRequest]: ...

@overload
def structure(name: Literal["encode_input"]) -> Structure[values.EncodeInput]: ...

@overload
def structure(name: Literal["encode_request"]) -> Structure[values.EncodeRequest]: ...

@overload
def structure(name: Literal["frame"]) -> Structure[values.Frame]: ...

@overload
def structure(name: Literal["hello"]) -> Structure[values.Hello]: ...

@overload
def structure(name: Literal["isolation_page"]) -> Structure[values.IsolationPage]: ...

@overload
def structure(name: Literal["json_request"]) -> Structure[values.JsonRequest]: ...

@overload
def structure(name: Literal["message_input"]) -> Structure[values.MessageInput]: ...

@overload
def structure(name: Literal["message_request"]) -> Structure[values.MessageRequest]: ...

@overload
def structure(name: Literal["partial_answer"]) -> Structure[values.PartialAnswer]: ...

@overload
def structure(name: Literal["schema_record"]) -> Structure[values.SchemaRecord]: ...

@overload
def structure(name: Literal["aborted_transaction"]) -> Structure[values.AbortedTransaction]: ...

@overload
def structure(name: Literal["assign_input"]) -> Structure[values.AssignInput]: ...

@overload
def structure(name: Literal["assign_request"]) -> Structure[values.AssignRequest]: ...

@overload
def structure(name: Literal["assigned"]) -> Structure[values.Assigned]: ...

@overload
def structure(name: Literal["convert_input"]) -> Structure[values.ConvertInput]: ...

@overload
def structure(name: Literal["convert_request"]) -> Structure[values.ConvertRequest]: ...

@overload
def structure(name: Literal["deliver_input"]) -> Structure[values.DeliverInput]: ...

@overload
def structure(name: Literal["deliver_request"]) -> Structure[values.DeliverRequest]: ...

@overload
def structure(name: Literal["delivery"]) -> Structure[values.Delivery]: ...

@overload
def structure(name: str) -> Structure[Any]: ...

@overload
def structure(
    name: Literal["alter_replica_log_dirs_request"], version: int
) -> Structure[versioned.AlterReplicaLogDirsRequest]: ...

@overload
def structure(
    name: Literal["alter_replica_log_dirs_response"], version: int
) -> Structure[versioned.AlterReplicaLogDirsResponse]: ...

@overload
def structure(
    name: Literal["api_versions_request"], version: int
) -> Structure[versioned.ApiVersionsRequest]: ...

@overload
def structure(
    name: Literal["api_versions_response"], version: int
) -> Structure[versioned.ApiVersionsResponse]: ...

@overload
def structure(
    name: Literal["describe_cluster_request"], version: int
) -> Structure[versioned.DescribeClusterRequest]: ...

@overload
def structure(
    name: Literal["describe_cluster_response"], version: int
) -> Structure[versioned.DescribeClusterResponse]: ...

@overload
def structure(
    name: Literal["describe_log_dirs_request"], version: int
) -> Structure[versioned.DescribeLogDirsRequest]: ...

@overload
def structure(
    name: Literal["describe_log_dirs_response"], version: int
) -> Structure[versioned.DescribeLogDirsResponse]: ...

@overload
def structure(
    name: Literal["describe_topic_partitions_request"], version: int
) -> Structure[versioned.DescribeTopicPartitionsRequest]: ...

@overload
def structure(
    name: Literal["describe_topic_partitions_response"], version: int
) -> Structure[versioned.DescribeTopicPartitionsResponse]: ...

@overload
def structure(
    name: Literal["metadata_request"], version: int
) -> Structure[versioned.MetadataRequest]: ...

@overload
def structure(
    name: Literal["metadata_response"], version: int
) -> Structure[versioned.MetadataResponse]: ...

@overload
def structure(
    name: Literal["unregister_broker_request"], version: int
) -> Structure[versioned.UnregisterBrokerRequest]: ...

@overload
def structure(
    name: Literal["unregister_broker_response"], version: int
) -> Structure[versioned.UnregisterBrokerResponse]: ...

@overload
def structure(
    name: Literal["unregister_controller_request"], version: int
) -> Structure[versioned.UnregisterControllerRequest]: ...

@overload
def structure(
    name: Literal["unregister_controller_response"], version: int
) -> Structure[versioned.UnregisterControllerResponse]: ...

@overload
def structure(
    name: Literal["update_features_request"], version: int
) -> Structure[versioned.UpdateFeaturesRequest]: ...

@overload
def structure(
    name: Literal["update_features_response"], version: int
) -> Structure[versioned.UpdateFeaturesResponse]: ...

@overload
def structure(
    name: Literal["alter_client_quotas_request"], version: int
) -> Structure[versioned.AlterClientQuotasRequest]: ...

@overload
def structure(
    name: Literal["alter_client_quotas_response"], version: int
) -> Structure[versioned.AlterClientQuotasResponse]: ...

@overload
def structure(
    name: Literal["alter_configs_request"], version: int
) -> Structure[versioned.AlterConfigsRequest]: ...

@overload
def structure(
    name: Literal["alter_configs_response"], version: int
) -> Structure[versioned.AlterConfigsResponse]: ...

@overload
def structure(
    name: Literal["describe_client_quotas_request"], version: int
) -> Structure[versioned.DescribeClientQuotasRequest]: ...

@overload
def structure(
    name: Literal["describe_client_quotas_response"], version: int
) -> Structure[versioned.DescribeClientQuotasResponse]: ...

@overload
def structure(
    name: Literal["describe_configs_request"], version: int
) -> Structure[versioned.DescribeConfigsRequest]: ...

@overload
def structure(
    name: Literal["describe_configs_response"], version: int
) -> Structure[versioned.DescribeConfigsResponse]: ...

@overload
def structure(
    name: Literal["get_telemetry_subscriptions_request"], version: int
) -> Structure[versioned.GetTelemetrySubscriptionsRequest]: ...

@overload
def structure(
    name: Literal["get_telemetry_subscriptions_response"], version: int
) -> Structure[versioned.GetTelemetrySubscriptionsResponse]: ...

@overload
def structure(
    name: Literal["incremental_alter_configs_request"], version: int
) -> Structure[versioned.IncrementalAlterConfigsRequest]: ...

@overload
def structure(
    name: Literal["incremental_alter_configs_response"], version: int
) -> Structure[versioned.IncrementalAlterConfigsResponse]: ...

@overload
def structure(
    name: Literal["list_config_resources_request"], version: int
) -> Structure[versioned.ListConfigResourcesRequest]: ...

@overload
def structure(
    name: Literal["list_config_resources_response"], version: int
) -> Structure[versioned.ListConfigResourcesResponse]: ...

@overload
def structure(
    name: Literal["push_telemetry_request"], version: int
) -> Structure[versioned.PushTelemetryRequest]: ...

@overload
def structure(
    name: Literal["push_telemetry_response"], version: int
) -> Structure[versioned.PushTelemetryResponse]: ...

@overload
def structure(
    name: Literal["assignment_info_data"], version: int
) -> Structure[versioned.AssignmentInfoData]: ...

@overload
def structure(
    name: Literal["connect_worker_assignment"], version: int
) -> Structure[versioned.ConnectWorkerAssignment]: ...

@overload
def structure(
    name: Literal["connect_worker_metadata"], version: int
) -> Structure[versioned.ConnectWorkerMetadata]: ...

@overload
def structure(
    name: Literal["cooperative_sticky_user_data"], version: int
) -> Structure[versioned.CooperativeStickyUserData]: ...

@overload
def structure(
    name: Literal["mirror_checkpoint_key"], version: int
) -> Structure[versioned.MirrorCheckpointKey]: ...

@overload
def structure(
    name: Literal["mirror_checkpoint_value"], version: int
) -> Structure[versioned.MirrorCheckpointValue]: ...

@overload
def structure(
    name: Literal["mirror_heartbeat_key"], version: int
) -> Structure[versioned.MirrorHeartbeatKey]: ...

@overload
def structure(
    name: Literal["mirror_heartbeat_value"], version: int
) -> Structure[versioned.MirrorHeartbeatValue]: ...

@overload
def structure(
    name: Literal["mirror_offset_sync_key"], version: int
) -> Structure[versioned.MirrorOffsetSyncKey]: ...

@overload
def structure(
    name: Literal["mirror_offset_sync_value"], version: int
) -> Structure[versioned.MirrorOffsetSyncValue]: ...

@overload
def structure(
    name: Literal["sticky_user_data"], version: int
) -> Structure[versioned.StickyUserData]: ...

@overload
def structure(
    name: Literal["control_record_type_schema"], version: int
) -> Structure[versioned.ControlRecordTypeSchema]: ...

@overload
def structure(
    name: Literal["kraft_version_record"], version: int
) -> Structure[versioned.KraftVersionRecord]: ...

@overload
def structure(
    name: Literal["leader_change_message"], version: int
) -> Structure[versioned.LeaderChangeMessage]: ...

@overload
def structure(
    name: Literal["leader_change_message_of_2_7"], version: int
) -> Structure[versioned.LeaderChangeMessageOf27]: ...

@overload
def structure(
    name: Literal["leader_change_message_of_2_8"], version: int
) -> Structure[versioned.LeaderChangeMessageOf28]: ...

@overload
def structure(
    name: Literal["snapshot_footer_record"], version: int
) -> Structure[versioned.SnapshotFooterRecord]: ...

@overload
def structure(
    name: Literal["snapshot_header_record"], version: int
) -> Structure[versioned.SnapshotHeaderRecord]: ...

@overload
def structure(
    name: Literal["transaction_marker"], version: int
) -> Structure[versioned.TransactionMarker]: ...

@overload
def structure(
    name: Literal["voters_record"], version: int
) -> Structure[versioned.VotersRecord]: ...

@overload
def structure(
    name: Literal["allocate_producer_ids_request"], version: int
) -> Structure[versioned.AllocateProducerIdsRequest]: ...

@overload
def structure(
    name: Literal["allocate_producer_ids_response"], version: int
) -> Structure[versioned.AllocateProducerIdsResponse]: ...

@overload
def structure(
    name: Literal["alter_partition_request"], version: int
) -> Structure[versioned.AlterPartitionRequest]: ...

@overload
def structure(
    name: Literal["alter_partition_response"], version: int
) -> Structure[versioned.AlterPartitionResponse]: ...

@overload
def structure(
    name: Literal["assign_replicas_to_dirs_request"], version: int
) -> Structure[versioned.AssignReplicasToDirsRequest]: ...

@overload
def structure(
    name: Literal["assign_replicas_to_dirs_response"], version: int
) -> Structure[versioned.AssignReplicasToDirsResponse]: ...

@overload
def structure(
    name: Literal["broker_heartbeat_request"], version: int
) -> Structure[versioned.BrokerHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["broker_heartbeat_response"], version: int
) -> Structure[versioned.BrokerHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["broker_registration_request"], version: int
) -> Structure[versioned.BrokerRegistrationRequest]: ...

@overload
def structure(
    name: Literal["broker_registration_response"], version: int
) -> Structure[versioned.BrokerRegistrationResponse]: ...

@overload
def structure(
    name: Literal["controlled_shutdown_request"], version: int
) -> Structure[versioned.ControlledShutdownRequest]: ...

@overload
def structure(
    name: Literal["controlled_shutdown_response"], version: int
) -> Structure[versioned.ControlledShutdownResponse]: ...

@overload
def structure(
    name: Literal["controller_registration_request"], version: int
) -> Structure[versioned.ControllerRegistrationRequest]: ...

@overload
def structure(
    name: Literal["controller_registration_response"], version: int
) -> Structure[versioned.ControllerRegistrationResponse]: ...

@overload
def structure(
    name: Literal["envelope_request"], version: int
) -> Structure[versioned.EnvelopeRequest]: ...

@overload
def structure(
    name: Literal["envelope_response"], version: int
) -> Structure[versioned.EnvelopeResponse]: ...

@overload
def structure(
    name: Literal["leader_and_isr_request"], version: int
) -> Structure[versioned.LeaderAndIsrRequest]: ...

@overload
def structure(
    name: Literal["leader_and_isr_response"], version: int
) -> Structure[versioned.LeaderAndIsrResponse]: ...

@overload
def structure(
    name: Literal["stop_replica_request"], version: int
) -> Structure[versioned.StopReplicaRequest]: ...

@overload
def structure(
    name: Literal["stop_replica_response"], version: int
) -> Structure[versioned.StopReplicaResponse]: ...

@overload
def structure(
    name: Literal["update_metadata_request"], version: int
) -> Structure[versioned.UpdateMetadataRequest]: ...

@overload
def structure(
    name: Literal["update_metadata_response"], version: int
) -> Structure[versioned.UpdateMetadataResponse]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_key"], version: int
) -> Structure[versioned.ConsumerGroupCurrentMemberAssignmentKey]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_value"], version: int
) -> Structure[versioned.ConsumerGroupCurrentMemberAssignmentValue]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_value_of_3_5"], version: int
) -> Structure[versioned.ConsumerGroupCurrentMemberAssignmentValueOf35]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_value_of_3_7"], version: int
) -> Structure[versioned.ConsumerGroupCurrentMemberAssignmentValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_key"], version: int
) -> Structure[versioned.ConsumerGroupMemberMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_value"], version: int
) -> Structure[versioned.ConsumerGroupMemberMetadataValue]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_value_of_3_5"], version: int
) -> Structure[versioned.ConsumerGroupMemberMetadataValueOf35]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_value_of_3_7"], version: int
) -> Structure[versioned.ConsumerGroupMemberMetadataValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_metadata_key"], version: int
) -> Structure[versioned.ConsumerGroupMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_metadata_value"], version: int
) -> Structure[versioned.ConsumerGroupMetadataValue]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_key"], version: int
) -> Structure[versioned.ConsumerGroupPartitionMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_value"], version: int
) -> Structure[versioned.ConsumerGroupPartitionMetadataValue]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_value_of_3_5"], version: int
) -> Structure[versioned.ConsumerGroupPartitionMetadataValueOf35]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_value_of_3_7"], version: int
) -> Structure[versioned.ConsumerGroupPartitionMetadataValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_regular_expression_key"], version: int
) -> Structure[versioned.ConsumerGroupRegularExpressionKey]: ...

@overload
def structure(
    name: Literal["consumer_group_regular_expression_value"], version: int
) -> Structure[versioned.ConsumerGroupRegularExpressionValue]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_member_key"], version: int
) -> Structure[versioned.ConsumerGroupTargetAssignmentMemberKey]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_member_value"], version: int
) -> Structure[versioned.ConsumerGroupTargetAssignmentMemberValue]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_member_value_of_3_7"], version: int
) -> Structure[versioned.ConsumerGroupTargetAssignmentMemberValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_metadata_key"], version: int
) -> Structure[versioned.ConsumerGroupTargetAssignmentMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_metadata_value"], version: int
) -> Structure[versioned.ConsumerGroupTargetAssignmentMetadataValue]: ...

@overload
def structure(
    name: Literal["group_metadata_key"], version: int
) -> Structure[versioned.GroupMetadataKey]: ...

@overload
def structure(
    name: Literal["group_metadata_value"], version: int
) -> Structure[versioned.GroupMetadataValue]: ...

@overload
def structure(
    name: Literal["legacy_offset_commit_key"], version: int
) -> Structure[versioned.LegacyOffsetCommitKey]: ...

@overload
def structure(
    name: Literal["legacy_offset_commit_value"], version: int
) -> Structure[versioned.LegacyOffsetCommitValue]: ...

@overload
def structure(
    name: Literal["offset_commit_key"], version: int
) -> Structure[versioned.OffsetCommitKey]: ...

@overload
def structure(
    name: Literal["offset_commit_value"], version: int
) -> Structure[versioned.OffsetCommitValue]: ...

@overload
def structure(
    name: Literal["share_group_current_member_assignment_key"], version: int
) -> Structure[versioned.ShareGroupCurrentMemberAssignmentKey]: ...

@overload
def structure(
    name: Literal["share_group_current_member_assignment_value"], version: int
) -> Structure[versioned.ShareGroupCurrentMemberAssignmentValue]: ...

@overload
def structure(
    name: Literal["share_group_member_metadata_key"], version: int
) -> Structure[versioned.ShareGroupMemberMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_member_metadata_value"], version: int
) -> Structure[versioned.ShareGroupMemberMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_metadata_key"], version: int
) -> Structure[versioned.ShareGroupMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_metadata_value"], version: int
) -> Structure[versioned.ShareGroupMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_metadata_value_of_4_0"], version: int
) -> Structure[versioned.ShareGroupMetadataValueOf40]: ...

@overload
def structure(
    name: Literal["share_group_partition_metadata_key"], version: int
) -> Structure[versioned.ShareGroupPartitionMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_partition_metadata_value"], version: int
) -> Structure[versioned.ShareGroupPartitionMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_partition_metadata_value_of_3_9"], version: int
) -> Structure[versioned.ShareGroupPartitionMetadataValueOf39]: ...

@overload
def structure(
    name: Literal["share_group_state_partition_metadata_key"], version: int
) -> Structure[versioned.ShareGroupStatePartitionMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_state_partition_metadata_value"], version: int
) -> Structure[versioned.ShareGroupStatePartitionMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_state_partition_metadata_value_of_4_0"], version: int
) -> Structure[versioned.ShareGroupStatePartitionMetadataValueOf40]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_member_key"], version: int
) -> Structure[versioned.ShareGroupTargetAssignmentMemberKey]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_member_value"], version: int
) -> Structure[versioned.ShareGroupTargetAssignmentMemberValue]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_metadata_key"], version: int
) -> Structure[versioned.ShareGroupTargetAssignmentMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_metadata_value"], version: int
) -> Structure[versioned.ShareGroupTargetAssignmentMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_current_member_assignment_key"], version: int
) -> Structure[versioned.StreamsGroupCurrentMemberAssignmentKey]: ...

@overload
def structure(
    name: Literal["streams_group_current_member_assignment_value"], version: int
) -> Structure[versioned.StreamsGroupCurrentMemberAssignmentValue]: ...

@overload
def structure(
    name: Literal["streams_group_member_metadata_key"], version: int
) -> Structure[versioned.StreamsGroupMemberMetadataKey]: ...

@overload
def structure(
    name: Literal["streams_group_member_metadata_value"], version: int
) -> Structure[versioned.StreamsGroupMemberMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_metadata_key"], version: int
) -> Structure[versioned.StreamsGroupMetadataKey]: ...

@overload
def structure(
    name: Literal["streams_group_metadata_value"], version: int
) -> Structure[versioned.StreamsGroupMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_member_key"], version: int
) -> Structure[versioned.StreamsGroupTargetAssignmentMemberKey]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_member_value"], version: int
) -> Structure[versioned.StreamsGroupTargetAssignmentMemberValue]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_metadata_key"], version: int
) -> Structure[versioned.StreamsGroupTargetAssignmentMetadataKey]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_metadata_value"], version: int
) -> Structure[versioned.StreamsGroupTargetAssignmentMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_topology_key"], version: int
) -> Structure[versioned.StreamsGroupTopologyKey]: ...

@overload
def structure(
    name: Literal["streams_group_topology_value"], version: int
) -> Structure[versioned.StreamsGroupTopologyValue]: ...

@overload
def structure(
    name: Literal["consumer_group_describe_request"], version: int
) -> Structure[versioned.ConsumerGroupDescribeRequest]: ...

@overload
def structure(
    name: Literal["consumer_group_describe_response"], version: int
) -> Structure[versioned.ConsumerGroupDescribeResponse]: ...

@overload
def structure(
    name: Literal["consumer_group_describe_response_of_3_7"], version: int
) -> Structure[versioned.ConsumerGroupDescribeResponseOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_request"], version: int
) -> Structure[versioned.ConsumerGroupHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_request_of_3_6"], version: int
) -> Structure[versioned.ConsumerGroupHeartbeatRequestOf36]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_response"], version: int
) -> Structure[versioned.ConsumerGroupHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_response_of_3_6"], version: int
) -> Structure[versioned.ConsumerGroupHeartbeatResponseOf36]: ...

@overload
def structure(
    name: Literal["consumer_protocol_assignment"], version: int
) -> Structure[versioned.ConsumerProtocolAssignment]: ...

@overload
def structure(
    name: Literal["consumer_protocol_subscription"], version: int
) -> Structure[versioned.ConsumerProtocolSubscription]: ...

@overload
def structure(
    name: Literal["delete_groups_request"], version: int
) -> Structure[versioned.DeleteGroupsRequest]: ...

@overload
def structure(
    name: Literal["delete_groups_response"], version: int
) -> Structure[versioned.DeleteGroupsResponse]: ...

@overload
def structure(
    name: Literal["describe_groups_request"], version: int
) -> Structure[versioned.DescribeGroupsRequest]: ...

@overload
def structure(
    name: Literal["describe_groups_response"], version: int
) -> Structure[versioned.DescribeGroupsResponse]: ...

@overload
def structure(
    name: Literal["find_coordinator_request"], version: int
) -> Structure[versioned.FindCoordinatorRequest]: ...

@overload
def structure(
    name: Literal["find_coordinator_response"], version: int
) -> Structure[versioned.FindCoordinatorResponse]: ...

@overload
def structure(
    name: Literal["heartbeat_request"], version: int
) -> Structure[versioned.HeartbeatRequest]: ...

@overload
def structure(
    name: Literal["heartbeat_response"], version: int
) -> Structure[versioned.HeartbeatResponse]: ...

@overload
def structure(
    name: Literal["join_group_request"], version: int
) -> Structure[versioned.JoinGroupRequest]: ...

@overload
def structure(
    name: Literal["join_group_request_of_0_8_2"], version: int
) -> Structure[versioned.JoinGroupRequestOf082]: ...

@overload
def structure(
    name: Literal["join_group_response"], version: int
) -> Structure[versioned.JoinGroupResponse]: ...

@overload
def structure(
    name: Literal["join_group_response_of_0_8_2"], version: int
) -> Structure[versioned.JoinGroupResponseOf082]: ...

@overload
def structure(
    name: Literal["leave_group_request"], version: int
) -> Structure[versioned.LeaveGroupRequest]: ...

@overload
def structure(
    name: Literal["leave_group_response"], version: int
) -> Structure[versioned.LeaveGroupResponse]: ...

@overload
def structure(
    name: Literal["list_groups_request"], version: int
) -> Structure[versioned.ListGroupsRequest]: ...

@overload
def structure(
    name: Literal["list_groups_response"], version: int
) -> Structure[versioned.ListGroupsResponse]: ...

@overload
def structure(
    name: Literal["offset_commit_request"], version: int
) -> Structure[versioned.OffsetCommitRequest]: ...

@overload
def structure(
    name: Literal["offset_commit_response"], version: int
) -> Structure[versioned.OffsetCommitResponse]: ...

@overload
def structure(
    name: Literal["offset_delete_request"], version: int
) -> Structure[versioned.OffsetDeleteRequest]: ...

@overload
def structure(
    name: Literal["offset_delete_response"], version: int
) -> Structure[versioned.OffsetDeleteResponse]: ...

@overload
def structure(
    name: Literal["offset_fetch_request"], version: int
) -> Structure[versioned.OffsetFetchRequest]: ...

@overload
def structure(
    name: Literal["offset_fetch_response"], version: int
) -> Structure[versioned.OffsetFetchResponse]: ...

@overload
def structure(
    name: Literal["subscription_info_data"], version: int
) -> Structure[versioned.SubscriptionInfoData]: ...

@overload
def structure(
    name: Literal["sync_group_request"], version: int
) -> Structure[versioned.SyncGroupRequest]: ...

@overload
def structure(
    name: Literal["sync_group_response"], version: int
) -> Structure[versioned.SyncGroupResponse]: ...

@overload
def structure(
    name: Literal["request_header"], version: int
) -> Structure[versioned.RequestHeader]: ...

@overload
def structure(
    name: Literal["response_header"], version: int
) -> Structure[versioned.ResponseHeader]: ...

@overload
def structure(
    name: Literal["aborted_txn"], version: int
) -> Structure[versioned.AbortedTxn]: ...

@overload
def structure(
    name: Literal["producer_snapshot"], version: int
) -> Structure[versioned.ProducerSnapshot]: ...

@overload
def structure(
    name: Literal["abort_transaction_record"], version: int
) -> Structure[versioned.AbortTransactionRecord]: ...

@overload
def structure(
    name: Literal["access_control_entry_record"], version: int
) -> Structure[versioned.AccessControlEntryRecord]: ...

@overload
def structure(
    name: Literal["access_control_record"], version: int
) -> Structure[versioned.AccessControlRecord]: ...

@overload
def structure(
    name: Literal["begin_transaction_record"], version: int
) -> Structure[versioned.BeginTransactionRecord]: ...

@overload
def structure(
    name: Literal["broker_registration_change_record"], version: int
) -> Structure[versioned.BrokerRegistrationChangeRecord]: ...

@overload
def structure(
    name: Literal["clear_elr_record"], version: int
) -> Structure[versioned.ClearElrRecord]: ...

@overload
def structure(
    name: Literal["client_quota_record"], version: int
) -> Structure[versioned.ClientQuotaRecord]: ...

@overload
def structure(
    name: Literal["client_quota_record_of_2_8"], version: int
) -> Structure[versioned.ClientQuotaRecordOf28]: ...

@overload
def structure(
    name: Literal["config_record"], version: int
) -> Structure[versioned.ConfigRecord]: ...

@overload
def structure(
    name: Literal["config_record_of_2_8"], version: int
) -> Structure[versioned.ConfigRecordOf28]: ...

@overload
def structure(
    name: Literal["delegation_token_record"], version: int
) -> Structure[versioned.DelegationTokenRecord]: ...

@overload
def structure(
    name: Literal["delegation_token_record_of_2_8"], version: int
) -> Structure[versioned.DelegationTokenRecordOf28]: ...

@overload
def structure(
    name: Literal["delegation_token_record_of_3_5"], version: int
) -> Structure[versioned.DelegationTokenRecordOf35]: ...

@overload
def structure(
    name: Literal["end_transaction_record"], version: int
) -> Structure[versioned.EndTransactionRecord]: ...

@overload
def structure(
    name: Literal["feature_level_record"], version: int
) -> Structure[versioned.FeatureLevelRecord]: ...

@overload
def structure(
    name: Literal["feature_level_record_of_2_8"], version: int
) -> Structure[versioned.FeatureLevelRecordOf28]: ...

@overload
def structure(
    name: Literal["feature_level_record_of_3_2"], version: int
) -> Structure[versioned.FeatureLevelRecordOf32]: ...

@overload
def structure(
    name: Literal["fence_broker_record"], version: int
) -> Structure[versioned.FenceBrokerRecord]: ...

@overload
def structure(
    name: Literal["fence_broker_record_of_2_8"], version: int
) -> Structure[versioned.FenceBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["no_op_record"], version: int
) -> Structure[versioned.NoOpRecord]: ...

@overload
def structure(
    name: Literal["partition_change_record"], version: int
) -> Structure[versioned.PartitionChangeRecord]: ...

@overload
def structure(
    name: Literal["partition_record"], version: int
) -> Structure[versioned.PartitionRecord]: ...

@overload
def structure(
    name: Literal["partition_record_of_2_8"], version: int
) -> Structure[versioned.PartitionRecordOf28]: ...

@overload
def structure(
    name: Literal["producer_ids_record"], version: int
) -> Structure[versioned.ProducerIdsRecord]: ...

@overload
def structure(
    name: Literal["register_broker_record"], version: int
) -> Structure[versioned.RegisterBrokerRecord]: ...

@overload
def structure(
    name: Literal["register_broker_record_of_2_8"], version: int
) -> Structure[versioned.RegisterBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["register_controller_record"], version: int
) -> Structure[versioned.RegisterControllerRecord]: ...

@overload
def structure(
    name: Literal["remove_access_control_entry_record"], version: int
) -> Structure[versioned.RemoveAccessControlEntryRecord]: ...

@overload
def structure(
    name: Literal["remove_delegation_token_record"], version: int
) -> Structure[versioned.RemoveDelegationTokenRecord]: ...

@overload
def structure(
    name: Literal["remove_feature_level_record"], version: int
) -> Structure[versioned.RemoveFeatureLevelRecord]: ...

@overload
def structure(
    name: Literal["remove_topic_record"], version: int
) -> Structure[versioned.RemoveTopicRecord]: ...

@overload
def structure(
    name: Literal["remove_topic_record_of_2_8"], version: int
) -> Structure[versioned.RemoveTopicRecordOf28]: ...

@overload
def structure(
    name: Literal["remove_user_scram_credential_record"], version: int
) -> Structure[versioned.RemoveUserScramCredentialRecord]: ...

@overload
def structure(
    name: Literal["topic_record"], version: int
) -> Structure[versioned.TopicRecord]: ...

@overload
def structure(
    name: Literal["topic_record_of_2_8"], version: int
) -> Structure[versioned.TopicRecordOf28]: ...

@overload
def structure(
    name: Literal["unfence_broker_record"], version: int
) -> Structure[versioned.UnfenceBrokerRecord]: ...

@overload
def structure(
    name: Literal["unfence_broker_record_of_2_8"], version: int
) -> Structure[versioned.UnfenceBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["unregister_broker_record"], version: int
) -> Structure[versioned.UnregisterBrokerRecord]: ...

@overload
def structure(
    name: Literal["unregister_broker_record_of_2_8"], version: int
) -> Structure[versioned.UnregisterBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["unregister_controller_record"], version: int
) -> Structure[versioned.UnregisterControllerRecord]: ...

@overload
def structure(
    name: Literal["user_scram_credential_record"], version: int
) -> Structure[versioned.UserScramCredentialRecord]: ...

@overload
def structure(
    name: Literal["user_scram_credential_record_of_2_8"], version: int
) -> Structure[versioned.UserScramCredentialRecordOf28]: ...

@overload
def structure(
    name: Literal["user_scram_credential_record_of_3_4"], version: int
) -> Structure[versioned.UserScramCredentialRecordOf34]: ...

@overload
def structure(
    name: Literal["zk_migration_state_record"], version: int
) -> Structure[versioned.ZkMigrationStateRecord]: ...

@overload
def structure(
    name: Literal["delete_records_request"], version: int
) -> Structure[versioned.DeleteRecordsRequest]: ...

@overload
def structure(
    name: Literal["delete_records_response"], version: int
) -> Structure[versioned.DeleteRecordsResponse]: ...

@overload
def structure(
    name: Literal["describe_producers_request"], version: int
) -> Structure[versioned.DescribeProducersRequest]: ...

@overload
def structure(
    name: Literal["describe_producers_response"], version: int
) -> Structure[versioned.DescribeProducersResponse]: ...

@overload
def structure(
    name: Literal["fetch_request"], version: int
) -> Structure[versioned.FetchRequest]: ...

@overload
def structure(
    name: Literal["fetch_response"], version: int
) -> Structure[versioned.FetchResponse]: ...

@overload
def structure(
    name: Literal["list_offsets_request"], version: int
) -> Structure[versioned.ListOffsetsRequest]: ...

@overload
def structure(
    name: Literal["list_offsets_response"], version: int
) -> Structure[versioned.ListOffsetsResponse]: ...

@overload
def structure(
    name: Literal["offset_for_leader_epoch_request"], version: int
) -> Structure[versioned.OffsetForLeaderEpochRequest]: ...

@overload
def structure(
    name: Literal["offset_for_leader_epoch_response"], version: int
) -> Structure[versioned.OffsetForLeaderEpochResponse]: ...

@overload
def structure(
    name: Literal["produce_request"], version: int
) -> Structure[versioned.ProduceRequest]: ...

@overload
def structure(
    name: Literal["produce_response"], version: int
) -> Structure[versioned.ProduceResponse]: ...

@overload
def structure(
    name: Literal["add_raft_voter_request"], version: int
) -> Structure[versioned.AddRaftVoterRequest]: ...

@overload
def structure(
    name: Literal["add_raft_voter_response"], version: int
) -> Structure[versioned.AddRaftVoterResponse]: ...

@overload
def structure(
    name: Literal["begin_quorum_epoch_request"], version: int
) -> Structure[versioned.BeginQuorumEpochRequest]: ...

@overload
def structure(
    name: Literal["begin_quorum_epoch_response"], version: int
) -> Structure[versioned.BeginQuorumEpochResponse]: ...

@overload
def structure(
    name: Literal["describe_quorum_request"], version: int
) -> Structure[versioned.DescribeQuorumRequest]: ...

@overload
def structure(
    name: Literal["describe_quorum_response"], version: int
) -> Structure[versioned.DescribeQuorumResponse]: ...

@overload
def structure(
    name: Literal["end_quorum_epoch_request"], version: int
) -> Structure[versioned.EndQuorumEpochRequest]: ...

@overload
def structure(
    name: Literal["end_quorum_epoch_request_of_2_7"], version: int
) -> Structure[versioned.EndQuorumEpochRequestOf27]: ...

@overload
def structure(
    name: Literal["end_quorum_epoch_response"], version: int
) -> Structure[versioned.EndQuorumEpochResponse]: ...

@overload
def structure(
    name: Literal["fetch_snapshot_request"], version: int
) -> Structure[versioned.FetchSnapshotRequest]: ...

@overload
def structure(
    name: Literal["fetch_snapshot_response"], version: int
) -> Structure[versioned.FetchSnapshotResponse]: ...

@overload
def structure(
    name: Literal["quorum_state_data"], version: int
) -> Structure[versioned.QuorumStateData]: ...

@overload
def structure(
    name: Literal["remove_raft_voter_request"], version: int
) -> Structure[versioned.RemoveRaftVoterRequest]: ...

@overload
def structure(
    name: Literal["remove_raft_voter_response"], version: int
) -> Structure[versioned.RemoveRaftVoterResponse]: ...

@overload
def structure(
    name: Literal["update_raft_voter_request"], version: int
) -> Structure[versioned.UpdateRaftVoterRequest]: ...

@overload
def structure(
    name: Literal["update_raft_voter_response"], version: int
) -> Structure[versioned.UpdateRaftVoterResponse]: ...

@overload
def structure(
    name: Literal["vote_request"], version: int
) -> Structure[versioned.VoteRequest]: ...

@overload
def structure(
    name: Literal["vote_response"], version: int
) -> Structure[versioned.VoteResponse]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_record"], version: int
) -> Structure[versioned.RemoteLogSegmentMetadataRecord]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_record_of_3_5"], version: int
) -> Structure[versioned.RemoteLogSegmentMetadataRecordOf35]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_snapshot_record"], version: int
) -> Structure[versioned.RemoteLogSegmentMetadataSnapshotRecord]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_snapshot_record_of_3_5"], version: int
) -> Structure[versioned.RemoteLogSegmentMetadataSnapshotRecordOf35]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_update_record"], version: int
) -> Structure[versioned.RemoteLogSegmentMetadataUpdateRecord]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_update_record_of_3_5"], version: int
) -> Structure[versioned.RemoteLogSegmentMetadataUpdateRecordOf35]: ...

@overload
def structure(
    name: Literal["remote_partition_delete_metadata_record"], version: int
) -> Structure[versioned.RemotePartitionDeleteMetadataRecord]: ...

@overload
def structure(
    name: Literal["alter_user_scram_credentials_request"], version: int
) -> Structure[versioned.AlterUserScramCredentialsRequest]: ...

@overload
def structure(
    name: Literal["alter_user_scram_credentials_response"], version: int
) -> Structure[versioned.AlterUserScramCredentialsResponse]: ...

@overload
def structure(
    name: Literal["create_acls_request"], version: int
) -> Structure[versioned.CreateAclsRequest]: ...

@overload
def structure(
    name: Literal["create_acls_response"], version: int
) -> Structure[versioned.CreateAclsResponse]: ...

@overload
def structure(
    name: Literal["create_delegation_token_request"], version: int
) -> Structure[versioned.CreateDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["create_delegation_token_response"], version: int
) -> Structure[versioned.CreateDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["default_principal_data"], version: int
) -> Structure[versioned.DefaultPrincipalData]: ...

@overload
def structure(
    name: Literal["delete_acls_request"], version: int
) -> Structure[versioned.DeleteAclsRequest]: ...

@overload
def structure(
    name: Literal["delete_acls_response"], version: int
) -> Structure[versioned.DeleteAclsResponse]: ...

@overload
def structure(
    name: Literal["describe_acls_request"], version: int
) -> Structure[versioned.DescribeAclsRequest]: ...

@overload
def structure(
    name: Literal["describe_acls_response"], version: int
) -> Structure[versioned.DescribeAclsResponse]: ...

@overload
def structure(
    name: Literal["describe_delegation_token_request"], version: int
) -> Structure[versioned.DescribeDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["describe_delegation_token_response"], version: int
) -> Structure[versioned.DescribeDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["describe_user_scram_credentials_request"], version: int
) -> Structure[versioned.DescribeUserScramCredentialsRequest]: ...

@overload
def structure(
    name: Literal["describe_user_scram_credentials_response"], version: int
) -> Structure[versioned.DescribeUserScramCredentialsResponse]: ...

@overload
def structure(
    name: Literal["expire_delegation_token_request"], version: int
) -> Structure[versioned.ExpireDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["expire_delegation_token_response"], version: int
) -> Structure[versioned.ExpireDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["renew_delegation_token_request"], version: int
) -> Structure[versioned.RenewDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["renew_delegation_token_response"], version: int
) -> Structure[versioned.RenewDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["sasl_authenticate_request"], version: int
) -> Structure[versioned.SaslAuthenticateRequest]: ...

@overload
def structure(
    name: Literal["sasl_authenticate_response"], version: int
) -> Structure[versioned.SaslAuthenticateResponse]: ...

@overload
def structure(
    name: Literal["sasl_handshake_request"], version: int
) -> Structure[versioned.SaslHandshakeRequest]: ...

@overload
def structure(
    name: Literal["sasl_handshake_response"], version: int
) -> Structure[versioned.SaslHandshakeResponse]: ...

@overload
def structure(
    name: Literal["sasl_token"], version: int
) -> Structure[versioned.SaslToken]: ...

@overload
def structure(
    name: Literal["alter_share_group_offsets_request"], version: int
) -> Structure[versioned.AlterShareGroupOffsetsRequest]: ...

@overload
def structure(
    name: Literal["alter_share_group_offsets_response"], version: int
) -> Structure[versioned.AlterShareGroupOffsetsResponse]: ...

@overload
def structure(
    name: Literal["delete_share_group_offsets_request"], version: int
) -> Structure[versioned.DeleteShareGroupOffsetsRequest]: ...

@overload
def structure(
    name: Literal["delete_share_group_offsets_response"], version: int
) -> Structure[versioned.DeleteShareGroupOffsetsResponse]: ...

@overload
def structure(
    name: Literal["delete_share_group_state_request"], version: int
) -> Structure[versioned.DeleteShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["delete_share_group_state_response"], version: int
) -> Structure[versioned.DeleteShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["describe_share_group_offsets_request"], version: int
) -> Structure[versioned.DescribeShareGroupOffsetsRequest]: ...

@overload
def structure(
    name: Literal["describe_share_group_offsets_response"], version: int
) -> Structure[versioned.DescribeShareGroupOffsetsResponse]: ...

@overload
def structure(
    name: Literal["initialize_share_group_state_request"], version: int
) -> Structure[versioned.InitializeShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["initialize_share_group_state_response"], version: int
) -> Structure[versioned.InitializeShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["read_share_group_state_request"], version: int
) -> Structure[versioned.ReadShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["read_share_group_state_response"], version: int
) -> Structure[versioned.ReadShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["read_share_group_state_summary_request"], version: int
) -> Structure[versioned.ReadShareGroupStateSummaryRequest]: ...

@overload
def structure(
    name: Literal["read_share_group_state_summary_response"], version: int
) -> Structure[versioned.ReadShareGroupStateSummaryResponse]: ...

@overload
def structure(
    name: Literal["read_share_group_state_summary_response_of_4_0"], version: int
) -> Structure[versioned.ReadShareGroupStateSummaryResponseOf40]: ...

@overload
def structure(
    name: Literal["share_acknowledge_request"], version: int
) -> Structure[versioned.ShareAcknowledgeRequest]: ...

@overload
def structure(
    name: Literal["share_acknowledge_response"], version: int
) -> Structure[versioned.ShareAcknowledgeResponse]: ...

@overload
def structure(
    name: Literal["share_fetch_request"], version: int
) -> Structure[versioned.ShareFetchRequest]: ...

@overload
def structure(
    name: Literal["share_fetch_response"], version: int
) -> Structure[versioned.ShareFetchResponse]: ...

@overload
def structure(
    name: Literal["share_group_describe_request"], version: int
) -> Structure[versioned.ShareGroupDescribeRequest]: ...

@overload
def structure(
    name: Literal["share_group_describe_response"], version: int
) -> Structure[versioned.ShareGroupDescribeResponse]: ...

@overload
def structure(
    name: Literal["share_group_heartbeat_request"], version: int
) -> Structure[versioned.ShareGroupHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["share_group_heartbeat_response"], version: int
) -> Structure[versioned.ShareGroupHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["share_snapshot_key"], version: int
) -> Structure[versioned.ShareSnapshotKey]: ...

@overload
def structure(
    name: Literal["share_snapshot_value"], version: int
) -> Structure[versioned.ShareSnapshotValue]: ...

@overload
def structure(
    name: Literal["share_snapshot_value_of_4_0"], version: int
) -> Structure[versioned.ShareSnapshotValueOf40]: ...

@overload
def structure(
    name: Literal["share_update_key"], version: int
) -> Structure[versioned.ShareUpdateKey]: ...

@overload
def structure(
    name: Literal["share_update_value"], version: int
) -> Structure[versioned.ShareUpdateValue]: ...

@overload
def structure(
    name: Literal["share_update_value_of_4_0"], version: int
) -> Structure[versioned.ShareUpdateValueOf40]: ...

@overload
def structure(
    name: Literal["write_share_group_state_request"], version: int
) -> Structure[versioned.WriteShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["write_share_group_state_response"], version: int
) -> Structure[versioned.WriteShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["streams_group_describe_request"], version: int
) -> Structure[versioned.StreamsGroupDescribeRequest]: ...

@overload
def structure(
    name: Literal["streams_group_describe_response"], version: int
) -> Structure[versioned.StreamsGroupDescribeResponse]: ...

@overload
def structure(
    name: Literal["streams_group_heartbeat_request"], version: int
) -> Structure[versioned.StreamsGroupHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["streams_group_heartbeat_response"], version: int
) -> Structure[versioned.StreamsGroupHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["streams_group_topology_description_update_request"], version: int
) -> Structure[versioned.StreamsGroupTopologyDescriptionUpdateRequest]: ...

@overload
def structure(
    name: Literal["streams_group_topology_description_update_response"], version: int
) -> Structure[versioned.StreamsGroupTopologyDescriptionUpdateResponse]: ...

@overload
def structure(
    name: Literal["alter_partition_reassignments_request"], version: int
) -> Structure[versioned.AlterPartitionReassignmentsRequest]: ...

@overload
def structure(
    name: Literal["alter_partition_reassignments_response"], version: int
) -> Structure[versioned.AlterPartitionReassignmentsResponse]: ...

@overload
def structure(
    name: Literal["create_partitions_request"], version: int
) -> Structure[versioned.CreatePartitionsRequest]: ...

@overload
def structure(
    name: Literal["create_partitions_response"], version: int
) -> Structure[versioned.CreatePartitionsResponse]: ...

@overload
def structure(
    name: Literal["create_topics_request"], version: int
) -> Structure[versioned.CreateTopicsRequest]: ...

@overload
def structure(
    name: Literal["create_topics_response"], version: int
) -> Structure[versioned.CreateTopicsResponse]: ...

@overload
def structure(
    name: Literal["delete_topics_request"], version: int
) -> Structure[versioned.DeleteTopicsRequest]: ...

@overload
def structure(
    name: Literal["delete_topics_response"], version: int
) -> Structure[versioned.DeleteTopicsResponse]: ...

@overload
def structure(
    name: Literal["elect_leaders_request"], version: int
) -> Structure[versioned.ElectLeadersRequest]: ...

@overload
def structure(
    name: Literal["elect_leaders_response"], version: int
) -> Structure[versioned.ElectLeadersResponse]: ...

@overload
def structure(
    name: Literal["list_partition_reassignments_request"], version: int
) -> Structure[versioned.ListPartitionReassignmentsRequest]: ...

@overload
def structure(
    name: Literal["list_partition_reassignments_response"], version: int
) -> Structure[versioned.ListPartitionReassignmentsResponse]: ...

@overload
def structure(
    name: Literal["add_offsets_to_txn_request"], version: int
) -> Structure[versioned.AddOffsetsToTxnRequest]: ...

@overload
def structure(
    name: Literal["add_offsets_to_txn_response"], version: int
) -> Structure[versioned.AddOffsetsToTxnResponse]: ...

@overload
def structure(
    name: Literal["add_partitions_to_txn_request"], version: int
) -> Structure[versioned.AddPartitionsToTxnRequest]: ...

@overload
def structure(
    name: Literal["add_partitions_to_txn_response"], version: int
) -> Structure[versioned.AddPartitionsToTxnResponse]: ...

@overload
def structure(
    name: Literal["describe_transactions_request"], version: int
) -> Structure[versioned.DescribeTransactionsRequest]: ...

@overload
def structure(
    name: Literal["describe_transactions_response"], version: int
) -> Structure[versioned.DescribeTransactionsResponse]: ...

@overload
def structure(
    name: Literal["end_txn_request"], version: int
) -> Structure[versioned.EndTxnRequest]: ...

@overload
def structure(
    name: Literal["end_txn_response"], version: int
) -> Structure[versioned.EndTxnResponse]: ...

@overload
def structure(
    name: Literal["init_producer_id_request"], version: int
) -> Structure[versioned.InitProducerIdRequest]: ...

@overload
def structure(
    name: Literal["init_producer_id_response"], version: int
) -> Structure[versioned.InitProducerIdResponse]: ...

@overload
def structure(
    name: Literal["list_transactions_request"], version: int
) -> Structure[versioned.ListTransactionsRequest]: ...

@overload
def structure(
    name: Literal["list_transactions_response"], version: int
) -> Structure[versioned.ListTransactionsResponse]: ...

@overload
def structure(
    name: Literal["transaction_log_key"], version: int
) -> Structure[versioned.TransactionLogKey]: ...

@overload
def structure(
    name: Literal["transaction_log_value"], version: int
) -> Structure[versioned.TransactionLogValue]: ...

@overload
def structure(
    name: Literal["txn_offset_commit_request"], version: int
) -> Structure[versioned.TxnOffsetCommitRequest]: ...

@overload
def structure(
    name: Literal["txn_offset_commit_response"], version: int
) -> Structure[versioned.TxnOffsetCommitResponse]: ...

@overload
def structure(
    name: Literal["write_txn_markers_request"], version: int
) -> Structure[versioned.WriteTxnMarkersRequest]: ...

@overload
def structure(
    name: Literal["write_txn_markers_response"], version: int
) -> Structure[versioned.WriteTxnMarkersResponse]: ...

@overload
def structure(
    name: Literal["v07_fetch_request"], version: int
) -> Structure[versioned.V07FetchRequest]: ...

@overload
def structure(
    name: Literal["v07_multi_fetch_request"], version: int
) -> Structure[versioned.V07MultiFetchRequest]: ...

@overload
def structure(
    name: Literal["v07_multi_produce_request"], version: int
) -> Structure[versioned.V07MultiProduceRequest]: ...

@overload
def structure(
    name: Literal["v07_offsets"], version: int
) -> Structure[versioned.V07Offsets]: ...

@overload
def structure(
    name: Literal["v07_offsets_request"], version: int
) -> Structure[versioned.V07OffsetsRequest]: ...

@overload
def structure(
    name: Literal["v07_produce_request"], version: int
) -> Structure[versioned.V07ProduceRequest]: ...

@overload
def structure(name: str, version: int) -> Structure[Any]: ...
