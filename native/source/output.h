/* Bytes that are written one after another, and what is taken from Python's values for them. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "values.h"

#define BYTES_AT_ONCE 512 /* more than that is put on the heap */

typedef struct {
    uint8_t *p;
    size_t size, room;
    uint8_t first[BYTES_AT_ONCE];
} output;

static inline void start_output(output *out)
{
    out->p = out->first;
    out->size = 0;
    out->room = sizeof out->first;
}

/* The bytes that were written; or a doubt. */
static inline PyObject *end_output(output *out, int is_written)
{
    PyObject *bytes = is_written ? new_bytes(out->p, (int64_t)out->size) : doubt(PyExc_TypeError);
    if (out->p != out->first)
        PyMem_Free(out->p);
    return bytes;
}

static inline int make_room(output *out, size_t more)
{
    if (more > PY_SSIZE_T_MAX / 4 || out->size > PY_SSIZE_T_MAX / 4) {
        PyErr_NoMemory();
        return 0;
    }
    const size_t room = out->room * 2 + more;
    uint8_t *p = PyMem_Realloc(out->p == out->first ? NULL : out->p, room);
    if (!p) {
        PyErr_NoMemory();
        return 0;
    }
    if (out->p == out->first)
        memcpy(p, out->first, out->size);
    out->p = p;
    out->room = room;
    return 1;
}

static inline int need(output *out, size_t more)
{
    return out->room - out->size >= more || make_room(out, more);
}

static inline int write_bytes(output *out, const void *p, size_t size)
{
    if (RARELY(!need(out, size)))
        return 0;
    memcpy(out->p + out->size, p, size);
    out->size += size;
    return 1;
}

static inline int write_integer(output *out, uint64_t number, int size)
{
    if (RARELY(!need(out, 8)))
        return 0;
    store_integer(out->p + out->size, number, size);
    out->size += (size_t)size;
    return 1;
}

static inline int write_varint(output *out, uint64_t number)
{
    if (RARELY(!need(out, 10)))
        return 0;
    for (; number > 0x7f; number >>= 7)
        out->p[out->size++] = (uint8_t)(number | 0x80);
    out->p[out->size++] = (uint8_t)number;
    return 1;
}

/* Takes a number of type int itself: a class of the caller's could do anything. */
static inline int take_number(PyObject *value, int64_t low, int64_t high, int64_t *number)
{
    int overflow;
    if (!PyLong_CheckExact(value))
        return 0;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return !overflow && *number >= low && *number <= high;
}

/* Items of a list or a tuple; -1 for anything else. */
static inline Py_ssize_t count_items(PyObject *value)
{
    return PyList_CheckExact(value) ? PyList_Size(value) : PyTuple_CheckExact(value) ? PyTuple_Size(value) : -1;
}

static inline PyObject *item_of(PyObject *value, Py_ssize_t index)
{
    return PyList_CheckExact(value) ? PyList_GetItem(value, index) : PyTuple_GetItem(value, index);
}

#endif
