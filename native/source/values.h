/* Python's values, made and taken apart by its limited API, so that one binary serves every release from 3.11 on. */
#ifndef VALUES_H
#define VALUES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "numbers.h"

static inline PyObject *new_reference(PyObject *object)
{
    Py_INCREF(object);
    return object;
}

/* A tuple, or a named tuple, without its values yet. */
static inline PyObject *new_tuple(PyObject *type, Py_ssize_t count)
{
    return PyType_GenericAlloc((PyTypeObject *)type, count);
}

/* Puts a new value in its place, and takes it over; 0 if it could not be made. */
static inline int put(PyObject *tuple, Py_ssize_t place, PyObject *value)
{
    if (RARELY(value == NULL))
        return 0;
    PyTuple_SetItem(tuple, place, value);
    return 1;
}

static inline PyObject *new_bytes(const uint8_t *p, int64_t size)
{
    return PyBytes_FromStringAndSize((const char *)p, (Py_ssize_t)size);
}

static inline PyObject *new_bytes_or_none(const uint8_t *p, int64_t size)
{
    return size < 0 ? new_reference(Py_None) : new_bytes(p, size);
}

/* The bytes of an object of type bytes, and where they end. */
static inline const uint8_t *bytes_of(PyObject *bytes, const uint8_t **end)
{
    const uint8_t *p = (const uint8_t *)PyBytes_AsString(bytes);
    *end = p + PyBytes_Size(bytes);
    return p;
}

/* Sets `start` and `end` to a part of bytes; 0 and an error if there is no such part, or the object is no bytes. */
static inline int part_of(PyObject *bytes, PyObject *from, PyObject *to, const uint8_t **start, const uint8_t **end)
{
    if (!PyBytes_CheckExact(bytes)) {
        PyErr_SetString(PyExc_TypeError, "takes bytes");
        return 0;
    }
    const uint8_t *base = bytes_of(bytes, end);
    const Py_ssize_t size = *end - base;
    const Py_ssize_t first = PyLong_AsSsize_t(from), last = to ? PyLong_AsSsize_t(to) : size;
    if (RARELY((first == -1 || last == -1) && PyErr_Occurred()))
        return 0;
    if (first < 0 || last < first || last > size) {
        PyErr_SetString(PyExc_ValueError, "does not lie in the bytes");
        return 0;
    }
    *start = base + first;
    *end = base + last;
    return 1;
}

/* Ends a call in doubt. Text that is no UTF-8 is a doubt too; every other error stays what it is. Always NULL. */
static inline PyObject *doubt(PyObject *error)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_UnicodeError))
        PyErr_SetNone(error);
    return NULL;
}

/* Pauses the garbage collector; `resume_collector` takes what this returns. */
static inline int pause_collector(int is_much)
{
    return is_much ? PyGC_Disable() : 0;
}

static inline void resume_collector(int was_on)
{
    if (was_on)
        PyGC_Enable();
}

#endif
