/* Numbers, varints, checksums and UTF-8 of the formats. Nothing here knows of Python, and nothing reads at or beyond
   `end`. What breaks a rule gives 0: the caller then doubts all that it reads. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define RARELY(x) __builtin_expect(!!(x), 0)
#else
#define RARELY(x) (x)
#endif

static inline uint32_t load_uint32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t load_uint64(const uint8_t *p)
{
    return (uint64_t)load_uint32(p) << 32 | load_uint32(p + 4);
}

/* Reads a big-endian integer of 1, 2, 4 or 8 bytes. Unsigned ones of 8 bytes are in no program. */
static inline int64_t load_integer(const uint8_t *p, int size, int is_signed)
{
    switch (size) {
    case 1:
        return is_signed ? (int8_t)p[0] : p[0];
    case 2: {
        const uint16_t number = (uint16_t)(p[0] << 8 | p[1]);
        return is_signed ? (int16_t)number : number;
    }
    case 4:
        return is_signed ? (int32_t)load_uint32(p) : (int64_t)load_uint32(p);
    default:
        return (int64_t)load_uint64(p);
    }
}

static inline void store_integer(uint8_t *p, uint64_t number, int size)
{
    for (int at = size - 1; at >= 0; at--, number >>= 8)
        p[at] = (uint8_t)number;
}

/* Reads a varint of any length that is the shortest of its number and has no more than `bits` bits. */
static int read_long_varint(const uint8_t **position, const uint8_t *end, int bits, uint64_t *number)
{
    const uint8_t *p = *position;
    uint64_t value = 0;
    for (int shift = 0; shift < bits; shift += 7) {
        if (p >= end)
            return 0;
        const uint64_t byte = *p++, group = byte & 0x7f;
        if (shift + 7 > bits && group >> (bits - shift))
            return 0;
        value |= group << shift;
        if (byte < 0x80) {
            if (!byte && shift)
                return 0;
            *position = p;
            *number = value;
            return 1;
        }
    }
    return 0;
}

/* Most varints have one byte, nearly all others two. */
static inline int read_varint(const uint8_t **position, const uint8_t *end, int bits, uint64_t *number)
{
    const uint8_t *p = *position;
    if (RARELY(p >= end))
        return 0;
    if (p[0] < 0x80) {
        *number = p[0];
        *position = p + 1;
        return 1;
    }
    if (end - p >= 2 && p[1] < 0x80 && p[1]) {
        *number = (p[0] & 0x7f) | (uint64_t)p[1] << 7;
        *position = p + 2;
        return 1;
    }
    return read_long_varint(position, end, bits, number);
}

static inline int64_t undo_zigzag(uint64_t number)
{
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

static inline int read_zigzag(const uint8_t **position, const uint8_t *end, int bits, int64_t *number)
{
    uint64_t value;
    if (RARELY(!read_varint(position, end, bits, &value)))
        return 0;
    *number = undo_zigzag(value);
    return 1;
}

static int is_long_utf8(const uint8_t *p, const uint8_t *end)
{
    while (p < end) {
        const uint8_t first = *p++;
        if (first < 0x80)
            continue;
        int more = first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0;
        if (!more || end - p < more)
            return 0;
        const uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        const uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (*p < low || *p > high)
            return 0;
        for (p++; --more; p++)
            if ((*p & 0xc0) != 0x80)
                return 0;
    }
    return 1;
}

static inline int is_utf8(const uint8_t *p, int64_t size)
{
    const uint8_t *end = p + size;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        if (word & 0x8080808080808080u)
            return is_long_utf8(p, end);
    }
    for (; p < end; p++)
        if (*p & 0x80)
            return is_long_utf8(p, end);
    return 1;
}

#endif
