# Made from spec/layouts/protocol by generate.py.
from typing import Any, Literal, overload

from kafka_format.codec.compiler import Structure
from kafka_format.protocol import values
from kafka_format.protocol.apis import Api

@overload
def request(
    api: Literal["alter_replica_log_dirs", "AlterReplicaLogDirs", 34], number: int
) -> Structure[values.AlterReplicaLogDirsRequest]: ...

@overload
def request(
    api: Literal["api_versions", "ApiVersions", 18], number: int
) -> Structure[values.ApiVersionsRequest]: ...

@overload
def request(
    api: Literal["describe_cluster", "DescribeCluster", 60], number: int
) -> Structure[values.DescribeClusterRequest]: ...

@overload
def request(
    api: Literal["describe_log_dirs", "DescribeLogDirs", 35], number: int
) -> Structure[values.DescribeLogDirsRequest]: ...

@overload
def request(
    api: Literal["describe_topic_partitions", "DescribeTopicPartitions", 75], number: int
) -> Structure[values.DescribeTopicPartitionsRequest]: ...

@overload
def request(
    api: Literal["metadata", "Metadata", 3], number: int
) -> Structure[values.MetadataRequest]: ...

@overload
def request(
    api: Literal["unregister_broker", "UnregisterBroker", 64], number: int
) -> Structure[values.UnregisterBrokerRequest]: ...

@overload
def request(
    api: Literal["unregister_controller", "UnregisterController", 94], number: int
) -> Structure[values.UnregisterControllerRequest]: ...

@overload
def request(
    api: Literal["update_features", "UpdateFeatures", 57], number: int
) -> Structure[values.UpdateFeaturesRequest]: ...

@overload
def request(
    api: Literal["alter_client_quotas", "AlterClientQuotas", 49], number: int
) -> Structure[values.AlterClientQuotasRequest]: ...

@overload
def request(
    api: Literal["alter_configs", "AlterConfigs", 33], number: int
) -> Structure[values.AlterConfigsRequest]: ...

@overload
def request(
    api: Literal["describe_client_quotas", "DescribeClientQuotas", 48], number: int
) -> Structure[values.DescribeClientQuotasRequest]: ...

@overload
def request(
    api: Literal["describe_configs", "DescribeConfigs", 32], number: int
) -> Structure[values.DescribeConfigsRequest]: ...

@overload
def request(
    api: Literal["get_telemetry_subscriptions", "GetTelemetrySubscriptions", 71], number: int
) -> Structure[values.GetTelemetrySubscriptionsRequest]: ...

@overload
def request(
    api: Literal["incremental_alter_configs", "IncrementalAlterConfigs", 44], number: int
) -> Structure[values.IncrementalAlterConfigsRequest]: ...

@overload
def request(
    api: Literal["list_config_resources", "ListConfigResources", 74], number: int
) -> Structure[values.ListConfigResourcesRequest]: ...

@overload
def request(
    api: Literal["push_telemetry", "PushTelemetry", 72], number: int
) -> Structure[values.PushTelemetryRequest]: ...

@overload
def request(
    api: Literal["allocate_producer_ids", "AllocateProducerIds", 67], number: int
) -> Structure[values.AllocateProducerIdsRequest]: ...

@overload
def request(
    api: Literal["alter_partition", "AlterPartition", 56], number: int
) -> Structure[values.AlterPartitionRequest]: ...

@overload
def request(
    api: Literal["assign_replicas_to_dirs", "AssignReplicasToDirs", 73], number: int
) -> Structure[values.AssignReplicasToDirsRequest]: ...

@overload
def request(
    api: Literal["broker_heartbeat", "BrokerHeartbeat", 63], number: int
) -> Structure[values.BrokerHeartbeatRequest]: ...

@overload
def request(
    api: Literal["broker_registration", "BrokerRegistration", 62], number: int
) -> Structure[values.BrokerRegistrationRequest]: ...

