/* SPDX-License-Identifier: MIT */
/* Writes certificates as JSON, from their binary form; see certificate_file.h. */
#include <string.h>

#include "base/bits.h"
#include "io/certificate_file.h"

const grz_motion_layout grz_motion_layouts[GRZ_MOTION_LAYOUTS] = {
    {"still", 1, {{"start", 0, 1, 12, false}}},
    {"blend", 2, {{"start", 0, 1, 12, false}, {"end", 12, 1, 12, false}}},
    {"turn", 3, {{"quaternion", 0, 2, 4, true}, {"centre", 8, 1, 3, false}, {"path", 11, 2, 3, true}}},
    {"ballistic_turn", 3, {{"quaternion", 0, 2, 4, true}, {"centre", 8, 1, 3, false}, {"path", 11, 3, 3, true}}},
};

static uint64_t word_at(const unsigned char *bytes, int size)
{
    uint64_t word = 0;
    for (int i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static double double_at(const unsigned char *bytes)
{
    return grz_from_bits(word_at(bytes, 8));
}

static void put_digits(grz_writer *writer, const unsigned char *bytes, int size, bool last_first)
{
    static const char digits[] = "0123456789abcdef";
    char text[64];
    for (int i = 0; i < size; i++)
    {
        unsigned char byte = bytes[last_first ? size - 1 - i : i];
        text[2 * i] = digits[byte >> 4];
        text[2 * i + 1] = digits[byte & 15];
    }
    grz_put_text(writer, "\"");
    grz_put_bytes(writer, text, 2 * (size_t)size);
    grz_put_text(writer, "\"");
}

static void put_row(grz_writer *writer, const unsigned char *numbers, int count)
{
    for (int i = 0; i < count; i++)
    {
        grz_put_text(writer, i == 0 ? "[" : ",");
        grz_put_number(writer, double_at(numbers + 8 * i));
    }
    grz_put_text(writer, "]");
}

static void put_side(grz_writer *writer, const char *key, const unsigned char *side)
{
    const grz_motion_layout *layout = &grz_motion_layouts[word_at(side + 32, 4) % GRZ_MOTION_LAYOUTS];
    const unsigned char *numbers = side + 48;
    grz_put_text(writer, key);
    grz_put_text(writer, "{\"sha256\":");
    put_digits(writer, side, 32, false);
    grz_put_text(writer, ",\"motion\":{\"kind\":\"");
    grz_put_text(writer, layout->kind);
    grz_put_text(writer, "\"");
    for (int i = 0; i < layout->member_count; i++)
    {
        const grz_motion_member *member = &layout->members[i];
        grz_put_text(writer, ",\"");
        grz_put_text(writer, member->key);
        grz_put_text(writer, member->nested ? "\":[" : "\":");
        for (int row = 0; row < member->rows; row++)
        {
            if (row > 0)
                grz_put_text(writer, ",");
            put_row(writer, numbers + 8 * (member->first + row * member->columns), member->columns);
        }
        if (member->nested)
            grz_put_text(writer, "]");
    }
    grz_put_text(writer, "},\"deviation\":");
    grz_put_number(writer, double_at(side + 40));
    grz_put_text(writer, "},\n");
}

static const unsigned char *put_order(grz_writer *writer, const char *key, const unsigned char *order, uint64_t count)
{
    grz_put_text(writer, key);
    for (uint64_t i = 0; i < count; i++)
    {
        grz_put_text(writer, i == 0 ? "[" : ",");
        grz_put_integer(writer, word_at(order + 4 * i, 4));
    }
    grz_put_text(writer, count == 0 ? "[],\n" : "],\n");
    return order + 4 * count;
}

static void put_plane(grz_writer *writer, const unsigned char *cell)
{
    static const char *const frames[] = {"w", "a", "b"};
    grz_put_text(writer, "[\"plane\",\"");
    grz_put_text(writer, frames[(cell[0] - 3) % 3]);
    grz_put_text(writer, "\"");
    for (int i = 0; i < 4; i++)
    {
        grz_put_text(writer, ",");
        put_digits(writer, cell + 1 + 8 * i, 8, true);
    }
    grz_put_text(writer, "]");
}

/* Cells in preorder. A stack of bits says of each open split whether its second cell has begun. */
static void put_cells(grz_writer *writer, const unsigned char *cells, uint64_t count)
{
    GRZ_ARRAY(char) open = {0};
    for (uint64_t i = 0; i < count && writer->status == GRAZE_STATUS_OK; i++)
    {
        const unsigned char *cell = cells + GRZ_CERTIFICATE_CELL * i;
        grz_put_text(writer, "\n");
        if (cell[0] < 3)
        {
            grz_put_text(writer, cell[0] == 0 ? "[\"a\"," : cell[0] == 1 ? "[\"b\"," : "[\"t\",");
            if (cell[0] < 2)
            {
                grz_put_integer(writer, word_at(cell + 1, 4));
                grz_put_text(writer, ",");
            }
            if (!GRZ_PUSH(writer->context, &open, 0))
                writer->status = GRAZE_STATUS_OUT_OF_MEMORY;
            continue;
        }
        put_plane(writer, cell);
        while (open.count > 0 && open.data[open.count - 1] != 0)
        {
            grz_put_text(writer, "]");
            open.count--;
        }
        if (open.count > 0)
        {
            grz_put_text(writer, ",");
            open.data[open.count - 1] = 1;
        }
    }
    grz_release(writer->context, open.data);
}

void grz_certificate_write_json(grz_writer *writer, const unsigned char *bytes, size_t size)
{
    const unsigned char *counts = bytes + GRZ_CERTIFICATE_CLEARANCE + 8;
    uint64_t cell_count = word_at(counts + 16, 8);
    grz_put_text(writer, "{\"graze\":\"certificate\",\"version\":1,\n");
    put_side(writer, "\"a\":", bytes + 16);
    put_side(writer, "\"b\":", bytes + 16 + GRZ_CERTIFICATE_SIDE);
    grz_put_text(writer, "\"clearance\":");
    grz_put_number(writer, double_at(bytes + GRZ_CERTIFICATE_CLEARANCE));
    grz_put_text(writer, ",\n");
    const unsigned char *at = bytes + GRZ_CERTIFICATE_HEADER;
    at = put_order(writer, "\"order_a\":", at, word_at(counts, 8));
    at = put_order(writer, "\"order_b\":", at, word_at(counts + 8, 8));
    grz_put_text(writer, cell_count == 0 ? "\"cells\":null" : "\"cells\":");
    put_cells(writer, at, cell_count);
    grz_put_text(writer, ",\n\"seal\":");
    put_digits(writer, bytes + size - GRZ_CERTIFICATE_SEAL, GRZ_CERTIFICATE_SEAL, false);
    grz_put_text(writer, "}\n");
}
