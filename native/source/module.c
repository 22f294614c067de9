/* The extension kafka_format_native: what Python calls.

   It keeps no state between calls: what a program needs is kept by the program. So it is initialised in two phases, and may
   be loaded by more than one interpreter of a process. Interpreters with a lock of their own refuse it, since it does not say
   that it supports them; Pythons without the lock cannot load it, since it is built for the limited API. */
#include "machine.h"

#define PROGRAMS 2 /* changes when programs do; kafka_format uses what it knows */

/* crc32c(data, by_tables=False) */
static PyObject *checksum(PyObject *module, PyObject *arguments)
{
    PyObject *data;
    Py_buffer view;
    int by_tables = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O|p", &data, &by_tables) || !take_array(data, 0, 0, &view))
        return NULL;
    const uint32_t crc = (by_tables ? crc32c_by_tables : crc32c)(view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return PyLong_FromUnsignedLong(crc);
}

static PyMethodDef FUNCTIONS[] = {
    {"program", make_program, METH_VARARGS, "Make the functions that decode, read and write one version of a layout."},
    {"records", make_records, METH_VARARGS, "Make the functions that read record batches."},
    {"find_entries", find_entries, METH_VARARGS, "Find where the entries of inputs begin, and wrong checksums."},
    {"find_batches", find_batches, METH_VARARGS, "Find record batches up to the first that is not right."},
    {"write_answer", write_answer, METH_VARARGS, "Write what a decoder gave, as the adapter protocol has it."},
    {"crc32c", checksum, METH_VARARGS, "Return the CRC-32C of bytes, by the processor's instruction or by tables."},
    {NULL, NULL, 0, NULL},
};

tuple_form TUPLES;

/* Whether tuples have their items where `tuple.__basicsize__` ends, and what stands between their size and those. */
int find_tuples(void)
{
    PyObject *size = PyObject_GetAttrString((PyObject *)&PyTuple_Type, "__basicsize__");
    PyObject *tuple = PyTuple_Pack(3, Py_None, Py_True, Py_None);
    int is_known = 0;
    if (size && tuple) {
        TUPLES.at = PyLong_AsSsize_t(size);
        const Py_ssize_t between = TUPLES.at - (Py_ssize_t)sizeof(PyVarObject);
        is_known = between >= 0 && between <= (Py_ssize_t)sizeof TUPLES.unhashed && items_of(tuple)[0] == Py_None &&
                   items_of(tuple)[1] == Py_True && items_of(tuple)[2] == Py_None;
        if (is_known)
            memcpy(TUPLES.unhashed, (char *)tuple + sizeof(PyVarObject), (size_t)between);
    }
    Py_XDECREF(size);
    Py_XDECREF(tuple);
    if (!is_known && !PyErr_Occurred())
        PyErr_SetString(PyExc_ImportError, "tuples of this Python lie in memory as the layout machine does not know it");
    return is_known;
}

static int start(PyObject *module)
{
    return PyModule_AddIntConstant(module, "PROGRAMS", PROGRAMS);
}

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, (void *)start}, {0, NULL}};

static PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "kafka_format_native", "Reads and writes Kafka's formats by programs made from layouts.", 0, FUNCTIONS, SLOTS,
    NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_kafka_format_native(void)
{
    make_crc_tables(); /* before there is a module: its functions can be called before it is executed */
    return find_tuples() ? PyModuleDef_Init(&MODULE) : NULL;
}
