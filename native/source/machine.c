/* The layout machine: reads and writes one version of a layout by a program, which is a tree of nodes.

   Python makes a program of a loaded layout when it is first used (kafka_format.codec.compiler.plan), so no C is made of
   layouts. A reader returns a value, or raises IndexError at the first doubt; a writer raises TypeError for whatever it
   does not write. Both then leave it to the interpreter, which says what is wrong, or does it.

   What keeps it within bounds: a program is checked when it is loaded. Every read is held against the end first. A count
   is held against the bytes that are left before memory is taken. Recursion goes as deep as the layout, not the bytes. */
#include "machine.h"
#include "output.h"

enum { INTEGER, BOOLEAN, FLOAT, FIXED, TEXT, BYTES, NESTED, OPTIONAL, ARRAY, TAGS, STRUCTURE };

#define DEEPEST 32     /* levels of structures and arrays in a program */
#define MOST_TAGS 64   /* tagged fields that a structure knows */
#define MOST_FIELDS 4096

typedef struct node {
    int operation;
    int size;      /* bytes of a number, of fixed content, or of a length; 0 for a length that is a varint */
    int is_signed;
    int nullable;
    int plus;      /* what a varint has more than the length that it is */
    int place;     /* of a field in the value of its structure */
    int members;   /* values of a structure */
    int count;     /* of `inner` */
    int elsewhere_count;
    int has_lists; /* somewhere in it; what has none is in no cycle, so the garbage collector need not look at it */
    int64_t tag;
    int64_t smallest; /* bytes of the shortest item of an array, at least 1 */
    int64_t low, high;
    struct node *inner; /* fields of a structure, item of an array, structure in place, tagged fields */
    int64_t *elsewhere; /* tags that only other versions know */
    PyObject *type;     /* class of a structure; of unknown tagged fields, for a tag section */
    PyObject *absent;   /* value of a field that is left out; NULL for an empty list */
} node;

typedef struct {
    node root;
    int64_t large; /* bytes from which on decoding pauses the garbage collector */
} program;

/* ---- reading */

typedef struct {
    const uint8_t *p, *end;
} cursor;

static PyObject *read_content(const node *kind, cursor *at);
static PyObject *read_other(const node *kind, cursor *at);

static inline int has(const cursor *at, int64_t size)
{
    return at->end - at->p >= size;
}

static inline int read_length(const node *kind, cursor *at, int64_t *length)
{
    uint64_t number;
    if (kind->size) {
        if (RARELY(!has(at, kind->size)))
            return 0;
        *length = load_integer(at->p, kind->size, kind->is_signed);
        at->p += kind->size;
        return 1;
    }
    if (RARELY(!read_varint(&at->p, at->end, 32, &number)))
        return 0;
    *length = (int64_t)number - kind->plus;
    return 1;
}

/* Reads a value; NULL for a doubt or an error. What most values are takes no call of its own. */
static inline PyObject *read_value(const node *kind, cursor *at)
{
    int64_t number;
    switch (kind->operation) {
    case INTEGER:
        return read_length(kind, at, &number) ? PyLong_FromLongLong(number) : NULL;
    case TEXT:
    case BYTES:
        return read_content(kind, at);
    default:
        return read_other(kind, at);
    }
}

static const node *tagged(const node *section, int64_t tag)
{
    for (const node *field = section->inner; field < section->inner + section->count; field++)
        if (field->tag == tag)
            return field;
    return NULL;
}

static int is_elsewhere(const node *section, int64_t tag)
{
    for (int index = 0; index < section->elsewhere_count; index++)
        if (section->elsewhere[index] == tag)
            return 1;
    return 0;
}

/* Appends a tagged field that the layout does not know. */
static int keep_unknown(const node *section, PyObject *unknown, uint64_t tag, const uint8_t *p, int64_t size)
{
    PyObject *field = new_tuple(section->type, 2);
    const int kept = field && put(field, 0, PyLong_FromUnsignedLongLong(tag)) && put(field, 1, new_bytes(p, size)) &&
                     !PyList_Append(unknown, field);
    Py_XDECREF(field);
    return kept;
}