@overload
def request(
    api: Literal["controlled_shutdown", "ControlledShutdown", 7], number: int
) -> Structure[values.ControlledShutdownRequest]: ...

@overload
def request(
    api: Literal["controller_registration", "ControllerRegistration", 70], number: int
) -> Structure[values.ControllerRegistrationRequest]: ...

@overload
def request(
    api: Literal["envelope", "Envelope", 58], number: int
) -> Structure[values.EnvelopeRequest]: ...

@overload
def request(
    api: Literal["leader_and_isr", "LeaderAndIsr", 4], number: int
) -> Structure[values.LeaderAndIsrRequest]: ...

@overload
def request(
    api: Literal["stop_replica", "StopReplica", 5], number: int
) -> Structure[values.StopReplicaRequest]: ...

@overload
def request(
    api: Literal["update_metadata", "UpdateMetadata", 6], number: int
) -> Structure[values.UpdateMetadataRequest]: ...

@overload
def request(
    api: Literal["consumer_group_describe", "ConsumerGroupDescribe", 69], number: int
) -> Structure[values.ConsumerGroupDescribeRequest]: ...

@overload
def request(
    api: Literal["consumer_group_heartbeat", "ConsumerGroupHeartbeat", 68], number: int
) -> Structure[values.ConsumerGroupHeartbeatRequest]: ...

@overload
def request(
    api: Literal["delete_groups", "DeleteGroups", 42], number: int
) -> Structure[values.DeleteGroupsRequest]: ...

@overload
def request(
    api: Literal["describe_groups", "DescribeGroups", 15], number: int
) -> Structure[values.DescribeGroupsRequest]: ...

@overload
def request(
    api: Literal["find_coordinator", "FindCoordinator", 10], number: int
) -> Structure[values.FindCoordinatorRequest]: ...

@overload
def request(
    api: Literal["heartbeat", "Heartbeat", 12], number: int
) -> Structure[values.HeartbeatRequest]: ...

@overload
def request(
    api: Literal["join_group", "JoinGroup", 11], number: int
) -> Structure[values.JoinGroupRequest]: ...

@overload
def request(
    api: Literal["leave_group", "LeaveGroup", 13], number: int
) -> Structure[values.LeaveGroupRequest]: ...

@overload
def request(
    api: Literal["list_groups", "ListGroups", 16], number: int
) -> Structure[values.ListGroupsRequest]: ...

@overload
def request(
    api: Literal["offset_commit", "OffsetCommit", 8], number: int
) -> Structure[values.OffsetCommitRequest]: ...

@overload
def request(
    api: Literal["offset_delete", "OffsetDelete", 47], number: int
) -> Structure[values.OffsetDeleteRequest]: ...

@overload
def request(
    api: Literal["offset_fetch", "OffsetFetch", 9], number: int
) -> Structure[values.OffsetFetchRequest]: ...

@overload
def request(
    api: Literal["sync_group", "SyncGroup", 14], number: int
) -> Structure[values.SyncGroupRequest]: ...

@overload
def request(
    api: Literal["delete_records", "DeleteRecords", 21], number: int
) -> Structure[values.DeleteRecordsRequest]: ...

@overload
def request(
    api: Literal["describe_producers", "DescribeProducers", 61], number: int
) -> Structure[values.DescribeProducersRequest]: ...

@overload
def request(
    api: Literal["fetch", "Fetch", 1], number: int
) -> Structure[values.FetchRequest]: ...

@overload
def request(
    api: Literal["list_offsets", "ListOffsets", 2], number: int
) -> Structure[values.ListOffsetsRequest]: ...

@overload
def request(
    api: Literal["offset_for_leader_epoch", "OffsetForLeaderEpoch", 23], number: int
) -> Structure[values.OffsetForLeaderEpochRequest]: ...

@overload
def request(
    api: Literal["produce", "Produce", 0], number: int
) -> Structure[values.ProduceRequest]: ...

