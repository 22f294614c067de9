/* Record batches of v2: as a consumer's records, as the values of their structure, and as columns.

   Bits, limits and places come from the layouts of a batch, a record and a header
   (kafka_format.codec.compiler.batch_program); fixed is that a batch has numbers of fixed size and then its records; that a
   record has its length, a row of fixed numbers that nothing is made of but the structure, two varints (the deltas of
   timestamp and offset), two contents (key and value), and headers, which have two contents. */
#include "machine.h"

#define MOST_HEAD 32 /* numbers of a batch */
#define MOST_ROW 8   /* fixed numbers of a record */

enum { LENGTH, CRC, COVERED, COUNT, ATTRIBUTES, BASE_OFFSET, BASE_TIMESTAMP, MAX_TIMESTAMP, PRODUCER_ID, PRODUCER_EPOCH, BASE_SEQUENCE, ROLES };
enum { RECORD, HEADER, BATCH_STRUCTURE, RECORD_STRUCTURE, HEADER_STRUCTURE, DECOMPRESS, OBJECTS };
enum { RECORD_FIELDS = 12 }; /* of kafka_format.records.Record */

typedef struct {
    int size, is_signed, shift;
    int64_t low, high;
    int64_t mask, known; /* of bits that have names: bit n of `known` is set if the number n has one; no mask, no names */
} number_form;

typedef struct {
    int bits, least, is_text; /* of the length; -1 or 0, the least that it may be */
} content_form;

typedef struct {
    int head_count, head_size, row_count, row_size, length_bits, count_bits, number_bits[2];
    int smallest_record, smallest_header;
    number_form head[MOST_HEAD], row[MOST_ROW];
    int role[ROLES];      /* which number of the head is what */
    int at[MOST_HEAD + 1]; /* where each begins, and where the last ends */
    content_form content[2], header[2];
    long long codec_mask, appended_bit, transactional_bit, control_bit;
    long long large;
    PyObject *object[OBJECTS];
} form;

typedef struct {
    const uint8_t *p;
    int64_t size; /* -1 for null */
} content;

typedef struct {
    int64_t length, number[2], header_count;
    const uint8_t *row;
    content content[2];
} record;

/* ---- the bytes */

/* Reads the numbers of a batch and checks them; sets `stop` to where it ends. */
static int read_numbers(const form *f, const uint8_t *p, const uint8_t *end, int64_t *head, const uint8_t **stop)
{
    if (RARELY(end - p < f->head_size))
        return 0;
    for (int index = 0; index < f->head_count; index++) {
        const number_form *number = &f->head[index];
        const int64_t value = head[index] = load_integer(p + f->at[index], number->size, number->is_signed);
        if (RARELY(value < number->low || value > number->high))
            return 0;
        if (number->mask && !(number->known >> (value >> number->shift & number->mask) & 1))
            return 0;
    }
    const int64_t length = head[f->role[LENGTH]];
    const uint8_t *counted = p + f->at[f->role[LENGTH] + 1];
    if (RARELY(length < f->head_size - (counted - p) || length > end - counted))
        return 0;
    *stop = counted + length;
    return 1;
}

/* The same, and its checksum. */
static int read_head(const form *f, const uint8_t *p, const uint8_t *end, int64_t *head, const uint8_t **stop)
{
    if (!read_numbers(f, p, end, head, stop))
        return 0;
    const uint8_t *covered = p + f->at[f->role[COVERED]];
    return crc32c(covered, (size_t)(*stop - covered)) == (uint32_t)head[f->role[CRC]];
}

/* Reads two contents that end before `end`. */
static inline int read_contents(const content_form *forms, const uint8_t **p, const uint8_t *end, content *contents)
{
    for (int index = 0; index < 2; index++) {
        int64_t size;
        if (RARELY(!read_zigzag(p, end, forms[index].bits, &size)))
            return 0;
        if (RARELY(size < forms[index].least || size > end - *p))
            return 0;
        if (forms[index].is_text && RARELY(!is_utf8(*p, size)))
            return 0;
        contents[index].p = *p;
        contents[index].size = size;
        *p += size > 0 ? size : 0;
    }
    return 1;
}