static int read_tagged_fields(const node *section, PyObject *value, PyObject *unknown, uint64_t count, cursor *at)
{
    int64_t last = -1;
    while (count--) {
        uint64_t tag, size;
        if (!read_varint(&at->p, at->end, 32, &tag) || !read_varint(&at->p, at->end, 32, &size))
            return 0;
        if ((int64_t)tag <= last || !has(at, (int64_t)size) || is_elsewhere(section, (int64_t)tag))
            return 0;
        last = (int64_t)tag;
        cursor inside = {at->p, at->p + size};
        const node *field = tagged(section, last);
        if (!field) {
            if (!keep_unknown(section, unknown, tag, at->p, (int64_t)size))
                return 0;
        } else if (!put(value, field->place, read_value(field, &inside)) || inside.p != inside.end)
            return 0;
        at->p = inside.end;
    }
    return 1;
}

static int read_tags(const node *section, PyObject *value, cursor *at)
{
    uint64_t count;
    PyObject *tags;
    if (RARELY(!read_varint(&at->p, at->end, 32, &count)))
        return 0;
    if (!count)
        tags = new_reference(section->absent);
    else {
        PyObject *unknown = has(at, (int64_t)count) ? PyList_New(0) : NULL;
        tags = unknown && read_tagged_fields(section, value, unknown, count, at) ? PyList_AsTuple(unknown) : NULL;
        Py_XDECREF(unknown);
    }
    if (RARELY(!put(value, section->place, tags)))
        return 0;
    for (const node *field = section->inner; field < section->inner + section->count; field++)
        if (!items_of(value)[field->place] &&
            !put(value, field->place, field->absent ? new_reference(field->absent) : PyList_New(0)))
            return 0;
    return 1;
}

static PyObject *read_structure(const node *structure, cursor *at)
{
    PyObject *value = new_tuple(structure->type, structure->members);
    if (RARELY(!value))
        return NULL;
    for (const node *field = structure->inner, *stop = field + structure->count; field < stop; field++) {
        const int is_read = field->operation == TAGS ? read_tags(field, value, at) : put(value, field->place, read_value(field, at));
        if (RARELY(!is_read)) {
            Py_DECREF(value);
            return NULL;
        }
    }
    if (structure->has_lists)
        PyObject_GC_Track(value);
    return value;
}

static PyObject *read_content(const node *kind, cursor *at)
{
    int64_t length;
    if (RARELY(!read_length(kind, at, &length)))
        return NULL;
    if (length < 0)
        return length == -1 && kind->nullable ? new_reference(Py_None) : NULL;
    if (RARELY(!has(at, length) || length > kind->high))
        return NULL;
    const char *content = (const char *)at->p;
    at->p += length;
    return kind->operation == TEXT ? PyUnicode_DecodeUTF8(content, (Py_ssize_t)length, NULL)
                                   : PyBytes_FromStringAndSize(content, (Py_ssize_t)length);
}

static PyObject *read_array(const node *kind, cursor *at)
{
    int64_t count;
    const node *item = kind->inner;
    if (RARELY(!read_length(kind, at, &count)))
        return NULL;
    if (count < 0)
        return count == -1 && kind->nullable ? new_reference(Py_None) : NULL;
    if (RARELY(count > (at->end - at->p) / kind->smallest)) /* before any memory is taken */
        return NULL;
    PyObject *items = PyList_New((Py_ssize_t)count);
    if (RARELY(!items))
        return NULL;
    for (int64_t index = 0; index < count; index++) {
        PyObject *value = item->operation == NESTED ? read_structure(item->inner, at) : read_value(item, at);
        if (RARELY(!value)) {
            Py_DECREF(items);
            return NULL;
        }
        PyList_SetItem(items, (Py_ssize_t)index, value);
    }
    return items;
}

static PyObject *read_float(cursor *at)
{
    const uint64_t word = load_uint64(at->p);
    double number;
    memcpy(&number, &word, 8);
    at->p += 8;
    return PyFloat_FromDouble(number);
}

