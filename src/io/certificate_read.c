/* SPDX-License-Identifier: MIT */
/* Reads certificates from JSON into their binary form; see certificate_file.h. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "io/certificate_file.h"
#include "text/json.h"

typedef struct json_certificate
{
    grz_reader *reader;
    grz_json json;
    grz_writer *out;
    graze_status status; /* of what was refused */
} json_certificate;

static bool refuse(json_certificate *c, const char *what)
{
    c->status = grz_fail(c->reader, GRAZE_STATUS_BAD_FORMAT, "this is no certificate: %s", what);
    return false;
}

static void put_word(json_certificate *c, uint64_t word, int size)
{
    unsigned char bytes[8];
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    grz_put_bytes(c->out, bytes, (size_t)size);
}

static void put_double(json_certificate *c, double x)
{
    put_word(c, grz_is_zero(x) ? 0 : grz_bits(x), 8);
}

/* The members of an object under these keys; it has no others, and none twice. Those after `needed` may be missing. */
static bool take_members(json_certificate *c, uint32_t object, const char *const *keys, uint32_t count, uint32_t needed,
                         uint32_t *values)
{
    uint32_t found = 0;
    if (grz_json_kind_of(&c->json, object) != GRZ_JSON_OBJECT)
        return refuse(c, "an object is missing");
    for (uint32_t i = 0; i < count; i++)
    {
        values[i] = grz_json_member(&c->json, object, keys[i]);
        found += values[i] != GRZ_JSON_NONE;
        if (values[i] == GRZ_JSON_NONE && i < needed)
        {
            c->status =
                grz_fail(c->reader, GRAZE_STATUS_BAD_FORMAT, "this is no certificate: '%s' is missing", keys[i]);
            return false;
        }
    }
    return found == grz_json_count(&c->json, object) || refuse(c, "it has a key that certificates do not have");
}

static bool put_numbers(json_certificate *c, uint32_t list, int count)
{
    if (grz_json_kind_of(&c->json, list) != GRZ_JSON_ARRAY || grz_json_count(&c->json, list) != (uint32_t)count)
        return refuse(c, "a list of numbers in a motion has another length");
    for (uint32_t item = grz_json_first(&c->json, list); item != GRZ_JSON_NONE;
         item = grz_json_next(&c->json, list, item))
    {
        double number;
        if (!grz_json_number(&c->json, item, &number) || !isfinite(number))
            return refuse(c, "a number of a motion is none, or not finite");
        put_double(c, number);
    }
    return true;
}

