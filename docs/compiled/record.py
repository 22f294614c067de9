# Made by generate.py: what the compiler makes of spec/layouts/batch/record.yaml. Nothing imports this file.
#
# The text is what `kafka_format.structure("record").source` holds, made by
# kafka_format.codec.compiler. It runs in a module that has more names: those of
# `kafka_format.codec.runtime.NAMES`, and tables and functions of `struct` that have the name of
# their codes: `unpack_qi` is `struct.Struct(">qi").unpack_from`.
#
# Both functions raise an error at the first doubt, and the interpreter reads or writes instead.

class Record(NamedTuple):
    """Record (in a batch of magic 2), since 0.11.0.

    Attributes:
        length: varint. Bytes of the record after this field.
        attributes: int8. Unused; ignored when read.
        timestamp_delta: varlong. Timestamp minus base_timestamp. May be negative and may need 64 bits.
        offset_delta: varint. Offset minus base_offset.
        key: varint_bytes
        value: varint_bytes. Null is a tombstone.
        header_count: varint
        headers: array of header
    """

    length: int | None = None
    attributes: int = 0
    timestamp_delta: int = 0
    offset_delta: int = 0
    key: bytes | None = None
    value: bytes | None = None
    header_count: int | None = None
    headers: list[Header] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it by the name of its layout: whatever loads it compiles this class again."""
        return unpickled, ("record", tuple(self))


def read(data, position, end, limit, new=new, ZIGZAG=ZIGZAG, SECOND=SECOND):
    length_0 = data[position]
    if length_0 < 0x80:
        length_0 = ZIGZAG[length_0]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            length_0 = more ^ ZIGZAG[length_0]
            position += 2
        else:
            length_0, position = quick_varint(data, position, VARINT)
    attributes_0 = data[position]
    position += 1
    if attributes_0 > 127: attributes_0 -= 256
    length_0_stop = position - 1 + length_0
    if length_0_stop > end: raise IndexError
    if length_0 < 0: raise IndexError
    timestamp_delta_0 = data[position]
    if timestamp_delta_0 < 0x80:
        timestamp_delta_0 = ZIGZAG[timestamp_delta_0]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            timestamp_delta_0 = more ^ ZIGZAG[timestamp_delta_0]
            position += 2
        elif more and (last := THIRD[data[position + 2]]):
            timestamp_delta_0 = last ^ more ^ ZIGZAG[timestamp_delta_0]
            position += 3
        else:
            timestamp_delta_0, position = quick_varint(data, position, VARLONG)
    offset_delta_0 = data[position]
    if offset_delta_0 < 0x80:
        offset_delta_0 = ZIGZAG[offset_delta_0]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            offset_delta_0 = more ^ ZIGZAG[offset_delta_0]
            position += 2
        elif more and (last := THIRD[data[position + 2]]):
            offset_delta_0 = last ^ more ^ ZIGZAG[offset_delta_0]
            position += 3
        else:
            offset_delta_0, position = quick_varint(data, position, VARINT)
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
        key_0 = data[start:position]
    elif n == -1:
        key_0 = None
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
        value_0 = data[start:position]
    elif n == -1:
        value_0 = None
    else:
        raise IndexError
    header_count_0 = data[position]
    if header_count_0 < 0x80:
        header_count_0 = ZIGZAG[header_count_0]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            header_count_0 = more ^ ZIGZAG[header_count_0]
            position += 2
        else:
            header_count_0, position = quick_varint(data, position, VARINT)
    n0 = header_count_0
    if n0 >= 0:
        headers_0 = []
        while n0:
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
                if not key_1.isascii(): key_1.decode()
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
            headers_0.append(new(Header, (key_1, value_1, )))
            n0 -= 1
    else:
        raise IndexError
    if position != length_0_stop: raise IndexError
    return new(Record, (length_0, attributes_0, timestamp_delta_0, offset_delta_0, key_0, value_0, header_count_0, headers_0, )), position


def write(value, Header=Header, Record=Record, VARINT_SHORT=VARINT_SHORT, VARLONG_SHORT=VARLONG_SHORT, bytes=bytes, len=len, type=type):
    if type(value) is not Record: raise TypeError
    (length_0, attributes_0, timestamp_delta_0, offset_delta_0, key_0, value_0, header_count_0, headers_0, ) = value + ()
    if header_count_0 is None:
        header_count_0 = len(headers_0)
    if type(key_0) is bytes:
        key_0_size = len(key_0)
        key_0_size = VARINT_SHORT[key_0_size] if key_0_size < 8192 else write_varint(key_0_size, VARINT)
    elif key_0 is None: key_0_size, key_0 = b'\x01', b""
    else: raise TypeError
    if type(value_0) is bytes:
        value_0_size = len(value_0)
        value_0_size = VARINT_SHORT[value_0_size] if value_0_size < 8192 else write_varint(value_0_size, VARINT)
    elif value_0 is None: value_0_size, value_0 = b'\x01', b""
    else: raise TypeError
    if type(headers_0) is not list and type(headers_0) is not tuple: raise TypeError
    tail1 = [NUMBERS[attributes_0] if 0 <= attributes_0 < 128 else pack_b(attributes_0), (VARLONG_SHORT[timestamp_delta_0] if timestamp_delta_0 >= -8192 else write_varint(timestamp_delta_0, VARLONG)) if timestamp_delta_0 < 8192 else COUNTED[timestamp_delta_0] if timestamp_delta_0 < len(COUNTED) else number_varint(timestamp_delta_0, VARLONG), (VARINT_SHORT[offset_delta_0] if offset_delta_0 >= -8192 else write_varint(offset_delta_0, VARINT)) if offset_delta_0 < 8192 else COUNTED[offset_delta_0] if offset_delta_0 < len(COUNTED) else number_varint(offset_delta_0, VARINT), key_0_size, key_0, value_0_size, value_0, VARINT_SHORT[header_count_0] if -8192 <= header_count_0 < 8192 else write_varint(header_count_0, VARINT)]
    for item0 in headers_0:
        if type(item0) is not Header: raise TypeError
        (key_1, value_1, ) = item0 + ()
        if type(key_1) is bytes:
            key_1_size = len(key_1)
            key_1_size = VARINT_SHORT[key_1_size] if key_1_size < 8192 else write_varint(key_1_size, VARINT)
        else: raise TypeError
        if type(value_1) is bytes:
            value_1_size = len(value_1)
            value_1_size = VARINT_SHORT[value_1_size] if value_1_size < 8192 else write_varint(value_1_size, VARINT)
        elif value_1 is None: value_1_size, value_1 = b'\x01', b""
        else: raise TypeError
        tail1 += (key_1_size, key_1, value_1_size, value_1)
    tail1 = b"".join(tail1)
    if length_0 is None:
        length_0 = len(tail1)
    parts = [VARINT_SHORT[length_0] if -8192 <= length_0 < 8192 else write_varint(length_0, VARINT), tail1]
    return b"".join(parts)
