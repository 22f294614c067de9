/* What the parts of the extension have of one another. */
#ifndef MACHINE_H
#define MACHINE_H

#include "values.h"

PyObject *make_program(PyObject *module, PyObject *arguments);
PyObject *make_records(PyObject *module, PyObject *arguments);
PyObject *find_entries(PyObject *module, PyObject *arguments);
PyObject *find_batches(PyObject *module, PyObject *arguments);
PyObject *write_answer(PyObject *module, PyObject *arguments);

int take_array(PyObject *array, int is_filled, Py_ssize_t least, Py_buffer *view);
void release_arrays(Py_buffer *views, int count);

void make_crc_tables(void);
uint32_t crc32c_by_tables(const uint8_t *p, size_t size);
uint32_t crc32c(const uint8_t *p, size_t size);

#endif
