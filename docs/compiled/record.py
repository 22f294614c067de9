# Made by generate.py: what the compiler makes of spec/layouts/batch/record.yaml. Nothing imports this file.
#
# The text is what `kafka_format.structure("record").source` holds, made by
# kafka_format.codec.compiler.structure_text. It runs in a module that has more names:
# `kafka_format.codec.compiler.structure.namespace` has them all. The integers that stand
# side by side are read and written by one call:
#
#     GROUP_1 = struct.Struct(">b")
#
# A `quick` function raises an error at the first doubt, and the interpreter reads the bytes again.
# A `write` function works backwards: a length or checksum is filled in when what it covers is there.

"""Record (in a batch of magic 2): compiled from spec/layouts/batch/record.yaml."""


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


def quick(data: bytes, position: int, end: int, limit: int) -> tuple[Record, int]:
    """Read one record."""
    length = data[position]
    if length < 0x80:
        length = ZIGZAG[length]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            length = more ^ ZIGZAG[length]
            position += 2
        else:
            length, position = quick_varint(data, position, VARINT)
    if length < 0: raise IndexError
    stop = position + length
    if stop > end: raise IndexError
    attributes = data[position]
    position += 1
    if attributes > 0x7F:
        attributes -= 0x100
    timestamp_delta = data[position]
    if timestamp_delta < 0x80:
        timestamp_delta = ZIGZAG[timestamp_delta]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            timestamp_delta = more ^ ZIGZAG[timestamp_delta]
            position += 2
        elif more and (last := THIRD[data[position + 2]]):
            timestamp_delta = last ^ more ^ ZIGZAG[timestamp_delta]
            position += 3
        else:
            timestamp_delta, position = quick_varint(data, position, VARLONG)
    offset_delta = data[position]
    if offset_delta < 0x80:
        offset_delta = ZIGZAG[offset_delta]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            offset_delta = more ^ ZIGZAG[offset_delta]
            position += 2
        elif more and (last := THIRD[data[position + 2]]):
            offset_delta = last ^ more ^ ZIGZAG[offset_delta]
            position += 3
        else:
            offset_delta, position = quick_varint(data, position, VARINT)
    size = data[position]
    if size < 0x80:
        size = ZIGZAG[size]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            size = more ^ ZIGZAG[size]
            position += 2
        else:
            size, position = quick_varint(data, position, VARINT)
    if size >= 0:
        start = position
        position += size
        key = data[start:position]
    elif size == -1:
        key = None
    else:
        raise IndexError
    size = data[position]
    if size < 0x80:
        size = ZIGZAG[size]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            size = more ^ ZIGZAG[size]
            position += 2
        else:
            size, position = quick_varint(data, position, VARINT)
    if size >= 0:
        start = position
        position += size
        value = data[start:position]
    elif size == -1:
        value = None
    else:
        raise IndexError
    header_count = data[position]
    if header_count < 0x80:
        header_count = ZIGZAG[header_count]
        position += 1
    else:
        more = SECOND[data[position + 1]]
        if more > 0:
            header_count = more ^ ZIGZAG[header_count]
            position += 2
        else:
            header_count, position = quick_varint(data, position, VARINT)
    headers = []
    if header_count:
        if header_count < 0: raise IndexError
        left = header_count
        while left:
            size = data[position]
            if size < 0x80:
                size = ZIGZAG[size]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    size = more ^ ZIGZAG[size]
                    position += 2
                else:
                    size, position = quick_varint(data, position, VARINT)
            if size >= 0:
                start = position
                position += size
                item_key = data[start:position]
                if not item_key.isascii():
                    item_key.decode()
            else:
                raise IndexError
            size = data[position]
            if size < 0x80:
                size = ZIGZAG[size]
                position += 1
            else:
                more = SECOND[data[position + 1]]
                if more > 0:
                    size = more ^ ZIGZAG[size]
                    position += 2
                else:
                    size, position = quick_varint(data, position, VARINT)
            if size >= 0:
                start = position
                position += size
                item_value = data[start:position]
            elif size == -1:
                item_value = None
            else:
                raise IndexError
            headers.append(new(Header, (item_key, item_value, )))
            left -= 1
    if position != stop: raise IndexError
    return new(Record, (length, attributes, timestamp_delta, offset_delta, key, value, header_count, headers)), position