static PyObject *read_other(const node *kind, cursor *at)
{
    int64_t number;
    switch (kind->operation) {
    case BOOLEAN:
        return has(at, 1) && *at->p < 2 ? PyBool_FromLong(*at->p++) : NULL;
    case FLOAT:
        return has(at, 8) ? read_float(at) : NULL;
    case FIXED:
        if (RARELY(!has(at, kind->size)))
            return NULL;
        at->p += kind->size;
        return new_bytes(at->p - kind->size, kind->size);
    case NESTED:
        return read_structure(kind->inner, at);
    case OPTIONAL:
        if (RARELY(!read_length(kind, at, &number)))
            return NULL;
        return number == 1 ? read_structure(kind->inner, at) : number == kind->low ? new_reference(Py_None) : NULL;
    case ARRAY:
        return read_array(kind, at);
    default:
        return NULL;
    }
}

/* ---- writing */

static int write_value(const node *kind, PyObject *value, output *out);

static inline int write_length(const node *kind, output *out, int64_t length)
{
    return kind->size ? write_integer(out, (uint64_t)length, kind->size) : write_varint(out, (uint64_t)(length + kind->plus));
}

/* Puts the size of what was written since `mark` in front of it. */
static int insert_size(output *out, size_t mark)
{
    const size_t size = out->size - mark;
    size_t width = 1;
    for (size_t rest = size; rest > 0x7f; rest >>= 7)
        width++;
    if (size > UINT32_MAX || !need(out, width))
        return 0;
    memmove(out->p + mark + width, out->p + mark, size);
    out->size = mark;
    if (!write_varint(out, size))
        return 0;
    out->size += size;
    return 1;
}

static inline int is_value_of(const node *structure, PyObject *value)
{
    return (PyObject *)Py_TYPE(value) == structure->type && PyTuple_Size(value) == structure->members;
}

static int differs(const node *kind, PyObject *value);

static int any_differs(const node *fields, int count, PyObject *value)
{
    for (const node *field = fields; field < fields + count; field++) {
        int different = differs(field, items_of(value)[field->place]);
        if (!different && field->operation == TAGS)
            different = any_differs(field->inner, field->count, value);
        if (different)
            return different;
    }
    return 0;
}

/* Whether a value is not its field's default: 1, 0, or -1 where that cannot be told. Values are compared only where both
   are of the same built-in type, so that no code of the caller's runs meanwhile. */
static int differs(const node *kind, PyObject *value)
{
    if (kind->absent && value == kind->absent)
        return 0;
    switch (kind->operation) {
    case TAGS:
        return PyTuple_CheckExact(value) ? PyTuple_Size(value) > 0 : -1;
    case ARRAY: {
        if (kind->absent) /* only null is one, or nothing in an array that is not there */
            return 1;
        const Py_ssize_t count = count_items(value);
        return value == Py_None ? 1 : count < 0 ? -1 : count > 0;
    }
    case NESTED:
    case OPTIONAL:
        if (value == Py_None || kind->absent == Py_None)
            return 1;
        return is_value_of(kind->inner, value) ? any_differs(kind->inner->inner, kind->inner->count, value) : -1;
    default:
        if (value == Py_None || kind->absent == Py_None)
            return 1;
        if (!kind->absent || Py_TYPE(value) != Py_TYPE(kind->absent))
            return -1;
        return PyObject_RichCompareBool(value, kind->absent, Py_NE);
    }
}

/* Writes the unknown tagged fields from `*next` on, up to a known tag. They must ascend. */
static int write_unknown(output *out, PyObject *unknown, Py_ssize_t *next, int64_t *last, int64_t known)
{
    for (; *next < PyTuple_Size(unknown); ++*next) {
        PyObject *field = PyTuple_GetItem(unknown, *next), *content;
        int64_t tag;
        if (!PyTuple_Check(field) || PyTuple_Size(field) != 2 || !take_number(PyTuple_GetItem(field, 0), 0, UINT32_MAX, &tag))
            return 0;
        content = PyTuple_GetItem(field, 1);
        if (tag > known)
            return 1;
        if (tag <= *last || tag == known || !PyBytes_CheckExact(content) || PyBytes_Size(content) > INT32_MAX)
            return 0;
        const uint8_t *end, *p = bytes_of(content, &end);
        if (!write_varint(out, (uint64_t)tag) || !write_varint(out, (uint64_t)(end - p)) || !write_bytes(out, p, (size_t)(end - p)))
            return 0;
        *last = tag;
    }
    return 1;
}

