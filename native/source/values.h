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

/* How tuples lie in memory, which the limited API does not say: their items begin at `at`, and what is between their size
   and their items is, for a hash that nobody asked for yet, `unhashed`. `find_tuples` looks at some when the module is
   loaded; it is not loaded where they lie otherwise. */
typedef struct {
    Py_ssize_t at;
    char unhashed[16];
} tuple_form;

extern tuple_form TUPLES;

int find_tuples(void);

static inline PyObject **items_of(PyObject *tuple)
{
    return (PyObject **)((char *)tuple + TUPLES.at);
}

/* A tuple, or a named tuple, without its values yet. The garbage collector does not know it. */
static inline PyObject *new_tuple(PyObject *type, Py_ssize_t count)
{
    PyObject *tuple = (PyObject *)PyObject_GC_NewVar(PyVarObject, (PyTypeObject *)type, count);
    if (RARELY(!tuple))
        return NULL;
    if (TUPLES.at > (Py_ssize_t)sizeof(PyVarObject))
        memcpy((char *)tuple + sizeof(PyVarObject), TUPLES.unhashed, (size_t)TUPLES.at - sizeof(PyVarObject));
    PyObject **items = items_of(tuple);
    for (Py_ssize_t index = 0; index < count; index++)
        items[index] = NULL;
    return tuple;
}

/* Puts a new value in its place, and takes it over; 0 if it could not be made. */
static inline int put(PyObject *tuple, Py_ssize_t place, PyObject *value)
{
    if (RARELY(value == NULL))
        return 0;
    items_of(tuple)[place] = value;
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