/* Reads a record up to its headers, which have room for as many as it says; sets `stop` to where it ends. */
static inline int read_record(const form *f, const uint8_t **p, const uint8_t *end, record *r, const uint8_t **stop)
{
    if (RARELY(!read_zigzag(p, end, f->length_bits, &r->length)))
        return 0;
    if (RARELY(r->length < f->row_size || r->length > end - *p))
        return 0;
    *stop = *p + r->length;
    r->row = *p;
    *p += f->row_size;
    for (int index = 0; index < 2; index++)
        if (RARELY(!read_zigzag(p, *stop, f->number_bits[index], &r->number[index])))
            return 0;
    return read_contents(f->content, p, *stop, r->content) && read_zigzag(p, *stop, f->count_bits, &r->header_count) &&
           r->header_count >= 0 && r->header_count <= (*stop - *p) / f->smallest_header; /* before any memory is taken */
}

static inline int64_t sum(int64_t base, int64_t delta)
{
    return (int64_t)((uint64_t)base + (uint64_t)delta);
}

/* The sequence of a record, as kafka_format.records.model.sequence_of has it. */
static int64_t sequence_of(int64_t base, int64_t delta)
{
    const int64_t number = base + delta, wrapped = number - INT32_MAX - 1;
    if (base < 0)
        return -1;
    if (delta >= 0 && number <= INT32_MAX)
        return number;
    return wrapped >= INT32_MIN ? wrapped : wrapped + 2 * ((int64_t)INT32_MAX + 1);
}

/* ---- values of records */

/* What the records of a batch share. */
typedef struct {
    const form *f;
    const int64_t *head;
    int is_structure, is_appended;
    PyObject *timestamp, *timestamp_type, *producer_id, *producer_epoch, *transactional, *control, *codec;
} batch;

static int share(batch *b)
{
    const form *f = b->f;
    const int64_t attributes = b->head[f->role[ATTRIBUTES]];
    b->is_appended = (attributes & f->appended_bit) != 0;
    b->timestamp = PyLong_FromLongLong(b->head[f->role[MAX_TIMESTAMP]]);
    b->timestamp_type = PyLong_FromLong(b->is_appended);
    b->producer_id = PyLong_FromLongLong(b->head[f->role[PRODUCER_ID]]);
    b->producer_epoch = PyLong_FromLongLong(b->head[f->role[PRODUCER_EPOCH]]);
    b->transactional = PyBool_FromLong((attributes & f->transactional_bit) != 0);
    b->control = PyBool_FromLong((attributes & f->control_bit) != 0);
    b->codec = PyLong_FromLongLong(attributes & f->codec_mask);
    return b->timestamp && b->timestamp_type && b->producer_id && b->producer_epoch && b->codec;
}

static void unshare(batch *b)
{
    Py_XDECREF(b->timestamp);
    Py_XDECREF(b->timestamp_type);
    Py_XDECREF(b->producer_id);
    Py_XDECREF(b->producer_epoch);
    Py_XDECREF(b->transactional);
    Py_XDECREF(b->control);
    Py_XDECREF(b->codec);
}

static PyObject *new_header(const batch *b, const content *contents)
{
    PyObject *header = new_tuple(b->f->object[b->is_structure ? HEADER_STRUCTURE : HEADER], 2);
    if (RARELY(!header))
        return NULL;
    for (int index = 0; index < 2; index++)
        if (RARELY(!put(header, index, new_bytes_or_none(contents[index].p, contents[index].size)))) {
            Py_DECREF(header);
            return NULL;
        }
    return header;
}