static int write_tagged_field(const node *field, PyObject *value, output *out)
{
    if (!write_varint(out, (uint64_t)field->tag))
        return 0;
    const size_t mark = out->size;
    return write_value(field, value, out) && insert_size(out, mark);
}

static int write_tags(const node *section, PyObject *value, output *out)
{
    PyObject *unknown = items_of(value)[section->place];
    int is_written[MOST_TAGS];
    Py_ssize_t next = 0, count;
    int64_t last = -1;
    if (!PyTuple_CheckExact(unknown))
        return 0;
    count = PyTuple_Size(unknown);
    for (int index = 0; index < section->count; index++) {
        const node *field = &section->inner[index];
        is_written[index] = differs(field, items_of(value)[field->place]);
        if (is_written[index] < 0)
            return 0;
        count += is_written[index];
    }
    if (!write_varint(out, (uint64_t)count))
        return 0;
    for (int index = 0; index < section->count; index++) {
        const node *field = &section->inner[index];
        if (!is_written[index])
            continue;
        if (!write_unknown(out, unknown, &next, &last, field->tag) ||
            !write_tagged_field(field, items_of(value)[field->place], out))
            return 0;
        last = field->tag;
    }
    return write_unknown(out, unknown, &next, &last, INT64_MAX);
}

static int write_structure(const node *structure, PyObject *value, output *out)
{
    if (!is_value_of(structure, value))
        return 0;
    for (const node *field = structure->inner, *stop = field + structure->count; field < stop; field++)
        if (!(field->operation == TAGS ? write_tags(field, value, out) : write_value(field, items_of(value)[field->place], out)))
            return 0;
    return 1;
}

static int write_content(const node *kind, PyObject *value, output *out)
{
    const char *p;
    Py_ssize_t size;
    if (kind->operation == TEXT) {
        if (!PyUnicode_CheckExact(value) || !(p = PyUnicode_AsUTF8AndSize(value, &size)))
            return 0;
    } else {
        if (!PyBytes_CheckExact(value))
            return 0;
        p = PyBytes_AsString(value);
        size = PyBytes_Size(value);
    }
    return size <= kind->high && write_length(kind, out, size) && write_bytes(out, p, (size_t)size);
}

static int write_array(const node *kind, PyObject *value, output *out)
{
    const Py_ssize_t count = count_items(value);
    if (count < 0 || count > kind->high || !write_length(kind, out, count))
        return 0;
    for (Py_ssize_t index = 0; index < count; index++)
        if (count_items(value) != count || !write_value(kind->inner, item_of(value, index), out))
            return 0;
    return 1;
}

static int write_float(PyObject *value, output *out)
{
    uint64_t word;
    if (!PyFloat_CheckExact(value))
        return 0;
    const double number = PyFloat_AsDouble(value);
    memcpy(&word, &number, 8);
    return write_integer(out, word, 8);
}

/* Writes a value; 0 where it is none of its kind, or does not fit. */
static int write_value(const node *kind, PyObject *value, output *out)
{
    int64_t number;
    if (value == Py_None) {
        if (kind->operation == OPTIONAL)
            return write_length(kind, out, kind->low);
        return kind->nullable && write_length(kind, out, -1);
    }
    switch (kind->operation) {
    case INTEGER:
        return take_number(value, kind->low, kind->high, &number) && write_integer(out, (uint64_t)number, kind->size);
    case BOOLEAN:
        return (value == Py_True || value == Py_False) && write_integer(out, value == Py_True, 1);
    case FLOAT:
        return write_float(value, out);
    case FIXED:
        return PyBytes_CheckExact(value) && PyBytes_Size(value) == kind->size &&
               write_bytes(out, PyBytes_AsString(value), (size_t)kind->size);
    case TEXT:
    case BYTES:
        return write_content(kind, value, out);
    case NESTED:
        return write_structure(kind->inner, value, out);
    case OPTIONAL:
        return write_length(kind, out, 1) && write_structure(kind->inner, value, out);
    case ARRAY:
        return write_array(kind, value, out);
    default:
        return 0;
    }
}

/* ---- programs */

static int refuse_program(const char *why)
{
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "no program: %s", why);
    return 0;
}