static bool put_member(json_certificate *c, uint32_t value, const grz_motion_member *member)
{
    if (!member->nested)
        return put_numbers(c, value, member->columns);
    if (grz_json_count(&c->json, value) != (uint32_t)member->rows)
        return refuse(c, "a list of rows in a motion has another length");
    for (uint32_t row = grz_json_first(&c->json, value); row != GRZ_JSON_NONE;
         row = grz_json_next(&c->json, value, row))
        if (!put_numbers(c, row, member->columns))
            return false;
    return true;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string of 2 * size hexadecimal digits. */
static bool take_digits(json_certificate *c, uint32_t value, unsigned char *out, size_t size)
{
    grz_name text = grz_json_raw(&c->json, value);
    if (grz_json_kind_of(&c->json, value) != GRZ_JSON_STRING || text.size != 2 * size)
        return refuse(c, "a string of hexadecimal digits is missing, or of another length");
    for (size_t i = 0; i < size; i++)
    {
        int high = digit_of(text.text[2 * i]), low = digit_of(text.text[2 * i + 1]);
        if (high < 0 || low < 0)
            return refuse(c, "a hexadecimal digit is none");
        out[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

static bool put_motion(json_certificate *c, uint32_t motion, double deviation)
{
    uint32_t kind = grz_json_member(&c->json, motion, "kind"), number = 0;
    while (number < GRZ_MOTION_LAYOUTS && !grz_json_is(&c->json, kind, grz_motion_layouts[number].kind))
        number++;
    if (number == GRZ_MOTION_LAYOUTS)
        return refuse(c, "a motion is of no kind that certificates have");
    const grz_motion_layout *layout = &grz_motion_layouts[number];
    const char *keys[4] = {"kind"};
    uint32_t values[4], count = 1;
    for (int i = 0; i < layout->member_count; i++)
        keys[count++] = layout->members[i].key;
    if (!take_members(c, motion, keys, count, count, values))
        return false;
    put_word(c, number, 8);
    put_double(c, deviation);
    int used = 0;
    for (int i = 0; i < layout->member_count; i++)
    {
        if (!put_member(c, values[1 + i], &layout->members[i]))
            return false;
        used = layout->members[i].first + layout->members[i].rows * layout->members[i].columns;
    }
    for (; used < 24; used++)
        put_double(c, 0);
    return true;
}

static bool put_side(json_certificate *c, uint32_t side)
{
    static const char *const keys[] = {"sha256", "motion", "deviation"};
    uint32_t values[3];
    unsigned char hash[32];
    double deviation = 0;
    if (!take_members(c, side, keys, 3, 2, values) || !take_digits(c, values[0], hash, sizeof hash))
        return false;
    if (values[2] != GRZ_JSON_NONE && (!grz_json_number(&c->json, values[2], &deviation) || !isfinite(deviation)))
        return refuse(c, "a deviation is no finite number");
    grz_put_bytes(c->out, hash, sizeof hash);
    return put_motion(c, values[1], deviation);
}

static bool put_order(json_certificate *c, uint32_t order)
{
    for (uint32_t item = grz_json_first(&c->json, order); item != GRZ_JSON_NONE;
         item = grz_json_next(&c->json, order, item))
    {
        uint64_t triangle;
        if (!grz_json_index(&c->json, item, UINT32_MAX, &triangle))
            return refuse(c, "an order holds something that is no triangle number");
        put_word(c, triangle, 4);
    }
    return true;
}

static bool put_plane(json_certificate *c, const uint32_t items[6])
{
    static const char *const frames[] = {"w", "a", "b"};
    uint64_t frame = 0;
    while (frame < 3 && !grz_json_is(&c->json, items[1], frames[frame]))
        frame++;
    if (frame == 3)
        return refuse(c, "the frame of a plane is not w, a or b");
    put_word(c, 3 + frame, 1);
    for (int i = 0; i < 4; i++)
    {
        unsigned char digits[8];
        uint64_t bits = 0;
        if (!take_digits(c, items[2 + i], digits, sizeof digits))
            return false;
        for (int k = 0; k < 8; k++)
            bits = bits << 8 | digits[k];
        put_word(c, bits == GRZ_SIGN_BIT ? 0 : bits, 8);
    }
    return true;
}

/* Writes one cell; the cells within it, if it is a split, go to *out_cells. */
static bool put_cell(json_certificate *c, uint32_t cell, uint32_t out_cells[2])
{
    uint32_t items[6], count = grz_json_count(&c->json, cell), i = 0;
    unsigned char zeros[GRZ_CERTIFICATE_CELL] = {0};
    out_cells[0] = GRZ_JSON_NONE;
    if (grz_json_kind_of(&c->json, cell) != GRZ_JSON_ARRAY || count < 3 || count > 6)
        return refuse(c, "a cell is no list of three to six");
    for (uint32_t item = grz_json_first(&c->json, cell); i < count; item = grz_json_next(&c->json, cell, item))
        items[i++] = item;
    if (count == 6 && grz_json_is(&c->json, items[0], "plane"))
        return put_plane(c, items);
    bool of_a = count == 4 && grz_json_is(&c->json, items[0], "a");
    bool of_b = count == 4 && grz_json_is(&c->json, items[0], "b");
    uint64_t split = 0;
    if (!of_a && !of_b && !(count == 3 && grz_json_is(&c->json, items[0], "t")))
        return refuse(c, "a cell is neither a split nor a plane");
    if (count == 4 && !grz_json_index(&c->json, items[1], UINT32_MAX, &split))
        return refuse(c, "a split is not at a place of an order");
    put_word(c, of_a ? 0 : of_b ? 1 : 2, 1);
    put_word(c, split, 4);
    grz_put_bytes(c->out, zeros, GRZ_CERTIFICATE_CELL - 5);
    out_cells[0] = items[count - 2];
    out_cells[1] = items[count - 1];
    return true;
}

typedef GRZ_ARRAY(uint32_t) cell_stack;

static bool push(json_certificate *c, cell_stack *stack, uint32_t cell)
{
    if (GRZ_PUSH(c->out->context, stack, cell))
        return true;
    c->out->status = GRAZE_STATUS_OUT_OF_MEMORY;
    return false;
}

/* All cells in preorder; their number is put where the header has it. */
static bool put_cells(json_certificate *c, uint32_t root, size_t place_of_count)
{
    cell_stack stack = {0};
    bool fine = true;
    uint64_t number = 0;
    if (grz_json_kind_of(&c->json, root) != GRZ_JSON_NULL)
        fine = push(c, &stack, root);
    while (fine && stack.count > 0)
    {
        uint32_t cells[2];
        fine = put_cell(c, stack.data[--stack.count], cells) && c->out->status == GRAZE_STATUS_OK;
        number++;
        if (fine && cells[0] != GRZ_JSON_NONE)
            fine = push(c, &stack, cells[1]) && push(c, &stack, cells[0]);
    }
    grz_release(c->out->context, stack.data);
    for (int i = 0; fine && i < 8; i++)
        c->out->bytes.data[place_of_count + (size_t)i] = (char)(unsigned char)(number >> 8 * i);
    return fine;
}

static bool put_everything(json_certificate *c)
{
    static const char *const keys[] = {"graze",   "version", "a",     "b",   "clearance",
                                       "order_a", "order_b", "cells", "seal"};
    static const char magic[] = "grazecrt";
    uint32_t values[9];
    uint64_t version = 0;
    double clearance = 0;
    size_t start = c->out->bytes.count;
    unsigned char seal[GRZ_CERTIFICATE_SEAL];
    if (!take_members(c, 0, keys, 9, 9, values))
        return false;
    if (!grz_json_is(&c->json, values[0], "certificate"))
        return refuse(c, "graze does not say \"certificate\"");
    if (!grz_json_index(&c->json, values[1], UINT32_MAX, &version) || version != 1)
    {
        c->status = grz_fail(c->reader, GRAZE_STATUS_UNSUPPORTED, "a certificate of another version");
        return false;
    }
    grz_put_bytes(c->out, magic, 8);
    put_word(c, version, 8);
    if (!put_side(c, values[2]) || !put_side(c, values[3]))
        return false;
    if (!grz_json_number(&c->json, values[4], &clearance) || !isfinite(clearance))
        return refuse(c, "clearance is no finite number");
    put_double(c, clearance);
    for (int side = 0; side < 2; side++)
    {
        if (grz_json_kind_of(&c->json, values[5 + side]) != GRZ_JSON_ARRAY)
            return refuse(c, "an order is no list");
        put_word(c, grz_json_count(&c->json, values[5 + side]), 8);
    }
    size_t place_of_count = start + GRZ_CERTIFICATE_HEADER - 8;
    put_word(c, 0, 8);
    if (!put_order(c, values[5]) || !put_order(c, values[6]) || !put_cells(c, values[7], place_of_count) ||
        !take_digits(c, values[8], seal, sizeof seal))
        return false;
    grz_put_bytes(c->out, seal, sizeof seal);
    return true;
}

static uint64_t line_of(const grz_reader *reader, const char *at)
{
    uint64_t line = 1;
    for (const char *c = reader->begin; c < at; c++)
        line += *c == '\n';
    return line;
}

graze_status grz_certificate_read_json(grz_reader *reader, grz_writer *out)
{
    grz_json_input input = {.context = reader->context,
                            .begin = reader->begin,
                            .at = reader->at,
                            .end = reader->end,
                            .monitor = reader->monitor};
    json_certificate c = {.reader = reader, .out = out};
    graze_status status = GRAZE_STATUS_UNSUPPORTED;
    if ((uint64_t)(reader->end - reader->begin) >= UINT32_MAX)
        return grz_fail(reader, status, "a text of 4 GiB or more; the binary form may be larger");
    status = grz_json_parse(&input, &c.json);
    reader->line = line_of(reader, input.at);
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        grz_fail_memory(reader);
    else if (status != GRAZE_STATUS_OK)
        grz_fail_here(reader, status, input.fault.what != NULL ? "%s" : "expected %s",
                      input.fault.what != NULL ? input.fault.what : input.fault.expected);
    else if (!put_everything(&c))
        status = out->status != GRAZE_STATUS_OK ? grz_fail_memory(reader) : c.status;
    else if (out->status != GRAZE_STATUS_OK)
        status = grz_fail_memory(reader);
    grz_json_release(reader->context, &c.json);
    reader->at = input.at;
    return grz_stopped(reader, status);
}