/* Reads headers, as a list in a structure, else as a tuple. */
static PyObject *read_headers(const batch *b, const record *r, const uint8_t **p, const uint8_t *stop)
{
    const Py_ssize_t count = (Py_ssize_t)r->header_count;
    PyObject *headers = b->is_structure ? PyList_New(count) : PyTuple_New(count);
    for (Py_ssize_t index = 0; headers && index < count; index++) {
        content contents[2];
        PyObject *header = read_contents(b->f->header, p, stop, contents) ? new_header(b, contents) : NULL;
        if (RARELY(!header)) {
            Py_DECREF(headers);
            return NULL;
        }
        if (b->is_structure)
            PyList_SetItem(headers, index, header);
        else
            put(headers, index, header);
    }
    if (count && headers && !b->is_structure)
        PyObject_GC_UnTrack(headers);
    return headers;
}

static PyObject *sequence(const batch *b, const record *r)
{
    return PyLong_FromLongLong(sequence_of(b->head[b->f->role[BASE_SEQUENCE]], r->number[1]));
}

static PyObject *timestamp(const batch *b, const record *r)
{
    return b->is_appended ? new_reference(b->timestamp) : PyLong_FromLongLong(sum(b->head[b->f->role[BASE_TIMESTAMP]], r->number[0]));
}

/* Fills the record of a consumer, which is of numbers, bytes and headers: it is in no cycle. Takes the headers over. */
static int fill_record(const batch *b, const record *r, PyObject *value, PyObject *headers)
{
    if (RARELY(!put(value, 5, headers)))
        return 0;
    if (!put(value, 0, PyLong_FromLongLong(sum(b->head[b->f->role[BASE_OFFSET]], r->number[1]))) || !put(value, 1, timestamp(b, r)) ||
        !put(value, 2, new_reference(b->timestamp_type)) || !put(value, 3, new_bytes_or_none(r->content[0].p, r->content[0].size)) ||
        !put(value, 4, new_bytes_or_none(r->content[1].p, r->content[1].size)) || !put(value, 6, new_reference(b->producer_id)) ||
        !put(value, 7, new_reference(b->producer_epoch)) || !put(value, 8, sequence(b, r)) ||
        !put(value, 9, new_reference(b->transactional)) || !put(value, 10, new_reference(b->control)) ||
        !put(value, 11, new_reference(b->codec)))
        return 0;
    return 1;
}

static int fill_structure(const batch *b, const record *r, PyObject *value, PyObject *headers)
{
    const form *f = b->f;
    const uint8_t *p = r->row;
    int place = f->row_count + 1;
    if (RARELY(!put(value, place + 5, headers)) || !put(value, 0, PyLong_FromLongLong(r->length)))
        return 0;
    for (int index = 0; index < f->row_count; p += f->row[index++].size)
        if (!put(value, index + 1, PyLong_FromLongLong(load_integer(p, f->row[index].size, f->row[index].is_signed))))
            return 0;
    for (int index = 0; index < 2; index++, place++)
        if (!put(value, place, PyLong_FromLongLong(r->number[index])))
            return 0;
    for (int index = 0; index < 2; index++, place++)
        if (!put(value, place, new_bytes_or_none(r->content[index].p, r->content[index].size)))
            return 0;
    if (!put(value, place, PyLong_FromLongLong(r->header_count)))
        return 0;
    PyObject_GC_Track(value); /* it has a list */
    return 1;
}

static PyObject *read_record_value(const batch *b, const uint8_t **p, const uint8_t *end)
{
    record r;
    const uint8_t *stop;
    const form *f = b->f;
    if (RARELY(!read_record(f, p, end, &r, &stop)))
        return NULL;
    PyObject *value = b->is_structure ? new_tuple(f->object[RECORD_STRUCTURE], f->row_count + 7) : new_tuple(f->object[RECORD], RECORD_FIELDS);
    if (RARELY(!value))
        return NULL;
    const int is_filled = (b->is_structure ? fill_structure : fill_record)(b, &r, value, read_headers(b, &r, p, stop));
    if (RARELY(!is_filled || *p != stop)) {
        Py_DECREF(value);
        return NULL;
    }
    return value;
}