@overload
def request(
    api: Literal["add_raft_voter", "AddRaftVoter", 80], number: int
) -> Structure[values.AddRaftVoterRequest]: ...

@overload
def request(
    api: Literal["begin_quorum_epoch", "BeginQuorumEpoch", 53], number: int
) -> Structure[values.BeginQuorumEpochRequest]: ...

@overload
def request(
    api: Literal["describe_quorum", "DescribeQuorum", 55], number: int
) -> Structure[values.DescribeQuorumRequest]: ...

@overload
def request(
    api: Literal["end_quorum_epoch", "EndQuorumEpoch", 54], number: int
) -> Structure[values.EndQuorumEpochRequest]: ...

@overload
def request(
    api: Literal["fetch_snapshot", "FetchSnapshot", 59], number: int
) -> Structure[values.FetchSnapshotRequest]: ...

@overload
def request(
    api: Literal["remove_raft_voter", "RemoveRaftVoter", 81], number: int
) -> Structure[values.RemoveRaftVoterRequest]: ...

@overload
def request(
    api: Literal["update_raft_voter", "UpdateRaftVoter", 82], number: int
) -> Structure[values.UpdateRaftVoterRequest]: ...

@overload
def request(
    api: Literal["vote", "Vote", 52], number: int
) -> Structure[values.VoteRequest]: ...

@overload
def request(
    api: Literal["alter_user_scram_credentials", "AlterUserScramCredentials", 51], number: int
) -> Structure[values.AlterUserScramCredentialsRequest]: ...

@overload
def request(
    api: Literal["create_acls", "CreateAcls", 30], number: int
) -> Structure[values.CreateAclsRequest]: ...

@overload
def request(
    api: Literal["create_delegation_token", "CreateDelegationToken", 38], number: int
) -> Structure[values.CreateDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["delete_acls", "DeleteAcls", 31], number: int
) -> Structure[values.DeleteAclsRequest]: ...

@overload
def request(
    api: Literal["describe_acls", "DescribeAcls", 29], number: int
) -> Structure[values.DescribeAclsRequest]: ...

@overload
def request(
    api: Literal["describe_delegation_token", "DescribeDelegationToken", 41], number: int
) -> Structure[values.DescribeDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["describe_user_scram_credentials", "DescribeUserScramCredentials", 50], number: int
) -> Structure[values.DescribeUserScramCredentialsRequest]: ...

@overload
def request(
    api: Literal["expire_delegation_token", "ExpireDelegationToken", 40], number: int
) -> Structure[values.ExpireDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["renew_delegation_token", "RenewDelegationToken", 39], number: int
) -> Structure[values.RenewDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["sasl_authenticate", "SaslAuthenticate", 36], number: int
) -> Structure[values.SaslAuthenticateRequest]: ...

@overload
def request(
    api: Literal["sasl_handshake", "SaslHandshake", 17], number: int
) -> Structure[values.SaslHandshakeRequest]: ...

@overload
def request(
    api: Literal["alter_share_group_offsets", "AlterShareGroupOffsets", 91], number: int
) -> Structure[values.AlterShareGroupOffsetsRequest]: ...

@overload
def request(
    api: Literal["delete_share_group_offsets", "DeleteShareGroupOffsets", 92], number: int
) -> Structure[values.DeleteShareGroupOffsetsRequest]: ...

@overload
def request(
    api: Literal["delete_share_group_state", "DeleteShareGroupState", 86], number: int
) -> Structure[values.DeleteShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["describe_share_group_offsets", "DescribeShareGroupOffsets", 90], number: int
) -> Structure[values.DescribeShareGroupOffsetsRequest]: ...

@overload
def request(
    api: Literal["initialize_share_group_state", "InitializeShareGroupState", 83], number: int
) -> Structure[values.InitializeShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["read_share_group_state", "ReadShareGroupState", 84], number: int
) -> Structure[values.ReadShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["read_share_group_state_summary", "ReadShareGroupStateSummary", 87], number: int
) -> Structure[values.ReadShareGroupStateSummaryRequest]: ...

