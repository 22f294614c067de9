# Made by generate.py: what the compiler makes of spec/layouts/batch/record_batch.yaml. Nothing imports this file.
#
# The text is what `kafka_format.structure("record_batch").source` holds, made by
# kafka_format.codec.compiler.structure_text. It runs in a module that has more names:
# `kafka_format.codec.compiler.structure.namespace` has them all. The integers that stand
# side by side are read and written by one call:
#
#     GROUP_0 = struct.Struct(">qiibI")
#     GROUP_1 = struct.Struct(">hiqqqhii")
#
# A `quick` function raises an error at the first doubt, and the interpreter reads the bytes again.
# A `write` function works backwards: a length or checksum is filled in when what it covers is there.

"""Record batch (magic 2): compiled from spec/layouts/batch/record_batch.yaml."""


class RecordBatch(NamedTuple):
    """Record batch (magic 2), since 0.11.0.

    Attributes:
        base_offset: int64. Offset of the first original record; compaction keeps it.
        batch_length: int32. Bytes of the batch after this field.
        partition_leader_epoch: int32. Outside the checksum; the broker rewrites it. -1 is unknown.
        magic: int8. The same byte as in a v0 or v1 entry.
        crc: uint32. CRC-32C (Castagnoli).
        attributes: int16. Bits 7 to 15 are unused and ignored.
        last_offset_delta: int32. Offset of the last original record minus base_offset; compaction keeps it.
        base_timestamp: int64. Timestamp of the first record; timestamp deltas count from here.
        max_timestamp: int64. Largest timestamp of the records; of every record when timestamp_type is log_append_time.
        producer_id: int64. -1 is none.
        producer_epoch: int16
        base_sequence: int32. Sequence of the first record; after 2147483647 comes 0.
        record_count: int32
        records: array of record. One stream when compressed; this header stays plain.
    """

    base_offset: int = 0
    batch_length: int | None = None
    partition_leader_epoch: int = -1
    magic: int = 2
    crc: int | None = None
    attributes: int = 0
    last_offset_delta: int | None = None
    base_timestamp: int = -1
    max_timestamp: int = -1
    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    record_count: int | None = None
    records: list[Record] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it by the name of its layout: whatever loads it compiles this class again."""
        return unpickled, ("record_batch", tuple(self))

    @property
    def codec(self) -> str:
        """Bits 0 to 2 of attributes."""
        return NAMES_OF_CODEC.get(self.attributes & 7, str(self.attributes & 7))

    @property
    def timestamp_type(self) -> str:
        """Bit 3 of attributes."""
        return NAMES_OF_TIMESTAMP_TYPE.get(self.attributes >> 3 & 1, str(self.attributes >> 3 & 1))

    @property
    def is_transactional(self) -> bool:
        """Bit 4 of attributes."""
        return bool(self.attributes >> 4 & 1)

    @property
    def is_control(self) -> bool:
        """Bit 5 of attributes. The records are control records and never reach an application."""
        return bool(self.attributes >> 5 & 1)

    @property
    def has_delete_horizon(self) -> bool:
        """Bit 6 of attributes. base_timestamp is the delete horizon (KIP-534)."""
        return bool(self.attributes >> 6 & 1)


def quick(data: bytes, position: int, end: int, limit: int) -> tuple[RecordBatch, int]:
    """Read one record_batch."""
    (base_offset, batch_length, partition_leader_epoch, magic, crc) = GROUP_0.unpack_from(data, position)
    position += 21
    if batch_length < 49: raise IndexError
    stop = position - 9 + batch_length
    if stop > end: raise IndexError
    if magic != 2: raise IndexError
    if crc32c(data[position : stop]) != crc: raise IndexError
    (attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count) = GROUP_1.unpack_from(data, position)
    position += 40
    if attributes & 7 not in NAMES_OF_CODEC: raise IndexError
    codec = attributes & 7
    if codec:
        plain = compression.decompress(NAMES_OF_CODEC[codec], data[position:stop], limit=limit)
        records, position = quick_many_record(plain, 0, len(plain), record_count, limit)
        if position != len(plain): raise IndexError
        position = stop
    else:
        records, position = quick_many_record(data, position, stop, record_count, limit)
    if position != stop: raise IndexError
    return new(RecordBatch, (base_offset, batch_length, partition_leader_epoch, magic, crc, attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count, records)), position


def quick_many(data: bytes, position: int, end: int, count: int, limit: int, new=new, ZIGZAG=ZIGZAG, SECOND=SECOND) -> tuple[list[RecordBatch], int]:
    """Read `count` of them in a row."""
    if not 0 <= count * 61 <= end - position: raise IndexError
    items: list[RecordBatch] = []
    append = items.append
    for _ in range(count):
        (base_offset, batch_length, partition_leader_epoch, magic, crc) = GROUP_0.unpack_from(data, position)
        position += 21
        if batch_length < 49: raise IndexError
        stop = position - 9 + batch_length
        if stop > end: raise IndexError
        if magic != 2: raise IndexError
        if crc32c(data[position : stop]) != crc: raise IndexError
        (attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count) = GROUP_1.unpack_from(data, position)
        position += 40
        if attributes & 7 not in NAMES_OF_CODEC: raise IndexError
        codec = attributes & 7
        if codec:
            plain = compression.decompress(NAMES_OF_CODEC[codec], data[position:stop], limit=limit)
            records, position = quick_many_record(plain, 0, len(plain), record_count, limit)
            if position != len(plain): raise IndexError
            position = stop
        else:
            records, position = quick_many_record(data, position, stop, record_count, limit)
        if position != stop: raise IndexError
        append(new(RecordBatch, (base_offset, batch_length, partition_leader_epoch, magic, crc, attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count, records)))
    if position > end: raise IndexError
    return items, position


def write(value: RecordBatch) -> bytes:
    """Write one record_batch; what is None is filled."""
    (base_offset, batch_length, partition_leader_epoch, magic, crc, attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count, records) = value
    if isinstance(records, bytes):
        bytes_records = records
    else:
        bytes_records = write_many_record(records)
        codec = NAMES_OF_CODEC[attributes & 7]
        if codec != "none":
            bytes_records = compression.compress(codec, bytes_records)
    if record_count is None:
        record_count = runtime.count(records)
    if last_offset_delta is None:
        last_offset_delta = records[-1].offset_delta if records else 0
    tail = b"".join((GROUP_1.pack(attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count), bytes_records, ))
    if crc is None:
        crc = crc32c(tail)
    if batch_length is None:
        batch_length = len(tail) + 9
    return b"".join((GROUP_0.pack(base_offset, batch_length, partition_leader_epoch, magic, crc), tail,))


def write_many(values: Sequence[RecordBatch], bytes=bytes, len=len, type=type) -> bytes:
    """Write them in a row."""
    found: list[bytes] = []
    for value in values:
        (base_offset, batch_length, partition_leader_epoch, magic, crc, attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count, records) = value + ()  # plain tuples are the quickest to take apart
        if isinstance(records, bytes):
            bytes_records = records
        else:
            bytes_records = write_many_record(records)
            codec = NAMES_OF_CODEC[attributes & 7]
            if codec != "none":
                bytes_records = compression.compress(codec, bytes_records)
        if record_count is None:
            record_count = runtime.count(records)
        if last_offset_delta is None:
            last_offset_delta = records[-1].offset_delta if records else 0
        tail = b"".join((GROUP_1.pack(attributes, last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, record_count), bytes_records, ))
        if crc is None:
            crc = crc32c(tail)
        if batch_length is None:
            batch_length = len(tail) + 9
        found.append(GROUP_0.pack(base_offset, batch_length, partition_leader_epoch, magic, crc))
        found.append(tail)
    return b"".join(found)
