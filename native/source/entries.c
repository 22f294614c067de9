/* Where the entries of a run begin, and whether their checksums are right. */
#include "machine.h"

/* Places in an entry, and sizes: of its size, its magic byte, its checksum, the first byte that is summed; the bytes that
   its size does not count, and the least size that there is. */
typedef struct {
    int size_at, magic_at, crc_at, covered, overhead, smallest, check_crc;
} places;

static int are_sound(const places *at)
{
    const int least = at->overhead + at->smallest;
    return at->overhead >= 0 && at->smallest >= 0 && at->size_at >= 0 && at->size_at + 4 <= least && at->crc_at >= 0 &&
           at->crc_at + 4 <= least && at->magic_at >= 0 && at->magic_at < least && at->covered >= 0 && at->covered <= least;
}

static inline int64_t size_of(const uint8_t *entry, const places *at)
{
    return load_integer(entry + at->size_at, 4, 1);
}

static inline int is_right(const uint8_t *entry, const uint8_t *stop, const places *at)
{
    return crc32c(entry + at->covered, (size_t)(stop - entry - at->covered)) == load_uint32(entry + at->crc_at);
}

/* Takes the memory of an array of at least so many bytes. */
int take_array(PyObject *array, int is_filled, Py_ssize_t least, Py_buffer *view)
{
    if (PyObject_GetBuffer(array, view, is_filled ? PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS : PyBUF_C_CONTIGUOUS))
        return 0;
    if (view->len >= least)
        return 1;
    PyBuffer_Release(view);
    PyErr_SetString(PyExc_ValueError, "an array is too small");
    return 0;
}

void release_arrays(Py_buffer *views, int count)
{
    while (count--)
        PyBuffer_Release(&views[count]);
}

enum { DATA, STARTS, ENDS, ENTRY_STARTS, COUNTS, WRONG, ENTRY_ARRAYS };

/* Cuts one input; what is left behind its last whole entry is an entry too. Returns how many there are then, -1 without
   room. */
static Py_ssize_t cut_input(const uint8_t *data, int64_t size, int64_t position, int64_t stop, const places *at, int64_t *starts,
                            Py_ssize_t count, Py_ssize_t room, int64_t *wrong, Py_ssize_t *wrongs)
{
    while (position <= stop - at->overhead - at->smallest) {
        const int64_t entry_size = size_of(data + position, at), start = position;
        if (entry_size < at->smallest)
            break;
        if (count >= room)
            return -1;
        starts[count] = start;
        position += at->overhead + entry_size;
        if (at->check_crc && !is_right(data + start, data + (position < size ? position : size), at))
            wrong[(*wrongs)++] = count;
        count++;
    }
    if (position < stop) {
        if (count >= room)
            return -1;
        starts[count++] = position;
    }
    return count;
}

static PyObject *cut_inputs(Py_buffer *views, const places *at)
{
    const int64_t *starts = views[STARTS].buf, *ends = views[ENDS].buf;
    const Py_ssize_t inputs = views[STARTS].len / 8, room = views[ENTRY_STARTS].len / 8;
    Py_ssize_t count = 0, wrongs = 0;
    for (Py_ssize_t input = 0; input < inputs; input++) {
        const Py_ssize_t before = count;
        if (starts[input] < 0 || starts[input] > ends[input] || ends[input] > views[DATA].len)
            count = -1;
        else
            count = cut_input(views[DATA].buf, views[DATA].len, starts[input], ends[input], at, views[ENTRY_STARTS].buf, count, room,
                              views[WRONG].buf, &wrongs);
        if (count < 0)
            return PyErr_Format(PyExc_ValueError, "input %zd does not lie in the bytes, or there is no room for it", input);
        ((int64_t *)views[COUNTS].buf)[input] = count - before;
    }
    return Py_BuildValue("nn", count, wrongs);
}

/* find_entries(data, starts, ends, places, entry_starts, counts, wrong): cuts inputs into entries. Fills the first byte of
   each entry, how many each input has, and the indices of those with a wrong checksum; returns how many there are of
   both. */
PyObject *find_entries(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[ENTRY_ARRAYS], *result = NULL;
    Py_buffer views[ENTRY_ARRAYS];
    places at;
    int taken = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO(iiiiiii)OOO", &arrays[DATA], &arrays[STARTS], &arrays[ENDS], &at.size_at, &at.magic_at,
                          &at.crc_at, &at.covered, &at.overhead, &at.smallest, &at.check_crc, &arrays[ENTRY_STARTS], &arrays[COUNTS],
                          &arrays[WRONG]))
        return NULL;
    for (; taken < ENTRY_ARRAYS; taken++) {
        const Py_ssize_t least = taken == ENDS || taken == COUNTS ? views[STARTS].len : taken == WRONG ? views[ENTRY_STARTS].len : 0;
        if (!take_array(arrays[taken], taken >= ENTRY_STARTS, least, &views[taken]))
            break;
    }
    if (taken == ENTRY_ARRAYS)
        result = are_sound(&at) ? cut_inputs(views, &at) : PyErr_Format(PyExc_ValueError, "no places of an entry");
    release_arrays(views, taken);
    return result;
}

/* find_batches(data, end, places, magic, starts): finds record batches up to the first one that is not whole or not right.
   Fills the first byte of each; returns how many there are, and where the last one ends. */
PyObject *find_batches(PyObject *module, PyObject *arguments)
{
    PyObject *data, *starts;
    Py_buffer views[2];
    Py_ssize_t end, count = 0;
    int magic, taken = 0;
    int64_t position = 0;
    places at;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "On(iiiiiii)iO", &data, &end, &at.size_at, &at.magic_at, &at.crc_at, &at.covered, &at.overhead,
                          &at.smallest, &at.check_crc, &magic, &starts))
        return NULL;
    if (end < 0 || !are_sound(&at))
        return PyErr_Format(PyExc_ValueError, "no places of a batch");
    if (!take_array(data, 0, end, &views[taken]) || !++taken || !take_array(starts, 1, 0, &views[taken]) || !++taken) {
        release_arrays(views, taken);
        return NULL;
    }
    const uint8_t *p = views[0].buf;
    while (position <= end - at.overhead - at.smallest && count < views[1].len / 8) {
        const int64_t size = size_of(p + position, &at), stop = position + at.overhead + size;
        if (size < at.smallest || stop > end || p[position + at.magic_at] != magic)
            break;
        if (at.check_crc && !is_right(p + position, p + stop, &at))
            break;
        ((int64_t *)views[1].buf)[count++] = position;
        position = stop;
    }
    release_arrays(views, taken);
    return Py_BuildValue("nL", count, (long long)position);
}