def quick_many(data: bytes, position: int, end: int, count: int, limit: int, new=new, ZIGZAG=ZIGZAG, SECOND=SECOND) -> tuple[list[Record], int]:
    """Read `count` of them in a row."""
    if not 0 <= count * 7 <= end - position: raise IndexError
    items: list[Record] = []
    append = items.append
    for _ in range(count):
        length = data[position]
        if length < 0x80:
            length = ZIGZAG[length]
            position += 1
        else:
            more = SECOND[data[position + 1]]
            if more > 0:
                length = more ^ ZIGZAG[length]
                position += 2
            else:
                length, position = quick_varint(data, position, VARINT)
        if length < 0: raise IndexError
        stop = position + length
        if stop > end: raise IndexError
        attributes = data[position]
        position += 1
        if attributes > 0x7F:
            attributes -= 0x100
        timestamp_delta = data[position]
        if timestamp_delta < 0x80:
            timestamp_delta = ZIGZAG[timestamp_delta]
            position += 1
        else:
            more = SECOND[data[position + 1]]
            if more > 0:
                timestamp_delta = more ^ ZIGZAG[timestamp_delta]
                position += 2
            elif more and (last := THIRD[data[position + 2]]):
                timestamp_delta = last ^ more ^ ZIGZAG[timestamp_delta]
                position += 3
            else:
                timestamp_delta, position = quick_varint(data, position, VARLONG)
        offset_delta = data[position]
        if offset_delta < 0x80:
            offset_delta = ZIGZAG[offset_delta]
            position += 1
        else:
            more = SECOND[data[position + 1]]
            if more > 0:
                offset_delta = more ^ ZIGZAG[offset_delta]
                position += 2
            elif more and (last := THIRD[data[position + 2]]):
                offset_delta = last ^ more ^ ZIGZAG[offset_delta]
                position += 3
            else:
                offset_delta, position = quick_varint(data, position, VARINT)
        size = data[position]
        if size < 0x80:
            size = ZIGZAG[size]
            position += 1
        else:
            more = SECOND[data[position + 1]]
            if more > 0:
                size = more ^ ZIGZAG[size]
                position += 2
            else:
                size, position = quick_varint(data, position, VARINT)
        if size >= 0:
            start = position
            position += size
            key = data[start:position]
        elif size == -1:
            key = None
        else:
            raise IndexError
        size = data[position]
        if size < 0x80:
            size = ZIGZAG[size]
            position += 1
        else:
            more = SECOND[data[position + 1]]
            if more > 0:
                size = more ^ ZIGZAG[size]
                position += 2
            else:
                size, position = quick_varint(data, position, VARINT)
        if size >= 0:
            start = position
            position += size
            value = data[start:position]
        elif size == -1:
            value = None
        else:
            raise IndexError
        header_count = data[position]
        if header_count < 0x80:
            header_count = ZIGZAG[header_count]
            position += 1
        else:
            more = SECOND[data[position + 1]]
            if more > 0:
                header_count = more ^ ZIGZAG[header_count]
                position += 2
            else:
                header_count, position = quick_varint(data, position, VARINT)
        headers = []
        if header_count:
            if header_count < 0: raise IndexError
            left = header_count
            while left:
                size = data[position]
                if size < 0x80:
                    size = ZIGZAG[size]
                    position += 1
                else:
                    more = SECOND[data[position + 1]]
                    if more > 0:
                        size = more ^ ZIGZAG[size]
                        position += 2
                    else:
                        size, position = quick_varint(data, position, VARINT)
                if size >= 0:
                    start = position
                    position += size
                    item_key = data[start:position]
                    if not item_key.isascii():
                        item_key.decode()
                else:
                    raise IndexError
                size = data[position]
                if size < 0x80:
                    size = ZIGZAG[size]
                    position += 1
                else:
                    more = SECOND[data[position + 1]]
                    if more > 0:
                        size = more ^ ZIGZAG[size]
                        position += 2
                    else:
                        size, position = quick_varint(data, position, VARINT)
                if size >= 0:
                    start = position
                    position += size
                    item_value = data[start:position]
                elif size == -1:
                    item_value = None
                else:
                    raise IndexError
                headers.append(new(Header, (item_key, item_value, )))
                left -= 1
        if position != stop: raise IndexError
        append(new(Record, (length, attributes, timestamp_delta, offset_delta, key, value, header_count, headers)))
    if position > end: raise IndexError
    return items, position


