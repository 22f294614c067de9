"""What other protocols say first: each as what the client and the server send in turn.

Written from their specifications; those that have a size in front, as Kafka has, come first.
"""

import struct


def sized(content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + content


def fastcgi(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBHHBB", 1, kind, 1, len(content), 0, 0) + content


def mysql(number: int, content: bytes) -> bytes:
    return struct.pack("<I", len(content))[:3] + bytes((number,)) + content


def mongo(content: bytes) -> bytes:
    return struct.pack("<IIII", 16 + len(content), 7, 0, 2013) + content


def postgres(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack(">I", len(content) + 4) + content


def http2(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    return struct.pack(">I", len(content))[1:] + struct.pack(">BBI", kind, flags, stream) + content


ZOOKEEPER_CONNECT = struct.pack(">iqiq", 0, 0, 30000, 0) + sized(bytes(16)) + b"\0"
ZOOKEEPER_PING = struct.pack(">ii", -2, 11)
ZOOKEEPER_GET = struct.pack(">ii", 1, 4) + sized(b"/brokers/ids/1") + b"\0"
THRIFT_CALL = struct.pack(">I", 0x80010001) + sized(b"getUser") + struct.pack(">I", 1) + b"\x08\0\1\0\0\0\5\0"
PULSAR_CONNECT = b"\x08\x02\x12\x0d\x0a\x05\x33\x2e\x31\x2e\x30\x1a\x00\x2a\x04none"

PROTOCOLS: dict[str, list[tuple[str, bytes]]] = {
    "zookeeper": [
        ("c", sized(ZOOKEEPER_CONNECT)),
        ("s", sized(ZOOKEEPER_CONNECT)),
        ("c", sized(ZOOKEEPER_GET)),
        ("c", sized(ZOOKEEPER_PING)),
    ],
    "thrift, framed": [("c", sized(THRIFT_CALL)), ("s", sized(THRIFT_CALL.replace(b"\x80\1\0\1", b"\x80\1\0\2")))],
    "thrift, a cut one": [("c", sized(THRIFT_CALL + bytes(500))[:60])],
    "pulsar": [("c", sized(sized(PULSAR_CONNECT))), ("s", sized(sized(b"\x08\x03\x1a\x08\x0a\x06Pulsar")))],
    "fastcgi": [
        (
            "c",
            fastcgi(1, bytes.fromhex("0001010000000000"))
            + fastcgi(4, b"\x0f\x04SCRIPT_FILENAMEx.py")
            + fastcgi(5, b""),
        ),
        ("s", fastcgi(6, b"Content-Type: text/plain\r\n\r\nhi")),
    ],
    "dns over tcp": [
        ("c", struct.pack(">H", 29) + bytes.fromhex("1a2b01000001000000000000") + b"\x05kafka\x07example\x00\0\1\0\1")
    ],
    "postgresql": [
        ("c", sized(b"\0\3\0\0user\0me\0database\0orders\0\0")),
        ("s", postgres(b"R", bytes(4)) + postgres(b"Z", b"I")),
        ("c", postgres(b"Q", b"select 1\0")),
    ],
    "cassandra": [
        ("c", bytes.fromhex("0400000001 00000016") + b"\0\1\0\x0bCQL_VERSION\0\x053.0.0"),
        ("s", bytes.fromhex("8400000002 00000000")),
    ],
    "cassandra, version 3 on stream 0": [
        ("c", bytes.fromhex("0300000005 00000000")),
        ("s", bytes.fromhex("8300000006 0000000a") + bytes(10)),
    ],
    "hadoop rpc": [("c", b"hrpc\x09\0\0" + sized(b"\x1e\x08\x02\x10\x00\x18\xfd\xff\xff\xff\x0f" + bytes(20)))],
    "elasticsearch": [("c", b"ES" + struct.pack(">IqBI", 40, 1, 8, 7_000_099) + bytes(27))],
    "redis": [("c", b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"), ("s", b"+OK\r\n")],
    "mysql": [
        ("s", mysql(0, b"\x0a8.0.36\0" + bytes(40) + b"mysql_native_password\0")),
        ("c", mysql(1, bytes(32) + b"me\0")),
    ],
    "mongodb": [
        ("c", mongo(bytes(4) + b"\0" + struct.pack("<I", 31) + b"\x10hello\0\1\0\0\0\x02$db\0\6\0\0\0admin\0\0"))
    ],
    "amqp 0-9-1": [("c", b"AMQP\0\0\x09\1"), ("s", bytes.fromhex("01000000000018000a000a0009") + bytes(15) + b"\xce")],
    "mqtt": [("c", b"\x10\x16\0\x04MQTT\4\2\0\x3c\0\x0amqtt-clien"), ("s", b"\x20\2\0\0")],
    "nats": [
        ("s", b'INFO {"server_id":"x","version":"2.10"}\r\n'),
        ("c", b'CONNECT {"verbose":false}\r\nPING\r\n'),
        ("s", b"PONG\r\n"),
    ],
    "memcached": [
        ("c", bytes.fromhex("80000003 00000000 00000003 00000000 0000000000000000") + b"key"),
        ("s", bytes.fromhex("81000000 04000001 00000009 00000000 0000000000000001") + bytes(9)),
    ],
    "http": [
        ("c", b"POST /topics/orders HTTP/1.1\r\nHost: rest\r\nContent-Length: 2\r\n\r\n{}"),
        ("s", b"HTTP/1.1 200 OK\r\n\r\n" + bytes(5000)),
    ],
    "http/2": [
        ("c", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2(4, 0, 0, bytes.fromhex("000300000064"))),
        ("s", http2(4, 0, 0, b"") + http2(4, 1, 0, b"")),
    ],
    "http/2, in the middle": [
        ("c", http2(0, 0, 3, sized(b"\x0a\x05hello")[0:1] + bytes(40))),
        ("s", http2(0, 1, 3, bytes(60))),
    ],
    "ssh": [("s", b"SSH-2.0-OpenSSH_9.2\r\n"), ("c", b"SSH-2.0-Go\r\n" + sized(b"\x04\x14" + bytes(200)))],
    "ssh, key exchange alone": [
        ("c", sized(b"\x04\x14" + bytes(range(200)))),
        ("s", sized(b"\x04\x14" + bytes(range(100)))),
    ],
    "smtp": [("s", b"220 mail ESMTP\r\n"), ("c", b"EHLO me\r\n"), ("s", b"250-mail\r\n250 OK\r\n")],
    "ldap": [
        ("c", bytes.fromhex("300c020101600702010304008000")),
        ("s", bytes.fromhex("300c02010161070a010004000400")),
    ],
    "smb": [("c", sized(b"\xfeSMB" + struct.pack("<HHIHH", 64, 0, 0, 0, 31) + bytes(84)))],
    "smb, zeros": [("c", sized(bytes(60)))],
    "bgp": [("c", b"\xff" * 16 + bytes.fromhex("001d0104fde800b40a00000100"))],
    "rtmp": [("c", b"\3" + bytes(1536)), ("s", b"\3" + bytes(3072))],
    "modbus": [("c", bytes.fromhex("000100000006010300000002")), ("s", bytes.fromhex("00010000000701030400010002"))],
    "modbus, many": [
        ("c", bytes.fromhex("000100000006010300000002") * 30),
        ("s", bytes.fromhex("00010000000701030400010002") * 30),
    ],
    "jdwp": [("c", b"JDWP-Handshake"), ("s", b"JDWP-Handshake"), ("c", bytes.fromhex("0000000b 00000001 00 01 01"))],
    "jdwp, in the middle": [
        ("c", bytes.fromhex("0000000b 00000001 00 01 01") * 5),
        ("s", bytes.fromhex("0000000b 00000001 80 0000") * 5),
    ],
    "iiop": [("c", b"GIOP\1\2\0\0" + sized(bytes(40)))],
    "rsync": [("s", b"@RSYNCD: 31.0\n"), ("c", b"@RSYNCD: 31.0\nbackup\n")],
    "bittorrent": [("c", b"\x13BitTorrent protocol" + bytes(48)), ("s", sized(b"\x05" + bytes(30)))],
    "bittorrent, in the middle": [("c", sized(b"\2") + sized(b"\4" + bytes(4)) + sized(b"\6" + bytes(12)))],
    "protobufs with sizes": [("c", sized(b"\x08\x96\x01\x12\x05hello") * 3), ("s", sized(b"\x08\x01") * 3)],
    "json with sizes": [("c", sized(b'{"op": "hello", "id": 1}') * 2), ("s", sized(b'{"ok": true}') * 2)],
    "smb, a file with numbers and zeros": [
        ("c", sized(b"\xfeSMB" + bytes(60) + bytes.fromhex("00000014") + bytes(20) + bytes(200))),
        ("s", sized(b"\xfeSMB" + bytes(60))),
    ],
    "smb, a packet in a file of captures": [
        ("c", sized(b"\xfeSMB" + bytes(60) + bytes.fromhex("00000017 0000 0000 00000000 0001 50") + b"\xfeSMB" * 40)),
    ],
    "mqtt, a picture": [
        ("c", b"\x30\x80\x10\0\4/pic\xff\xd8\xff" + bytes(900) + bytes.fromhex("000006000000000000000000 0001 5d")),
        ("c", b"\x5d\0\0\2\x58" + bytes(1600)),
    ],
    "openflow": [
        ("s", bytes.fromhex("01000008 00000001")),
        ("c", bytes.fromhex("01000008 00000001 01050008 00000002")),
        ("s", bytes.fromhex("01060020 00000002 0000000000000001 00000100 02000000 00000087 00000fff")),
        ("c", bytes.fromhex("010e0050 00000003") + bytes(72) + bytes.fromhex("00000014") + bytes(60)),
    ],
    "activemq": [
        ("c", sized(b"\x01ActiveMQ\0\0\0\x0c" + bytes(60))),
        ("s", sized(b"\x02\0\0\0\0\0\x01\x7c\1\0\x2aID:host-51102-1721659772784-0:1\1\0\x1b" + bytes(70))),
        ("s", sized(bytes.fromhex("1e000000000000000001"))),
    ],
    "a dump of a program": [
        ("c", b"\x7fELF" + bytes(90) + bytes.fromhex("000000140000000000000007000000000000001700000000") * 9)
    ],
    "zeros": [("c", bytes(2000)), ("s", bytes(2000))],
    "keepalives": [("c", b"\0"), ("s", b"\0")] * 20,
}
"""What both ends say, by the name of the protocol: `c` is the client."""