@overload
def request(
    api: Literal["share_acknowledge", "ShareAcknowledge", 79], number: int
) -> Structure[values.ShareAcknowledgeRequest]: ...

@overload
def request(
    api: Literal["share_fetch", "ShareFetch", 78], number: int
) -> Structure[values.ShareFetchRequest]: ...

@overload
def request(
    api: Literal["share_group_describe", "ShareGroupDescribe", 77], number: int
) -> Structure[values.ShareGroupDescribeRequest]: ...

@overload
def request(
    api: Literal["share_group_heartbeat", "ShareGroupHeartbeat", 76], number: int
) -> Structure[values.ShareGroupHeartbeatRequest]: ...

@overload
def request(
    api: Literal["write_share_group_state", "WriteShareGroupState", 85], number: int
) -> Structure[values.WriteShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["streams_group_describe", "StreamsGroupDescribe", 89], number: int
) -> Structure[values.StreamsGroupDescribeRequest]: ...

@overload
def request(
    api: Literal["streams_group_heartbeat", "StreamsGroupHeartbeat", 88], number: int
) -> Structure[values.StreamsGroupHeartbeatRequest]: ...

@overload
def request(
    api: Literal["streams_group_topology_description_update", "StreamsGroupTopologyDescriptionUpdate", 93], number: int
) -> Structure[values.StreamsGroupTopologyDescriptionUpdateRequest]: ...

@overload
def request(
    api: Literal["alter_partition_reassignments", "AlterPartitionReassignments", 45], number: int
) -> Structure[values.AlterPartitionReassignmentsRequest]: ...

@overload
def request(
    api: Literal["create_partitions", "CreatePartitions", 37], number: int
) -> Structure[values.CreatePartitionsRequest]: ...

@overload
def request(
    api: Literal["create_topics", "CreateTopics", 19], number: int
) -> Structure[values.CreateTopicsRequest]: ...

@overload
def request(
    api: Literal["delete_topics", "DeleteTopics", 20], number: int
) -> Structure[values.DeleteTopicsRequest]: ...

@overload
def request(
    api: Literal["elect_leaders", "ElectLeaders", 43], number: int
) -> Structure[values.ElectLeadersRequest]: ...

@overload
def request(
    api: Literal["list_partition_reassignments", "ListPartitionReassignments", 46], number: int
) -> Structure[values.ListPartitionReassignmentsRequest]: ...

@overload
def request(
    api: Literal["add_offsets_to_txn", "AddOffsetsToTxn", 25], number: int
) -> Structure[values.AddOffsetsToTxnRequest]: ...

@overload
def request(
    api: Literal["add_partitions_to_txn", "AddPartitionsToTxn", 24], number: int
) -> Structure[values.AddPartitionsToTxnRequest]: ...

@overload
def request(
    api: Literal["describe_transactions", "DescribeTransactions", 65], number: int
) -> Structure[values.DescribeTransactionsRequest]: ...

@overload
def request(
    api: Literal["end_txn", "EndTxn", 26], number: int
) -> Structure[values.EndTxnRequest]: ...

@overload
def request(
    api: Literal["init_producer_id", "InitProducerId", 22], number: int
) -> Structure[values.InitProducerIdRequest]: ...

@overload
def request(
    api: Literal["list_transactions", "ListTransactions", 66], number: int
) -> Structure[values.ListTransactionsRequest]: ...

@overload
def request(
    api: Literal["txn_offset_commit", "TxnOffsetCommit", 28], number: int
) -> Structure[values.TxnOffsetCommitRequest]: ...

@overload
def request(
    api: Literal["write_txn_markers", "WriteTxnMarkers", 27], number: int
) -> Structure[values.WriteTxnMarkersRequest]: ...