def write(value: Record) -> bytes:
    """Write one record; what is None is filled."""
    (length, attributes, timestamp_delta, offset_delta, key, value, header_count, headers) = value
    if type(headers) is not list and type(headers) is not tuple:
        raise TypeError
    if header_count is None:
        header_count = len(headers)
    if type(value) is bytes:
        size_value = len(value)
        size_value = VARINT_SHORT[size_value] if size_value < 8192 else write_varint(size_value, VARINT)
    elif value is None:
        size_value, value = NULL_VARINT_BYTES, b""
    else:
        raise TypeError
    if type(key) is bytes:
        size_key = len(key)
        size_key = VARINT_SHORT[size_key] if size_key < 8192 else write_varint(size_key, VARINT)
    elif key is None:
        size_key, key = NULL_VARINT_BYTES, b""
    else:
        raise TypeError
    parts = [INT8_BYTES[attributes], (VARLONG_SHORT[timestamp_delta] if timestamp_delta >= -8192 else write_varint(timestamp_delta, VARLONG)) if timestamp_delta < 8192 else COUNTED[timestamp_delta] if timestamp_delta < len(COUNTED) else number_varint(timestamp_delta, VARLONG), (VARINT_SHORT[offset_delta] if offset_delta >= -8192 else write_varint(offset_delta, VARINT)) if offset_delta < 8192 else COUNTED[offset_delta] if offset_delta < len(COUNTED) else number_varint(offset_delta, VARINT), size_key, key, size_value, value, VARINT_SHORT[header_count] if -8192 <= header_count < 8192 else write_varint(header_count, VARINT), ]
    for (item_key, item_value, ) in headers:
        if type(item_value) is bytes:
            size_item_value = len(item_value)
            size_item_value = VARINT_SHORT[size_item_value] if size_item_value < 8192 else write_varint(size_item_value, VARINT)
        elif item_value is None:
            size_item_value, item_value = NULL_VARINT_BYTES, b""
        else:
            raise TypeError
        if type(item_key) is bytes:
            size_item_key = len(item_key)
            size_item_key = VARINT_SHORT[size_item_key] if size_item_key < 8192 else write_varint(size_item_key, VARINT)
        else:
            raise TypeError
        parts += (size_item_key, item_key, size_item_value, item_value, )
    tail = b"".join(parts)
    if length is None:
        length = len(tail)
    return b"".join((VARINT_SHORT[length] if -8192 <= length < 8192 else write_varint(length, VARINT), tail,))


def write_many(values: Sequence[Record], bytes=bytes, len=len, type=type, VARINT_SHORT=VARINT_SHORT, VARLONG_SHORT=VARLONG_SHORT) -> bytes:
    """Write them in a row."""
    found: list[bytes] = []
    for value in values:
        (length, attributes, timestamp_delta, offset_delta, key, value, header_count, headers) = value + ()  # plain tuples are the quickest to take apart
        if type(headers) is not list and type(headers) is not tuple:
            raise TypeError
        if header_count is None:
            header_count = len(headers)
        if type(value) is bytes:
            size_value = len(value)
            size_value = VARINT_SHORT[size_value] if size_value < 8192 else write_varint(size_value, VARINT)
        elif value is None:
            size_value, value = NULL_VARINT_BYTES, b""
        else:
            raise TypeError
        if type(key) is bytes:
            size_key = len(key)
            size_key = VARINT_SHORT[size_key] if size_key < 8192 else write_varint(size_key, VARINT)
        elif key is None:
            size_key, key = NULL_VARINT_BYTES, b""
        else:
            raise TypeError
        parts = [INT8_BYTES[attributes], (VARLONG_SHORT[timestamp_delta] if timestamp_delta >= -8192 else write_varint(timestamp_delta, VARLONG)) if timestamp_delta < 8192 else COUNTED[timestamp_delta] if timestamp_delta < len(COUNTED) else number_varint(timestamp_delta, VARLONG), (VARINT_SHORT[offset_delta] if offset_delta >= -8192 else write_varint(offset_delta, VARINT)) if offset_delta < 8192 else COUNTED[offset_delta] if offset_delta < len(COUNTED) else number_varint(offset_delta, VARINT), size_key, key, size_value, value, VARINT_SHORT[header_count] if -8192 <= header_count < 8192 else write_varint(header_count, VARINT), ]
        for (item_key, item_value, ) in headers:
            if type(item_value) is bytes:
                size_item_value = len(item_value)
                size_item_value = VARINT_SHORT[size_item_value] if size_item_value < 8192 else write_varint(size_item_value, VARINT)
            elif item_value is None:
                size_item_value, item_value = NULL_VARINT_BYTES, b""
            else:
                raise TypeError
            if type(item_key) is bytes:
                size_item_key = len(item_key)
                size_item_key = VARINT_SHORT[size_item_key] if size_item_key < 8192 else write_varint(size_item_key, VARINT)
            else:
                raise TypeError
            parts += (size_item_key, item_key, size_item_value, item_value, )
        tail = b"".join(parts)
        if length is None:
            length = len(tail)
        found.append(VARINT_SHORT[length] if -8192 <= length < 8192 else write_varint(length, VARINT))
        found.append(tail)
    return b"".join(found)
