/* Answers of the adapter protocol, of the layout `answer`: what a decoder in isolation gave for a batch. Where the suite
   looks at millions of batches, writing them in Python takes as long as a fast decoder. */
#include "machine.h"
#include "output.h"

/* What the records of a batch have in common, and then a record: the values of the tuples that answer_bytes.py names. */
enum { PRODUCER_ID, PRODUCER_EPOCH, BASE_SEQUENCE, BASE_OFFSET, TRANSACTIONAL, CONTROL, CODEC, STATE_VALUES };
enum { OFFSET, TIMESTAMP, TIMESTAMP_TYPE, KEY, VALUE, HEADERS, ROW_VALUES };

static int take_tuple(PyObject *value, Py_ssize_t count)
{
    return PyTuple_Check(value) && PyTuple_Size(value) == count;
}

static int take_integer(PyObject *value, int size, int64_t *number)
{
    const int64_t high = (int64_t)(UINT64_MAX >> (65 - 8 * size));
    return take_number(value, -high - 1, high, number);
}

static int write_number(output *out, PyObject *value, int size)
{
    int64_t number;
    return take_integer(value, size, &number) && write_integer(out, (uint64_t)number, size);
}

static int write_sized(output *out, const char *p, Py_ssize_t size)
{
    return size <= INT32_MAX && write_integer(out, (uint64_t)size, 4) && write_bytes(out, p, (size_t)size);
}

static int write_content(output *out, PyObject *value)
{
    if (value == Py_None)
        return write_integer(out, UINT64_MAX, 4);
    return PyBytes_CheckExact(value) && write_sized(out, PyBytes_AsString(value), PyBytes_Size(value));
}

static int write_text(output *out, PyObject *value)
{
    Py_ssize_t size;
    const char *p = PyUnicode_CheckExact(value) ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
    return p && write_sized(out, p, size);
}

static int write_headers(output *out, PyObject *headers, int has_text)
{
    const Py_ssize_t count = count_items(headers);
    if (count < 0 || count > INT32_MAX || !write_integer(out, (uint64_t)count, 4))
        return 0;
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *header = item_of(headers, index);
        if (!take_tuple(header, 2) || items_of(header)[0] == Py_None ||
            !(has_text ? write_text : write_content)(out, items_of(header)[0]) || !write_content(out, items_of(header)[1]))
            return 0;
    }
    return 1;
}

/* The sequence of a record: it counts up with the offsets, and goes on at 0 behind the largest. */
static int take_sequence(PyObject **state, PyObject *offset, int64_t *sequence)
{
    int64_t base, number;
    if (!take_integer(state[BASE_SEQUENCE], 4, sequence))
        return 0;
    if (*sequence < 0 || state[BASE_OFFSET] == Py_None)
        return 1;
    if (!take_integer(state[BASE_OFFSET], 8, &base) || !take_integer(offset, 8, &number))
        return 0;
    *sequence = (int64_t)(((uint64_t)*sequence + (uint64_t)number - (uint64_t)base) & INT32_MAX);
    return 1;
}

static int write_row(output *out, PyObject **state, int flags, PyObject *given, int has_text)
{
    int64_t sequence = 0;
    if (!take_tuple(given, ROW_VALUES))
        return 0;
    PyObject **row = items_of(given);
    return take_sequence(state, row[OFFSET], &sequence) && write_number(out, row[OFFSET], 8) && write_number(out, row[TIMESTAMP], 8) &&
           write_number(out, row[TIMESTAMP_TYPE], 1) && write_content(out, row[KEY]) && write_content(out, row[VALUE]) &&
           write_headers(out, row[HEADERS], has_text) && write_number(out, state[PRODUCER_ID], 8) && write_number(out, state[PRODUCER_EPOCH], 2) &&
           write_integer(out, (uint64_t)sequence, 4) && write_integer(out, (uint64_t)flags, 1) && write_number(out, state[CODEC], 1);
}

static int write_run(output *out, PyObject *run, int has_text, int64_t *records)
{
    if (!take_tuple(run, 2) || !take_tuple(items_of(run)[0], STATE_VALUES))
        return 0;
    PyObject **state = items_of(items_of(run)[0]), *rows = items_of(run)[1];
    const Py_ssize_t count = count_items(rows);
    if (!PyBool_Check(state[TRANSACTIONAL]) || !PyBool_Check(state[CONTROL]) || count < 0)
        return 0;
    const int flags = (state[TRANSACTIONAL] == Py_True) | (state[CONTROL] == Py_True) << 1;
    for (Py_ssize_t index = 0; index < count; index++)
        if (!write_row(out, state, flags, item_of(rows, index), has_text))
            return 0;
    *records += count;
    return *records <= INT32_MAX;
}

/* write_answer(runs, has_text): the bytes of the answer, as answer_bytes.py writes them; keys of headers are text, or bytes.
   A TypeError where something is not of the type that is usual: then Python writes it, or says what is wrong. */
PyObject *write_answer(PyObject *module, PyObject *arguments)
{
    output out;
    PyObject *runs;
    int has_text;
    int64_t records = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Op", &runs, &has_text))
        return NULL;
    start_output(&out);
    const Py_ssize_t count = count_items(runs);
    int is_written = count >= 0 && write_integer(&out, 0, 4);
    for (Py_ssize_t index = 0; is_written && index < count; index++)
        is_written = write_run(&out, item_of(runs, index), has_text, &records);
    store_integer(out.p, (uint64_t)records, 4);
    return end_output(&out, is_written);
}
