# Made by generate.py: what the compiler makes of spec/layouts/batch/record_batch.yaml. Nothing imports this file.
#
# The text is what `kafka_format.structure("record_batch").source` holds, made by
# kafka_format.codec.compiler. It runs in a module that has more names: those of
# `kafka_format.codec.runtime.NAMES`, and tables and functions of `struct` that have the name of
# their codes: `unpack_qi` is `struct.Struct(">qi").unpack_from`.
#
# Both functions raise an error at the first doubt, and the interpreter reads or writes instead.

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
        return CODEC_NAMES.get(self.attributes & 7, str(self.attributes & 7))

    @property
    def timestamp_type(self) -> str:
        """Bit 3 of attributes."""
        return TIMESTAMP_TYPE_NAMES.get(self.attributes >> 3 & 1, str(self.attributes >> 3 & 1))

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


def read(data, position, end, limit, new=new, ZIGZAG=ZIGZAG, SECOND=SECOND):
    (base_offset_0, batch_length_0, partition_leader_epoch_0, magic_0, crc_0, attributes_0, last_offset_delta_0, base_timestamp_0, max_timestamp_0, producer_id_0, producer_epoch_0, base_sequence_0, record_count_0,) = unpack_qiibIhiqqqhii(data, position)
    position += 61
    batch_length_0_stop = position - 49 + batch_length_0
    if batch_length_0_stop > end: raise IndexError
    if batch_length_0 < 49: raise IndexError
    if magic_0 != 2: raise IndexError
    if crc32c(data[position - 40 : batch_length_0_stop]) != crc_0: raise IndexError
    if attributes_0 & 7 > 4: raise IndexError
    n0 = record_count_0
    if n0 >= 0:
        codec, inside = attributes_0 & 7, batch_length_0_stop
        if codec:
            whole, data, position = data, compression.decompress(CODEC_NAMES[codec], data[position:inside], limit=limit), 0
            inside = len(data)
        records_0 = []
        while n0:
            length_1 = data[position]
            if length_1 < 0x80:
                length_1 = ZIGZAG[length_1]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    length_1 = more ^ ZIGZAG[length_1]
                    position += 2
                else:
                    length_1, position = quick_varint(data, position, VARINT)
            attributes_1 = data[position]
            position += 1
            if attributes_1 > 127: attributes_1 -= 256
            length_1_stop = position - 1 + length_1
            if length_1_stop > inside: raise IndexError
            if length_1 < 0: raise IndexError
            timestamp_delta_1 = data[position]
            if timestamp_delta_1 < 0x80:
                timestamp_delta_1 = ZIGZAG[timestamp_delta_1]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    timestamp_delta_1 = more ^ ZIGZAG[timestamp_delta_1]
                    position += 2
                elif more and (last := THIRD[data[position + 2]]):
                    timestamp_delta_1 = last ^ more ^ ZIGZAG[timestamp_delta_1]
                    position += 3
                else:
                    timestamp_delta_1, position = quick_varint(data, position, VARLONG)
            offset_delta_1 = data[position]
            if offset_delta_1 < 0x80:
                offset_delta_1 = ZIGZAG[offset_delta_1]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    offset_delta_1 = more ^ ZIGZAG[offset_delta_1]
                    position += 2
                elif more and (last := THIRD[data[position + 2]]):
                    offset_delta_1 = last ^ more ^ ZIGZAG[offset_delta_1]
                    position += 3
                else:
                    offset_delta_1, position = quick_varint(data, position, VARINT)
            n = data[position]
            if n < 0x80:
                n = ZIGZAG[n]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    n = more ^ ZIGZAG[n]
                    position += 2
                else:
                    n, position = quick_varint(data, position, VARINT)
            if n >= 0:
                start = position
                position += n
                key_1 = data[start:position]
            elif n == -1:
                key_1 = None
            else:
                raise IndexError
            n = data[position]
            if n < 0x80:
                n = ZIGZAG[n]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    n = more ^ ZIGZAG[n]
                    position += 2
                else:
                    n, position = quick_varint(data, position, VARINT)
            if n >= 0:
                start = position
                position += n
                value_1 = data[start:position]
            elif n == -1:
                value_1 = None
            else:
                raise IndexError
            header_count_1 = data[position]
            if header_count_1 < 0x80:
                header_count_1 = ZIGZAG[header_count_1]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    header_count_1 = more ^ ZIGZAG[header_count_1]
                    position += 2
                else:
                    header_count_1, position = quick_varint(data, position, VARINT)
            n1 = header_count_1
            if n1 >= 0:
                headers_1 = []
                while n1:
                    n = data[position]
                    if n < 0x80:
                        n = ZIGZAG[n]
                        position += 1
                    else:
                        more = SECOND[data[position + 1]]
                        if more > 0:
                            n = more ^ ZIGZAG[n]
                            position += 2
                        else:
                            n, position = quick_varint(data, position, VARINT)
                    if n >= 0:
                        start = position
                        position += n
                        key_2 = data[start:position]
                        if not key_2.isascii(): key_2.decode()
                    else:
                        raise IndexError
                    n = data[position]
                    if n < 0x80:
                        n = ZIGZAG[n]
                        position += 1
                    else:
                        more = SECOND[data[position + 1]]
                        if more > 0:
                            n = more ^ ZIGZAG[n]
                            position += 2
                        else:
                            n, position = quick_varint(data, position, VARINT)
                    if n >= 0:
                        start = position
                        position += n
                        value_2 = data[start:position]
                    elif n == -1:
                        value_2 = None
                    else:
                        raise IndexError
                    headers_1.append(new(Header, (key_2, value_2, )))
                    n1 -= 1
            else:
                raise IndexError
            if position != length_1_stop: raise IndexError
            records_0.append(new(Record, (length_1, attributes_1, timestamp_delta_1, offset_delta_1, key_1, value_1, header_count_1, headers_1, )))
            n0 -= 1
        if codec:
            if position != inside: raise IndexError
            data, position = whole, batch_length_0_stop
    else:
        raise IndexError
    if position != batch_length_0_stop: raise IndexError
    return new(RecordBatch, (base_offset_0, batch_length_0, partition_leader_epoch_0, magic_0, crc_0, attributes_0, last_offset_delta_0, base_timestamp_0, max_timestamp_0, producer_id_0, producer_epoch_0, base_sequence_0, record_count_0, records_0, )), position