static void free_node(node *kind)
{
    for (int index = 0; kind->inner && index < kind->count; index++)
        free_node(&kind->inner[index]);
    PyMem_Free(kind->inner);
    PyMem_Free(kind->elsewhere);
    Py_XDECREF(kind->type);
    Py_XDECREF(kind->absent);
}

static int is_tuple_type(PyObject *type)
{
    return PyType_Check(type) && PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type);
}

/* Whether the fields of a structure have each place of its value, and none twice: else a place would stay empty. */
static int fills_places(const node *structure)
{
    unsigned char *seen = PyMem_Calloc((size_t)structure->members + 1, 1);
    int filled = 0, right = seen != NULL;
    for (int index = 0; right && index < structure->count; index++) {
        const node *field = &structure->inner[index];
        const int more = field->operation == TAGS ? field->count : 0;
        for (int inner = -1; right && inner < more; inner++) {
            const int place = inner < 0 ? field->place : field->inner[inner].place;
            right = place >= 0 && place < structure->members && !seen[place]++;
            filled++;
        }
    }
    PyMem_Free(seen);
    return right && filled == structure->members;
}

static int holds(const node *kind, int is_structure)
{
    for (int index = 0; index < kind->count; index++)
        if ((kind->inner[index].operation == STRUCTURE) != is_structure)
            return 0;
    return 1;
}

static int is_sound(const node *kind)
{
    const int is_length = kind->size == 0 || kind->size == 1 || kind->size == 2 || kind->size == 4;
    const int is_bound = kind->high >= 0 && kind->high <= INT32_MAX;
    switch (kind->operation) {
    case INTEGER:
        return (is_length && kind->size) || (kind->size == 8 && kind->is_signed);
    case BOOLEAN:
    case FLOAT:
        return 1;
    case FIXED:
        return kind->size > 0;
    case TEXT:
    case BYTES:
        return is_length && is_bound;
    case NESTED:
        return kind->count == 1 && holds(kind, 1);
    case OPTIONAL:
        return is_length && kind->count == 1 && holds(kind, 1);
    case ARRAY:
        return is_length && is_bound && kind->count == 1 && holds(kind, 0) && kind->inner->operation != TAGS && kind->smallest > 0;
    case TAGS:
        return kind->count <= MOST_TAGS && holds(kind, 0) && kind->type && is_tuple_type(kind->type) && kind->absent &&
               PyTuple_CheckExact(kind->absent);
    case STRUCTURE:
        return kind->members >= 0 && holds(kind, 0) && kind->type && is_tuple_type(kind->type) && fills_places(kind);
    default:
        return 0;
    }
}

static int load_tags(node *kind, PyObject *elsewhere)
{
    kind->elsewhere_count = (int)PyTuple_Size(elsewhere);
    kind->elsewhere = PyMem_Calloc((size_t)kind->elsewhere_count + 1, sizeof *kind->elsewhere);
    if (!kind->elsewhere)
        return PyErr_NoMemory() != NULL;
    for (int index = 0; index < kind->elsewhere_count; index++)
        kind->elsewhere[index] = PyLong_AsLongLong(PyTuple_GetItem(elsewhere, index));
    return !PyErr_Occurred();
}

/* Loads a node from a tuple: operation, size, is_signed, nullable, plus, place, members, tag, smallest, low, high, inner,
   type or None, whether there is a value for what is absent, that value, tags elsewhere; and a name, which is for the text
   that Python makes of the same tree. */
