#include "machine.h"

/* CRC-32C: by the processor's instruction where there is one, else by tables, eight bytes a step. The tables are made
   when the module is loaded, and never change. */
#define CASTAGNOLI 0x82f63b78u /* the polynomial, the least bit first */
#define LANE 256               /* bytes of each of three parts that the instruction sums side by side */

static uint32_t crc_tables[8][256];
static uint32_t crc_past_lane[4][256]; /* what a lane of zeros makes of each byte of a sum */
static int crc_by_hardware;

static inline uint32_t past_lane(uint32_t crc)
{
    return crc_past_lane[0][crc & 255] ^ crc_past_lane[1][crc >> 8 & 255] ^ crc_past_lane[2][crc >> 16 & 255] ^
           crc_past_lane[3][crc >> 24];
}

void make_crc_tables(void)
{
    uint32_t of_bit[32];
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? CASTAGNOLI : 0);
        crc_tables[0][byte] = crc;
    }
    for (int behind = 1; behind < 8; behind++)
        for (int byte = 0; byte < 256; byte++)
            crc_tables[behind][byte] = crc_tables[behind - 1][byte] >> 8 ^ crc_tables[0][crc_tables[behind - 1][byte] & 255];
    for (int bit = 0; bit < 32; bit++) {
        uint32_t crc = (uint32_t)1 << bit;
        for (int count = 0; count < LANE; count++)
            crc = crc >> 8 ^ crc_tables[0][crc & 255];
        of_bit[bit] = crc;
    }
    for (int place = 0; place < 4; place++)
        for (int byte = 0; byte < 256; byte++) {
            crc_past_lane[place][byte] = 0;
            for (int bit = 0; bit < 8; bit++)
                if (byte >> bit & 1)
                    crc_past_lane[place][byte] ^= of_bit[place * 8 + bit];
        }
#if defined(__x86_64__) && defined(__GNUC__)
    crc_by_hardware = __builtin_cpu_supports("sse4.2") != 0;
#endif
}

uint32_t crc32c_by_tables(const uint8_t *p, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (; size >= 8; size -= 8, p += 8) {
        crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = crc_tables[7][crc & 255] ^ crc_tables[6][crc >> 8 & 255] ^ crc_tables[5][crc >> 16 & 255] ^
              crc_tables[4][crc >> 24] ^ crc_tables[3][p[4]] ^ crc_tables[2][p[5]] ^ crc_tables[1][p[6]] ^ crc_tables[0][p[7]];
    }
    while (size--)
        crc = crc >> 8 ^ crc_tables[0][(crc ^ *p++) & 255];
    return ~crc;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("sse4.2"))) static uint32_t crc32c_by_instruction(const uint8_t *p, size_t size)
{
    uint64_t crc = 0xffffffffu, word;
    for (; size >= 3 * LANE; size -= 3 * LANE, p += 3 * LANE) {
        uint64_t first = crc, second = 0, third = 0;
        for (int at = 0; at < LANE; at += 8) {
            memcpy(&word, p + at, 8);
            first = __builtin_ia32_crc32di(first, word);
            memcpy(&word, p + LANE + at, 8);
            second = __builtin_ia32_crc32di(second, word);
            memcpy(&word, p + 2 * LANE + at, 8);
            third = __builtin_ia32_crc32di(third, word);
        }
        crc = past_lane(past_lane((uint32_t)first) ^ (uint32_t)second) ^ (uint32_t)third;
    }
    for (; size >= 8; size -= 8, p += 8) {
        memcpy(&word, p, 8);
        crc = __builtin_ia32_crc32di(crc, word);
    }
    uint32_t last = (uint32_t)crc;
    while (size--)
        last = __builtin_ia32_crc32qi(last, *p++);
    return ~last;
}
#endif

uint32_t crc32c(const uint8_t *p, size_t size)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (crc_by_hardware)
        return crc32c_by_instruction(p, size);
#endif
    return crc32c_by_tables(p, size);
}
