/* SPDX-License-Identifier: MIT */
/* See shape_numbers.h. */
#include "io/shape_numbers.h"

#include <math.h>

bool grz_shape_scale_number(grz_shape_reader *reader, const grz_json_place *place, double *number)
{
    *number *= reader->scale;
    return isfinite(*number) ||
           grz_json_refuse(&reader->document, place, "times the scale this is beyond the range of doubles");
}

bool grz_shape_read_lengths(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                            double *numbers, size_t count)
{
    if (!grz_json_take_numbers(&reader->document, place, value, numbers, count))
        return false;
    grz_json_place entry = {.parent = place};
    for (; entry.index < count; entry.index++)
        if (!grz_shape_scale_number(reader, &entry, &numbers[entry.index]))
            return false;
    return true;
}

static bool check_size(grz_shape_reader *reader, const grz_json_place *place, double size)
{
    return size >= 0 || grz_json_refuse(&reader->document, place, "this must not be negative");
}

bool grz_shape_read_size(grz_shape_reader *reader, const grz_shape_description *d, int key, double *out_size)
{
    grz_json_place place = grz_shape_place_of(d, key);
    return grz_json_take_number(&reader->document, &place, d->values[key], out_size) &&
           grz_shape_scale_number(reader, &place, out_size) && check_size(reader, &place, *out_size);
}

bool grz_shape_read_sizes(grz_shape_reader *reader, const grz_shape_description *d, int key, double *sizes,
                          size_t count)
{
    grz_json_place place = grz_shape_place_of(d, key), entry = {.parent = &place};
    if (!grz_shape_read_lengths(reader, &place, d->values[key], sizes, count))
        return false;
    for (; entry.index < count; entry.index++)
        if (!check_size(reader, &entry, sizes[entry.index]))
            return false;
    return true;
}

bool grz_shape_may_continue(grz_shape_reader *reader, size_t elements)
{
    return grz_monitor_elements(reader->monitor, elements) ||
           grz_json_fail(&reader->document, grz_monitor_status(reader->monitor), "reading was stopped");
}

/* As many points as there are. */
static bool read_all_points(grz_shape_reader *reader, const grz_json_place *place, const grz_json_node *value,
                            double *points)
{
    grz_json_place entry = {.parent = place};
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
        if (!grz_shape_read_lengths(reader, &entry, item, points + 3 * entry.index, 3) ||
            !grz_shape_may_continue(reader, 1))
            return false;
    return true;
}

bool grz_shape_read_points(grz_shape_reader *reader, const grz_shape_description *d, int key, size_t count,
                           double *points)
{
    const grz_json_node *value = d->values[key];
    grz_json_place place = grz_shape_place_of(d, key);
    if (!grz_json_take_array(&reader->document, &place, value))
        return false;
    if (value->count != count)
        return grz_json_refuse(&reader->document, &place, "expected %zu point%s, not %u", count, count == 1 ? "" : "s",
                               (unsigned)value->count);
    return read_all_points(reader, &place, value, points);
}

bool grz_shape_read_list(grz_shape_reader *reader, const grz_shape_description *d, int key, grz_number_list *list)
{
    const grz_json_node *value = d->values[key];
    grz_json_place place = grz_shape_place_of(d, key);
    if (!grz_json_take_array(&reader->document, &place, value))
        return false;
    if (value->count == 0)
        return grz_json_refuse(&reader->document, &place, "there must be a point at least");
    list->count = value->count;
    list->numbers = grz_allocate(reader->context, value->count, 3 * sizeof *list->numbers);
    if (list->numbers == NULL)
        return grz_json_fail_memory(&reader->document);
    return read_all_points(reader, &place, value, list->numbers);
}