/* Reads all records between `p` and `end`, which there are as many of as the head says. */
static PyObject *read_items(const batch *b, const uint8_t *p, const uint8_t *end)
{
    const int64_t count = b->head[b->f->role[COUNT]];
    if (count < 0 || count > (end - p) / b->f->smallest_record) /* before any memory is taken */
        return NULL;
    PyObject *items = PyList_New((Py_ssize_t)count);
    for (int64_t index = 0; items && index < count; index++) {
        PyObject *value = read_record_value(b, &p, end);
        if (RARELY(!value)) {
            Py_DECREF(items);
            return NULL;
        }
        PyList_SetItem(items, (Py_ssize_t)index, value);
    }
    if (items && p != end) {
        Py_DECREF(items);
        return NULL;
    }
    return items;
}

/* The same for records that are compressed; sets `size` to their bytes. `left` is what they may decompress to. */
static PyObject *read_compressed(const batch *b, const uint8_t *p, const uint8_t *end, int64_t left, int64_t *size)
{
    const form *f = b->f;
    const int codec = (int)(b->head[f->role[ATTRIBUTES]] & f->codec_mask);
    PyObject *items = NULL;
    PyObject *plain = PyObject_CallFunction(f->object[DECOMPRESS], "iy#L", codec, (const char *)p, (Py_ssize_t)(end - p), (long long)left);
    if (plain && PyBytes_CheckExact(plain)) {
        const uint8_t *stop, *start = bytes_of(plain, &stop);
        *size = stop - start;
        items = read_items(b, start, stop);
    }
    Py_XDECREF(plain);
    return items;
}