@overload
def request(api: Api, number: int) -> Structure[Any]: ...

@overload
def response(
    api: Literal["alter_replica_log_dirs", "AlterReplicaLogDirs", 34], number: int
) -> Structure[values.AlterReplicaLogDirsResponse]: ...

@overload
def response(
    api: Literal["api_versions", "ApiVersions", 18], number: int
) -> Structure[values.ApiVersionsResponse]: ...

@overload
def response(
    api: Literal["describe_cluster", "DescribeCluster", 60], number: int
) -> Structure[values.DescribeClusterResponse]: ...

@overload
def response(
    api: Literal["describe_log_dirs", "DescribeLogDirs", 35], number: int
) -> Structure[values.DescribeLogDirsResponse]: ...

@overload
def response(
    api: Literal["describe_topic_partitions", "DescribeTopicPartitions", 75], number: int
) -> Structure[values.DescribeTopicPartitionsResponse]: ...

@overload
def response(
    api: Literal["metadata", "Metadata", 3], number: int
) -> Structure[values.MetadataResponse]: ...

@overload
def response(
    api: Literal["unregister_broker", "UnregisterBroker", 64], number: int
) -> Structure[values.UnregisterBrokerResponse]: ...

@overload
def response(
    api: Literal["unregister_controller", "UnregisterController", 94], number: int
) -> Structure[values.UnregisterControllerResponse]: ...

@overload
def response(
    api: Literal["update_features", "UpdateFeatures", 57], number: int
) -> Structure[values.UpdateFeaturesResponse]: ...

@overload
def response(
    api: Literal["alter_client_quotas", "AlterClientQuotas", 49], number: int
) -> Structure[values.AlterClientQuotasResponse]: ...

@overload
def response(
    api: Literal["alter_configs", "AlterConfigs", 33], number: int
) -> Structure[values.AlterConfigsResponse]: ...

@overload
def response(
    api: Literal["describe_client_quotas", "DescribeClientQuotas", 48], number: int
) -> Structure[values.DescribeClientQuotasResponse]: ...

@overload
def response(
    api: Literal["describe_configs", "DescribeConfigs", 32], number: int
) -> Structure[values.DescribeConfigsResponse]: ...

@overload
def response(
    api: Literal["get_telemetry_subscriptions", "GetTelemetrySubscriptions", 71], number: int
) -> Structure[values.GetTelemetrySubscriptionsResponse]: ...

@overload
def response(
    api: Literal["incremental_alter_configs", "IncrementalAlterConfigs", 44], number: int
) -> Structure[values.IncrementalAlterConfigsResponse]: ...

@overload
def response(
    api: Literal["list_config_resources", "ListConfigResources", 74], number: int
) -> Structure[values.ListConfigResourcesResponse]: ...

@overload
def response(
    api: Literal["push_telemetry", "PushTelemetry", 72], number: int
) -> Structure[values.PushTelemetryResponse]: ...

@overload
def response(
    api: Literal["allocate_producer_ids", "AllocateProducerIds", 67], number: int
) -> Structure[values.AllocateProducerIdsResponse]: ...

@overload
def response(
    api: Literal["alter_partition", "AlterPartition", 56], number: int
) -> Structure[values.AlterPartitionResponse]: ...

@overload
def response(
    api: Literal["assign_replicas_to_dirs", "AssignReplicasToDirs", 73], number: int
) -> Structure[values.AssignReplicasToDirsResponse]: ...

@overload
def response(
    api: Literal["broker_heartbeat", "BrokerHeartbeat", 63], number: int
) -> Structure[values.BrokerHeartbeatResponse]: ...

@overload
def response(
    api: Literal["broker_registration", "BrokerRegistration", 62], number: int
) -> Structure[values.BrokerRegistrationResponse]: ...

@overload
def response(
    api: Literal["controlled_shutdown", "ControlledShutdown", 7], number: int
) -> Structure[values.ControlledShutdownResponse]: ...