def write(value, Header=Header, Record=Record, RecordBatch=RecordBatch, VARINT_SHORT=VARINT_SHORT, VARLONG_SHORT=VARLONG_SHORT, bytes=bytes, len=len, type=type):
    if type(value) is not RecordBatch: raise TypeError
    (base_offset_0, batch_length_0, partition_leader_epoch_0, magic_0, crc_0, attributes_0, last_offset_delta_0, base_timestamp_0, max_timestamp_0, producer_id_0, producer_epoch_0, base_sequence_0, record_count_0, records_0, ) = value + ()
    if last_offset_delta_0 is None:
        last_offset_delta_0 = records_0[-1].offset_delta if records_0 else 0
    if record_count_0 is None:
        record_count_0 = count(records_0)
    if type(records_0) is not bytes:
        plain = []
        for item0 in records_0:
            if type(item0) is not Record: raise TypeError
            (length_1, attributes_1, timestamp_delta_1, offset_delta_1, key_1, value_1, header_count_1, headers_1, ) = item0 + ()
            if header_count_1 is None:
                header_count_1 = len(headers_1)
            if type(key_1) is bytes:
                key_1_size = len(key_1)
                key_1_size = VARINT_SHORT[key_1_size] if key_1_size < 8192 else write_varint(key_1_size, VARINT)
            elif key_1 is None: key_1_size, key_1 = b'\x01', b""
            else: raise TypeError
            if type(value_1) is bytes:
                value_1_size = len(value_1)
                value_1_size = VARINT_SHORT[value_1_size] if value_1_size < 8192 else write_varint(value_1_size, VARINT)
            elif value_1 is None: value_1_size, value_1 = b'\x01', b""
            else: raise TypeError
            if type(headers_1) is not list and type(headers_1) is not tuple: raise TypeError
            tail2 = [NUMBERS[attributes_1] if 0 <= attributes_1 < 128 else pack_b(attributes_1), (VARLONG_SHORT[timestamp_delta_1] if timestamp_delta_1 >= -8192 else write_varint(timestamp_delta_1, VARLONG)) if timestamp_delta_1 < 8192 else COUNTED[timestamp_delta_1] if timestamp_delta_1 < len(COUNTED) else number_varint(timestamp_delta_1, VARLONG), (VARINT_SHORT[offset_delta_1] if offset_delta_1 >= -8192 else write_varint(offset_delta_1, VARINT)) if offset_delta_1 < 8192 else COUNTED[offset_delta_1] if offset_delta_1 < len(COUNTED) else number_varint(offset_delta_1, VARINT), key_1_size, key_1, value_1_size, value_1, VARINT_SHORT[header_count_1] if -8192 <= header_count_1 < 8192 else write_varint(header_count_1, VARINT)]
            for item1 in headers_1:
                if type(item1) is not Header: raise TypeError
                (key_2, value_2, ) = item1 + ()
                if type(key_2) is bytes:
                    key_2_size = len(key_2)
                    key_2_size = VARINT_SHORT[key_2_size] if key_2_size < 8192 else write_varint(key_2_size, VARINT)
                else: raise TypeError
                if type(value_2) is bytes:
                    value_2_size = len(value_2)
                    value_2_size = VARINT_SHORT[value_2_size] if value_2_size < 8192 else write_varint(value_2_size, VARINT)
                elif value_2 is None: value_2_size, value_2 = b'\x01', b""
                else: raise TypeError
                tail2 += (key_2_size, key_2, value_2_size, value_2)
            tail2 = b"".join(tail2)
            if length_1 is None:
                length_1 = len(tail2)
            plain += (VARINT_SHORT[length_1] if -8192 <= length_1 < 8192 else write_varint(length_1, VARINT), tail2)
        records_0 = b"".join(plain)
        codec = CODEC_NAMES[attributes_0 & 7]
        if codec != "none":
            records_0 = compression.compress(codec, records_0)
    tail1 = [pack_hiqqqhii(attributes_0, last_offset_delta_0, base_timestamp_0, max_timestamp_0, producer_id_0, producer_epoch_0, base_sequence_0, record_count_0), records_0]
    tail1 = b"".join(tail1)
    if crc_0 is None:
        crc_0 = crc32c(tail1)
    if batch_length_0 is None:
        batch_length_0 = len(tail1) + 9
    parts = [pack_qiibI(base_offset_0, batch_length_0, partition_leader_epoch_0, magic_0, crc_0), tail1]
    return b"".join(parts)