/* Reads the records of one batch whose head was read. */
static PyObject *read_batch(const form *f, const int64_t *head, const uint8_t *p, const uint8_t *stop, int is_structure, int64_t left, int64_t *size)
{
    batch b = {f, head, is_structure, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    PyObject *items = NULL;
    *size = 0;
    if (is_structure || share(&b)) {
        const int was_on = pause_collector(stop - p >= f->large);
        if (head[f->role[ATTRIBUTES]] & f->codec_mask)
            items = read_compressed(&b, p + f->head_size, stop, left, size);
        else
            items = read_items(&b, p + f->head_size, stop);
        resume_collector(was_on);
    }
    unshare(&b);
    return items;
}

/* Appends the items of a list to another. */
static int extend(PyObject *list, PyObject *items)
{
    const Py_ssize_t size = PyList_Size(list);
    return !PyList_SetSlice(list, size, size, items);
}

/* decode(data, start, end, limit, most): the records of batches up to the first doubt, or to the end of a control batch.
   Returns the records, where those batches end, how many they are, the bytes that payloads decompressed to, and for a
   control batch where it begins and which of the records is its first one (else -1 and -1). The count of records must not
   go beyond `most`, nor the bytes of payloads beyond `limit`.

   `end` may be None for all of the data, whatever they are. Then it returns None if they are no bytes, and just the records
   if they are all that is there, and nothing was compressed. */
static PyObject *decode(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    const form *f = PyCapsule_GetPointer(self, NULL);
    const uint8_t *p, *end, *stop;
    int64_t head[MOST_HEAD], size;
    long long used = 0, batches = 0, control = -1, first = -1;
    if (count == 5 && !PyBytes_CheckExact(given[0]))
        return new_reference(Py_None);
    if (count != 5 || !part_of(given[0], given[1], given[2] == Py_None ? NULL : given[2], &p, &end))
        return PyErr_Occurred() ? NULL : doubt(PyExc_TypeError);
    const uint8_t *base = (const uint8_t *)PyBytes_AsString(given[0]);
    const long long limit = PyLong_AsLongLong(given[3]), most = PyLong_AsLongLong(given[4]);
    PyObject *all = NULL;
    if (RARELY((limit == -1 || most == -1) && PyErr_Occurred()))
        return NULL;
    const int was_on = pause_collector(end - p >= f->large);
    while (p < end && control < 0 && read_head(f, p, end, head, &stop)) {
        const Py_ssize_t before = all ? PyList_Size(all) : 0;
        if (head[f->role[COUNT]] > most - before)
            break;
        PyObject *items = read_batch(f, head, p, stop, 0, limit - used, &size);
        if (!items)
            break;
        if (all) {
            const int is_kept = extend(all, items);
            Py_DECREF(items);
            if (!is_kept)
                break;
        } else
            all = items;
        if (head[f->role[ATTRIBUTES]] & f->control_bit) {
            control = p - base;
            first = before;
        }
        used += size;
        batches++;
        p = stop;
    }
    resume_collector(was_on);
    if (p != end && PyErr_Occurred()) {
        Py_XDECREF(all);
        return NULL;
    }
    if (!all && !(all = PyList_New(0)))
        return NULL;
    if (given[2] == Py_None && p == end && control < 0 && !used)
        return all;
    return Py_BuildValue("NnLLLL", all, (Py_ssize_t)(p - base), batches, used, control, first);
}

/* structure(data, start, end, limit): the value of one batch and the position after it; IndexError for a doubt. */
static PyObject *structure(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    const form *f = PyCapsule_GetPointer(self, NULL);
    const uint8_t *p, *end, *stop;
    int64_t head[MOST_HEAD], size;
    if (count != 4 || !part_of(given[0], given[1], given[2], &p, &end))
        return PyErr_Occurred() ? NULL : doubt(PyExc_TypeError);
    const uint8_t *base = (const uint8_t *)PyBytes_AsString(given[0]);
    const long long limit = PyLong_AsLongLong(given[3]);
    PyObject *items = !PyErr_Occurred() && read_head(f, p, end, head, &stop) ? read_batch(f, head, p, stop, 1, limit, &size) : NULL;
    if (!items)
        return doubt(PyExc_IndexError);
    PyObject *value = new_tuple(f->object[BATCH_STRUCTURE], f->head_count + 1);
    int is_filled = value && put(value, f->head_count, items);
    for (int index = 0; is_filled && index < f->head_count; index++)
        is_filled = put(value, index, PyLong_FromLongLong(head[index]));
    if (!is_filled) {
        if (!value)
            Py_DECREF(items);
        Py_XDECREF(value);
        return NULL;
    }
    PyObject_GC_Track(value);
    return Py_BuildValue("Nn", value, (Py_ssize_t)(stop - base));
}

/* ---- columns */

enum { DATA, STARTS, ENDS, COUNTS, FIRSTS, BASES, SOUND, NUMBERS, BEGINS, LENGTHS, HEADER_COUNTS, OWNERS, HEADER_BEGINS, HEADER_LENGTHS, ARRAYS };

typedef struct {
    Py_ssize_t batches, rows, room; /* of batches, of records, of headers */
    const int64_t *starts, *ends, *counts, *firsts, *bases;
    int64_t *numbers, *begins, *header_begins;
    int32_t *lengths, *header_counts, *owners, *header_lengths;
    uint8_t *sound;
} columns;

/* Reads one record into a row. Returns 0 for a doubt, -1 where headers find no room. */
static inline int fill_row(const form *f, const columns *c, const uint8_t *data, const uint8_t **p, const uint8_t *end, Py_ssize_t batch_index,
                           Py_ssize_t row, Py_ssize_t *header)
{
    record r;
    const uint8_t *stop;
    if (RARELY(!read_record(f, p, end, &r, &stop)))
        return 0;
    if (r.header_count > c->room - *header)
        return -1;
    for (int index = 0; index < 2; index++) {
        c->numbers[index * c->rows + row] = sum(c->bases[index * c->batches + batch_index], r.number[index]);
        c->begins[index * c->rows + row] = r.content[index].p - data;
        c->lengths[index * c->rows + row] = (int32_t)r.content[index].size;
    }
    for (int64_t count = 0; count < r.header_count; count++) {
        content contents[2];
        if (RARELY(!read_contents(f->header, p, stop, contents)))
            return 0;
        for (int index = 0; index < 2; index++) {
            c->header_begins[index * c->room + *header + count] = contents[index].p - data;
            c->header_lengths[index * c->room + *header + count] = (int32_t)contents[index].size;
        }
    }
    if (RARELY(*p != stop))
        return 0;
    c->header_counts[row] = (int32_t)r.header_count;
    *header += (Py_ssize_t)r.header_count;
    return 1;
}

/* Reads the records of a batch into its rows. Rows from the first doubt on mean nothing, but that they have no headers.
   Returns 0 where headers find no room. */
static int fill_rows(const form *f, const columns *c, const uint8_t *data, Py_ssize_t index, Py_ssize_t *header)
{
    const uint8_t *p = data + c->starts[index], *end = data + c->ends[index];
    const Py_ssize_t first = (Py_ssize_t)c->firsts[index], stop = first + (Py_ssize_t)c->counts[index], before = *header;
    int is_right = 1;
    for (Py_ssize_t row = first; row < stop; row++) {
        is_right = is_right > 0 ? fill_row(f, c, data, &p, end, index, row, header) : 0;
        if (is_right < 0) {
            *header = before;
            return 0;
        }
        if (!is_right)
            c->header_counts[row] = 0;
        c->owners[row] = (int32_t)index;
    }
    c->sound[index] = is_right && p == end;
    return 1;
}

static int are_places(const columns *c, Py_ssize_t index, Py_ssize_t size)
{
    return c->starts[index] >= 0 && c->starts[index] <= c->ends[index] && c->ends[index] <= size && c->counts[index] >= 0 &&
           c->firsts[index] >= 0 && c->firsts[index] <= c->rows && c->counts[index] <= c->rows - c->firsts[index];
}

/* columns(data, starts, ends, counts, firsts, bases, sound, numbers, begins, lengths, header_counts, owners, header_begins,
   header_lengths, first): reads the records of batches from `first` on, as long as there is room for their headers. The
   first six say where each batch has its records, how many, in which row the first one goes, and what is added to the two
   numbers; the others are filled. Returns the batch that found no room, or how many there are, and the count of headers. */
static PyObject *fill_columns(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    const form *f = PyCapsule_GetPointer(self, NULL);
    Py_buffer views[ARRAYS];
    PyObject *result = NULL;
    columns c = {0};
    int taken = 0;
    if (count != ARRAYS + 1)
        return PyErr_Format(PyExc_TypeError, "takes %d arrays and a number", ARRAYS);
    Py_ssize_t header = 0, index = PyLong_AsSsize_t(given[ARRAYS]);
    if (PyErr_Occurred())
        return NULL;
    for (; taken < ARRAYS; taken++) {
        const Py_ssize_t n = c.batches, rows = c.rows, least[ARRAYS] = {0, 0, n * 8, n * 8, n * 8, n * 16, n, 0, rows * 16, rows * 8, rows * 4, rows * 4, 0, c.room * 8};
        if (!take_array(given[taken], taken >= SOUND, least[taken], &views[taken]))
            break;
        if (taken == STARTS)
            c.batches = views[taken].len / 8;
        if (taken == NUMBERS)
            c.rows = views[taken].len / 16;
        if (taken == HEADER_BEGINS)
            c.room = views[taken].len / 16;
    }
    if (taken == ARRAYS) {
        c.starts = views[STARTS].buf, c.ends = views[ENDS].buf, c.counts = views[COUNTS].buf, c.firsts = views[FIRSTS].buf;
        c.bases = views[BASES].buf, c.sound = views[SOUND].buf, c.numbers = views[NUMBERS].buf, c.begins = views[BEGINS].buf;
        c.lengths = views[LENGTHS].buf, c.header_counts = views[HEADER_COUNTS].buf, c.owners = views[OWNERS].buf;
        c.header_begins = views[HEADER_BEGINS].buf, c.header_lengths = views[HEADER_LENGTHS].buf;
        for (; index >= 0 && index < c.batches && are_places(&c, index, views[DATA].len); index++)
            if (!fill_rows(f, &c, views[DATA].buf, index, &header)) {
                result = Py_BuildValue("nn", index, header);
                break;
            }
        if (!result)
            result = index == c.batches ? Py_BuildValue("nn", index, header)
                                        : PyErr_Format(PyExc_ValueError, "batch %zd does not lie in the bytes, or in the rows", index);
    }
    release_arrays(views, taken);
    return result;
}

/* heads(data, starts, ends, numbers, sound): reads the numbers of batches that lie between these places, and tells which
   are sound but for their checksums. Fills a column for each role from the count of records on. */
static PyObject *fill_heads(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    const form *f = PyCapsule_GetPointer(self, NULL);
    Py_buffer views[5];
    int taken = 0;
    if (count != 5)
        return PyErr_Format(PyExc_TypeError, "takes 5 arrays");
    for (; taken < 5; taken++) {
        const Py_ssize_t n = taken > 1 ? views[1].len / 8 : 0, least[] = {0, 0, n * 8, n * 8 * (ROLES - COUNT), n};
        if (!take_array(given[taken], taken >= 3, least[taken], &views[taken])) {
            release_arrays(views, taken);
            return NULL;
        }
    }
    const Py_ssize_t batches = views[1].len / 8, size = views[0].len;
    const uint8_t *data = views[0].buf, *stop;
    const int64_t *starts = views[1].buf, *ends = views[2].buf;
    int64_t *numbers = views[3].buf, head[MOST_HEAD];
    Py_ssize_t index = 0;
    for (; index < batches && starts[index] >= 0 && starts[index] <= ends[index] && ends[index] <= size; index++) {
        const uint8_t *end = data + ends[index];
        const int is_sound = read_numbers(f, data + starts[index], end, head, &stop) && stop == end;
        for (int role = COUNT; role < ROLES; role++)
            numbers[(role - COUNT) * batches + index] = is_sound ? head[f->role[role]] : 0;
        ((uint8_t *)views[4].buf)[index] = (uint8_t)is_sound;
    }
    release_arrays(views, taken);
    if (index < batches)
        return PyErr_Format(PyExc_ValueError, "batch %zd does not lie in the bytes", index);
    return new_reference(Py_None);
}

/* ---- forms */

static int load_number(number_form *number, PyObject *given)
{
    long long low, high, mask, known;
    if (!PyArg_ParseTuple(given, "iiLLiLL", &number->size, &number->is_signed, &low, &high, &number->shift, &mask, &known))
        return 0;
    number->low = low, number->high = high, number->mask = mask, number->known = known;
    return (number->size == 1 || number->size == 2 || number->size == 4 || number->size == 8) && mask >= 0 && mask < 63 &&
           number->shift >= 0 && number->shift < 63;
}

/* Loads adjacent numbers; returns how many, or -1. */
static int load_numbers(number_form *numbers, int *size, PyObject *given, int most)
{
    const Py_ssize_t count = PyTuple_Size(given);
    if (count < 0 || count > most)
        return -1;
    *size = 0;
    for (Py_ssize_t index = 0; index < count; index++) {
        if (!load_number(&numbers[index], PyTuple_GetItem(given, index)))
            return -1;
        *size += numbers[index].size;
    }
    return (int)count;
}

static int load_roles(form *f, PyObject *roles)
{
    f->at[0] = 0;
    for (int index = 0; index < f->head_count; index++)
        f->at[index + 1] = f->at[index] + f->head[index].size;
    for (int role = 0; role < ROLES; role++) {
        PyObject *index = PyTuple_GetItem(roles, role);
        f->role[role] = index ? (int)PyLong_AsLong(index) : -1;
        if (f->role[role] < 0 || f->role[role] >= f->head_count)
            return 0;
    }
    return f->head[f->role[CRC]].size == 4 && f->role[COVERED] > f->role[LENGTH];
}

static int are_bits(const form *f)
{
    const int bits[] = {f->length_bits, f->count_bits, f->number_bits[0], f->number_bits[1], f->content[0].bits, f->content[1].bits, f->header[0].bits, f->header[1].bits};
    for (size_t index = 0; index < sizeof bits / sizeof *bits; index++)
        if (bits[index] != 32 && bits[index] != 64)
            return 0;
    for (int index = 0; index < 2; index++)
        if (f->content[index].least < -1 || f->header[index].least < -1 || (f->content[index].is_text && f->content[index].least < 0) ||
            (f->header[index].is_text && f->header[index].least < 0))
            return 0;
    return f->smallest_record > 0 && f->smallest_header > 0;
}

static int are_objects(form *f, PyObject *objects)
{
    if (PyTuple_Size(objects) != OBJECTS)
        return 0;
    for (int index = 0; index < OBJECTS; index++) {
        PyObject *object = PyTuple_GetItem(objects, index);
        if (index < DECOMPRESS && !(PyType_Check(object) && PyType_IsSubtype((PyTypeObject *)object, &PyTuple_Type)))
            return 0;
        f->object[index] = new_reference(object);
    }
    return 1;
}

static int load_form(form *f, PyObject *arguments)
{
    PyObject *head, *roles, *row, *objects;
    content_form *key = f->content, *value = f->content + 1, *header_key = f->header, *header_value = f->header + 1;
    if (!PyArg_ParseTuple(arguments, "O!O!(LLLL)(iO!(ii)((iii)(iii))i((iii)(iii)))(ii)O!L", &PyTuple_Type, &head, &PyTuple_Type, &roles,
                          &f->codec_mask, &f->appended_bit, &f->transactional_bit, &f->control_bit, &f->length_bits, &PyTuple_Type, &row,
                          &f->number_bits[0], &f->number_bits[1], &key->bits, &key->least, &key->is_text, &value->bits, &value->least,
                          &value->is_text, &f->count_bits, &header_key->bits, &header_key->least, &header_key->is_text, &header_value->bits,
                          &header_value->least, &header_value->is_text, &f->smallest_record, &f->smallest_header, &PyTuple_Type, &objects, &f->large))
        return 0;
    f->head_count = load_numbers(f->head, &f->head_size, head, MOST_HEAD);
    f->row_count = load_numbers(f->row, &f->row_size, row, MOST_ROW);
    return f->head_count >= 0 && f->row_count >= 0 && load_roles(f, roles) && are_bits(f) && are_objects(f, objects);
}

static void free_form(form *f)
{
    for (int index = 0; index < OBJECTS; index++)
        Py_XDECREF(f->object[index]);
    PyMem_Free(f);
}

static void free_capsule(PyObject *capsule)
{
    free_form(PyCapsule_GetPointer(capsule, NULL));
}

static PyMethodDef FUNCTIONS[] = {
    {"decode", (PyCFunction)(void (*)(void))decode, METH_FASTCALL, "Read records up to the first doubt."},
    {"structure", (PyCFunction)(void (*)(void))structure, METH_FASTCALL, "Read a batch as the value of its structure."},
    {"heads", (PyCFunction)(void (*)(void))fill_heads, METH_FASTCALL, "Read the numbers of batches into columns."},
    {"columns", (PyCFunction)(void (*)(void))fill_columns, METH_FASTCALL, "Read records into columns."},
};

/* records(head, roles, bits, record, smallest, objects, large): the functions decode, structure, heads and columns. */
PyObject *make_records(PyObject *module, PyObject *arguments)
{
    PyObject *capsule;
    (void)module;
    form *f = PyMem_Calloc(1, sizeof *f);
    if (!f)
        return PyErr_NoMemory();
    if (!load_form(f, arguments) || !(capsule = PyCapsule_New(f, NULL, free_capsule))) {
        free_form(f);
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "no form of records");
    }
    PyObject *functions = Py_BuildValue("NNNN", PyCFunction_New(&FUNCTIONS[0], capsule), PyCFunction_New(&FUNCTIONS[1], capsule),
                                        PyCFunction_New(&FUNCTIONS[2], capsule), PyCFunction_New(&FUNCTIONS[3], capsule));
    Py_DECREF(capsule);
    return functions;
}