@overload
def response(
    api: Literal["controller_registration", "ControllerRegistration", 70], number: int
) -> Structure[values.ControllerRegistrationResponse]: ...

@overload
def response(
    api: Literal["envelope", "Envelope", 58], number: int
) -> Structure[values.EnvelopeResponse]: ...

@overload
def response(
    api: Literal["leader_and_isr", "LeaderAndIsr", 4], number: int
) -> Structure[values.LeaderAndIsrResponse]: ...

@overload
def response(
    api: Literal["stop_replica", "StopReplica", 5], number: int
) -> Structure[values.StopReplicaResponse]: ...

@overload
def response(
    api: Literal["update_metadata", "UpdateMetadata", 6], number: int
) -> Structure[values.UpdateMetadataResponse]: ...

@overload
def response(
    api: Literal["consumer_group_describe", "ConsumerGroupDescribe", 69], number: int
) -> Structure[values.ConsumerGroupDescribeResponse]: ...

@overload
def response(
    api: Literal["consumer_group_heartbeat", "ConsumerGroupHeartbeat", 68], number: int
) -> Structure[values.ConsumerGroupHeartbeatResponse]: ...

@overload
def response(
    api: Literal["delete_groups", "DeleteGroups", 42], number: int
) -> Structure[values.DeleteGroupsResponse]: ...

@overload
def response(
    api: Literal["describe_groups", "DescribeGroups", 15], number: int
) -> Structure[values.DescribeGroupsResponse]: ...

@overload
def response(
    api: Literal["find_coordinator", "FindCoordinator", 10], number: int
) -> Structure[values.FindCoordinatorResponse]: ...

@overload
def response(
    api: Literal["heartbeat", "Heartbeat", 12], number: int
) -> Structure[values.HeartbeatResponse]: ...

@overload
def response(
    api: Literal["join_group", "JoinGroup", 11], number: int
) -> Structure[values.JoinGroupResponse]: ...

@overload
def response(
    api: Literal["leave_group", "LeaveGroup", 13], number: int
) -> Structure[values.LeaveGroupResponse]: ...

@overload
def response(
    api: Literal["list_groups", "ListGroups", 16], number: int
) -> Structure[values.ListGroupsResponse]: ...

@overload
def response(
    api: Literal["offset_commit", "OffsetCommit", 8], number: int
) -> Structure[values.OffsetCommitResponse]: ...

@overload
def response(
    api: Literal["offset_delete", "OffsetDelete", 47], number: int
) -> Structure[values.OffsetDeleteResponse]: ...

@overload
def response(
    api: Literal["offset_fetch", "OffsetFetch", 9], number: int
) -> Structure[values.OffsetFetchResponse]: ...

@overload
def response(
    api: Literal["sync_group", "SyncGroup", 14], number: int
) -> Structure[values.SyncGroupResponse]: ...

@overload
def response(
    api: Literal["delete_records", "DeleteRecords", 21], number: int
) -> Structure[values.DeleteRecordsResponse]: ...

@overload
def response(
    api: Literal["describe_producers", "DescribeProducers", 61], number: int
) -> Structure[values.DescribeProducersResponse]: ...

@overload
def response(
    api: Literal["fetch", "Fetch", 1], number: int
) -> Structure[values.FetchResponse]: ...

@overload
def response(
    api: Literal["list_offsets", "ListOffsets", 2], number: int
) -> Structure[values.ListOffsetsResponse]: ...

@overload
def response(
    api: Literal["offset_for_leader_epoch", "OffsetForLeaderEpoch", 23], number: int
) -> Structure[values.OffsetForLeaderEpochResponse]: ...

@overload
def response(
    api: Literal["produce", "Produce", 0], number: int
) -> Structure[values.ProduceResponse]: ...

@overload
def response(
    api: Literal["add_raft_voter", "AddRaftVoter", 80], number: int
) -> Structure[values.AddRaftVoterResponse]: ...