static int load_node(node *kind, PyObject *given, int depth)
{
    PyObject *inner, *type, *absent, *elsewhere, *name;
    long long tag, smallest, low, high;
    int has_absent;
    if (depth > DEEPEST || !PyTuple_Check(given))
        return refuse_program("it is too deep, or no tuple");
    if (!PyArg_ParseTuple(given, "iiiiiiiLLLLO!OpOO!O", &kind->operation, &kind->size, &kind->is_signed, &kind->nullable,
                          &kind->plus, &kind->place, &kind->members, &tag, &smallest, &low, &high, &PyTuple_Type, &inner, &type,
                          &has_absent, &absent, &PyTuple_Type, &elsewhere, &name))
        return 0;
    kind->has_lists = kind->operation == ARRAY;
    kind->tag = tag;
    kind->smallest = smallest;
    kind->low = low;
    kind->high = high;
    kind->type = type == Py_None ? NULL : new_reference(type);
    kind->absent = has_absent ? new_reference(absent) : NULL;
    const Py_ssize_t count = PyTuple_Size(inner);
    if (count > MOST_FIELDS || PyTuple_Size(elsewhere) > MOST_FIELDS || kind->members > MOST_FIELDS)
        return refuse_program("too many fields");
    kind->inner = PyMem_Calloc((size_t)count + 1, sizeof *kind->inner);
    if (!kind->inner)
        return PyErr_NoMemory() != NULL;
    for (kind->count = 0; kind->count < count;) {
        node *field = &kind->inner[kind->count++];
        if (!load_node(field, PyTuple_GetItem(inner, kind->count - 1), depth + 1))
            return 0;
        kind->has_lists |= field->has_lists;
    }
    if (!load_tags(kind, elsewhere))
        return 0;
    return is_sound(kind) || refuse_program("a node is not sound");
}

static void free_program(program *made)
{
    free_node(&made->root);
    PyMem_Free(made);
}

static void free_capsule(PyObject *capsule)
{
    free_program(PyCapsule_GetPointer(capsule, NULL));
}

/* decode(data): the value that is all of the bytes. */
static PyObject *decode(PyObject *self, PyObject *data)
{
    const program *made = PyCapsule_GetPointer(self, NULL);
    cursor at;
    if (!PyBytes_CheckExact(data))
        return doubt(PyExc_IndexError);
    at.p = bytes_of(data, &at.end);
    const int was_on = pause_collector(at.end - at.p >= made->large);
    PyObject *value = read_structure(&made->root, &at);
    resume_collector(was_on);
    if (RARELY(!value))
        return doubt(PyExc_IndexError);
    if (RARELY(at.p != at.end)) {
        Py_DECREF(value);
        return doubt(PyExc_IndexError);
    }
    return value;
}

/* read(data, start): the value that begins there, and the position after it. */
static PyObject *read_at(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    const program *made = PyCapsule_GetPointer(self, NULL);
    cursor at;
    if (count != 2 || !part_of(given[0], given[1], NULL, &at.p, &at.end))
        return PyErr_Occurred() ? NULL : doubt(PyExc_TypeError);
    const uint8_t *base = (const uint8_t *)PyBytes_AsString(given[0]);
    const int was_on = pause_collector(at.end - at.p >= made->large);
    PyObject *value = read_structure(&made->root, &at);
    resume_collector(was_on);
    return value ? Py_BuildValue("Nn", value, (Py_ssize_t)(at.p - base)) : doubt(PyExc_IndexError);
}

/* write(value): its bytes. */
static PyObject *write_all(PyObject *self, PyObject *value)
{
    const program *made = PyCapsule_GetPointer(self, NULL);
    output out;
    start_output(&out);
    return end_output(&out, write_structure(&made->root, value, &out));
}

static PyMethodDef FUNCTIONS[] = {
    {"decode", decode, METH_O, "Read a value that is all of the bytes."},
    {"read", (PyCFunction)(void (*)(void))read_at, METH_FASTCALL, "Read a value; return it and the position after it."},
    {"write", write_all, METH_O, "Write a value."},
};

/* program(structure, large): the functions decode, read and write of one version. From `large` bytes on, decoding pauses
   the garbage collector. */
PyObject *make_program(PyObject *module, PyObject *arguments)
{
    PyObject *given, *capsule;
    long long large;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OL", &given, &large))
        return NULL;
    program *made = PyMem_Calloc(1, sizeof *made);
    if (!made)
        return PyErr_NoMemory();
    made->large = large;
    if (!load_node(&made->root, given, 0) || made->root.operation != STRUCTURE) {
        free_program(made);
        refuse_program("it is no structure");
        return NULL;
    }
    if (!(capsule = PyCapsule_New(made, NULL, free_capsule))) {
        free_program(made);
        return NULL;
    }
    PyObject *functions = Py_BuildValue("NNN", PyCFunction_New(&FUNCTIONS[0], capsule), PyCFunction_New(&FUNCTIONS[1], capsule),
                                        PyCFunction_New(&FUNCTIONS[2], capsule));
    Py_DECREF(capsule);
    return functions;
}