@overload
def response(
    api: Literal["begin_quorum_epoch", "BeginQuorumEpoch", 53], number: int
) -> Structure[values.BeginQuorumEpochResponse]: ...

@overload
def response(
    api: Literal["describe_quorum", "DescribeQuorum", 55], number: int
) -> Structure[values.DescribeQuorumResponse]: ...

@overload
def response(
    api: Literal["end_quorum_epoch", "EndQuorumEpoch", 54], number: int
) -> Structure[values.EndQuorumEpochResponse]: ...

@overload
def response(
    api: Literal["fetch_snapshot", "FetchSnapshot", 59], number: int
) -> Structure[values.FetchSnapshotResponse]: ...

@overload
def response(
    api: Literal["remove_raft_voter", "RemoveRaftVoter", 81], number: int
) -> Structure[values.RemoveRaftVoterResponse]: ...

@overload
def response(
    api: Literal["update_raft_voter", "UpdateRaftVoter", 82], number: int
) -> Structure[values.UpdateRaftVoterResponse]: ...

@overload
def response(
    api: Literal["vote", "Vote", 52], number: int
) -> Structure[values.VoteResponse]: ...

@overload
def response(
    api: Literal["alter_user_scram_credentials", "AlterUserScramCredentials", 51], number: int
) -> Structure[values.AlterUserScramCredentialsResponse]: ...

@overload
def response(
    api: Literal["create_acls", "CreateAcls", 30], number: int
) -> Structure[values.CreateAclsResponse]: ...

@overload
def response(
    api: Literal["create_delegation_token", "CreateDelegationToken", 38], number: int
) -> Structure[values.CreateDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["delete_acls", "DeleteAcls", 31], number: int
) -> Structure[values.DeleteAclsResponse]: ...

@overload
def response(
    api: Literal["describe_acls", "DescribeAcls", 29], number: int
) -> Structure[values.DescribeAclsResponse]: ...

@overload
def response(
    api: Literal["describe_delegation_token", "DescribeDelegationToken", 41], number: int
) -> Structure[values.DescribeDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["describe_user_scram_credentials", "DescribeUserScramCredentials", 50], number: int
) -> Structure[values.DescribeUserScramCredentialsResponse]: ...

@overload
def response(
    api: Literal["expire_delegation_token", "ExpireDelegationToken", 40], number: int
) -> Structure[values.ExpireDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["renew_delegation_token", "RenewDelegationToken", 39], number: int
) -> Structure[values.RenewDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["sasl_authenticate", "SaslAuthenticate", 36], number: int
) -> Structure[values.SaslAuthenticateResponse]: ...

@overload
def response(
    api: Literal["sasl_handshake", "SaslHandshake", 17], number: int
) -> Structure[values.SaslHandshakeResponse]: ...

@overload
def response(
    api: Literal["alter_share_group_offsets", "AlterShareGroupOffsets", 91], number: int
) -> Structure[values.AlterShareGroupOffsetsResponse]: ...

@overload
def response(
    api: Literal["delete_share_group_offsets", "DeleteShareGroupOffsets", 92], number: int
) -> Structure[values.DeleteShareGroupOffsetsResponse]: ...

@overload
def response(
    api: Literal["delete_share_group_state", "DeleteShareGroupState", 86], number: int
) -> Structure[values.DeleteShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["describe_share_group_offsets", "DescribeShareGroupOffsets", 90], number: int
) -> Structure[values.DescribeShareGroupOffsetsResponse]: ...

@overload
def response(
    api: Literal["initialize_share_group_state", "InitializeShareGroupState", 83], number: int
) -> Structure[values.InitializeShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["read_share_group_state", "ReadShareGroupState", 84], number: int
) -> Structure[values.ReadShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["read_share_group_state_summary", "ReadShareGroupStateSummary", 87], number: int
) -> Structure[values.ReadShareGroupStateSummaryResponse]: ...

@overload
def response(
    api: Literal["share_acknowledge", "ShareAcknowledge", 79], number: int
) -> Structure[values.ShareAcknowledgeResponse]: ...

@overload
def response(
    api: Literal["share_fetch", "ShareFetch", 78], number: int
) -> Structure[values.ShareFetchResponse]: ...

@overload
def response(
    api: Literal["share_group_describe", "ShareGroupDescribe", 77], number: int
) -> Structure[values.ShareGroupDescribeResponse]: ...

@overload
def response(
    api: Literal["share_group_heartbeat", "ShareGroupHeartbeat", 76], number: int
) -> Structure[values.ShareGroupHeartbeatResponse]: ...

@overload
def response(
    api: Literal["write_share_group_state", "WriteShareGroupState", 85], number: int
) -> Structure[values.WriteShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["streams_group_describe", "StreamsGroupDescribe", 89], number: int
) -> Structure[values.StreamsGroupDescribeResponse]: ...

@overload
def response(
    api: Literal["streams_group_heartbeat", "StreamsGroupHeartbeat", 88], number: int
) -> Structure[values.StreamsGroupHeartbeatResponse]: ...

@overload
def response(
    api: Literal["streams_group_topology_description_update", "StreamsGroupTopologyDescriptionUpdate", 93], number: int
) -> Structure[values.StreamsGroupTopologyDescriptionUpdateResponse]: ...

@overload
def response(
    api: Literal["alter_partition_reassignments", "AlterPartitionReassignments", 45], number: int
) -> Structure[values.AlterPartitionReassignmentsResponse]: ...

@overload
def response(
    api: Literal["create_partitions", "CreatePartitions", 37], number: int
) -> Structure[values.CreatePartitionsResponse]: ...

@overload
def response(
    api: Literal["create_topics", "CreateTopics", 19], number: int
) -> Structure[values.CreateTopicsResponse]: ...

@overload
def response(
    api: Literal["delete_topics", "DeleteTopics", 20], number: int
) -> Structure[values.DeleteTopicsResponse]: ...

@overload
def response(
    api: Literal["elect_leaders", "ElectLeaders", 43], number: int
) -> Structure[values.ElectLeadersResponse]: ...

@overload
def response(
    api: Literal["list_partition_reassignments", "ListPartitionReassignments", 46], number: int
) -> Structure[values.ListPartitionReassignmentsResponse]: ...

@overload
def response(
    api: Literal["add_offsets_to_txn", "AddOffsetsToTxn", 25], number: int
) -> Structure[values.AddOffsetsToTxnResponse]: ...

@overload
def response(
    api: Literal["add_partitions_to_txn", "AddPartitionsToTxn", 24], number: int
) -> Structure[values.AddPartitionsToTxnResponse]: ...

@overload
def response(
    api: Literal["describe_transactions", "DescribeTransactions", 65], number: int
) -> Structure[values.DescribeTransactionsResponse]: ...

@overload
def response(
    api: Literal["end_txn", "EndTxn", 26], number: int
) -> Structure[values.EndTxnResponse]: ...

@overload
def response(
    api: Literal["init_producer_id", "InitProducerId", 22], number: int
) -> Structure[values.InitProducerIdResponse]: ...

@overload
def response(
    api: Literal["list_transactions", "ListTransactions", 66], number: int
) -> Structure[values.ListTransactionsResponse]: ...

@overload
def response(
    api: Literal["txn_offset_commit", "TxnOffsetCommit", 28], number: int
) -> Structure[values.TxnOffsetCommitResponse]: ...

@overload
def response(
    api: Literal["write_txn_markers", "WriteTxnMarkers", 27], number: int
) -> Structure[values.WriteTxnMarkersResponse]: ...

@overload
def response(api: Api, number: int) -> Structure[Any]: ...

def schema(name: str, number: int) -> Structure[Any]: ...
