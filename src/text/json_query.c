/* SPDX-License-Identifier: MIT */
/* Queries of a JSON document; see json.h. Every query accepts every value, and no value. */
#include <math.h>
#include <string.h>

#include "text/json.h"
#include "text/number.h"

grz_json_kind grz_json_kind_of(const grz_json *json, uint32_t value)
{
    return value < json->values.count ? (grz_json_kind)json->values.data[value].kind : GRZ_JSON_NULL;
}

static bool is_container(const grz_json *json, uint32_t value)
{
    return grz_json_kind_of(json, value) >= GRZ_JSON_ARRAY;
}

uint32_t grz_json_count(const grz_json *json, uint32_t container)
{
    return is_container(json, container) ? json->values.data[container].count : 0;
}

uint32_t grz_json_first(const grz_json *json, uint32_t container)
{
    return grz_json_count(json, container) > 0 ? container + 1 : GRZ_JSON_NONE;
}

uint32_t grz_json_next(const grz_json *json, uint32_t container, uint32_t item)
{
    const grz_json_value *values = json->values.data;
    if (values[container].kind == GRZ_JSON_OBJECT) /* from the key to its value */
        item++;
    return values[item].next < values[container].next ? values[item].next : GRZ_JSON_NONE;
}

uint32_t grz_json_member(const grz_json *json, uint32_t object, const char *key)
{
    if (grz_json_kind_of(json, object) != GRZ_JSON_OBJECT)
        return GRZ_JSON_NONE;
    for (uint32_t item = grz_json_first(json, object); item != GRZ_JSON_NONE; item = grz_json_next(json, object, item))
    {
        if (grz_json_is(json, item, key))
            return item + 1;
    }
    return GRZ_JSON_NONE;
}

bool grz_json_number(const grz_json *json, uint32_t value, double *out_number)
{
    if (grz_json_kind_of(json, value) != GRZ_JSON_NUMBER)
        return false;
    const grz_json_value *number = &json->values.data[value];
    const char *start = json->text + number->start;
    return grz_number_read(start, start + number->count, out_number) != NULL;
}

bool grz_json_index(const grz_json *json, uint32_t value, uint64_t largest, uint64_t *out_number)
{
    double number;
    if (!grz_json_number(json, value, &number) || !(number >= 0.0 && number <= 0x1p53))
        return false;
    uint64_t integer = (uint64_t)number;
    if ((double)integer != number || integer > largest)
        return false;
    *out_number = integer;
    return true;
}

grz_name grz_json_raw(const grz_json *json, uint32_t value)
{
    grz_name name = {"", 0};
    if (grz_json_kind_of(json, value) != GRZ_JSON_STRING)
        return name;
    name.text = json->text + json->values.data[value].start;
    name.size = json->values.data[value].count;
    return name;
}

bool grz_json_is(const grz_json *json, uint32_t value, const char *text)
{
    grz_name raw = grz_json_raw(json, value);
    return grz_json_kind_of(json, value) == GRZ_JSON_STRING && raw.size == strlen(text) &&
           memcmp(raw.text, text, raw.size) == 0;
}

/* --- escapes, which the parser has checked --- */

static uint32_t hex_unit(const char *at)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++)
    {
        char c = at[i];
        uint32_t digit = (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        unit = unit << 4 | digit;
    }
    return unit;
}

/* The code point of a \u escape or of a surrogate pair; *at is behind the u and is advanced. An unpaired surrogate
 * becomes U+FFFD. */
static uint32_t code_point(const char **at, const char *end)
{
    uint32_t unit = hex_unit(*at);
    *at += 4;
    if (unit < 0xd800 || unit > 0xdfff)
        return unit != 0 ? unit : '?';
    if (unit <= 0xdbff && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u')
    {
        uint32_t low = hex_unit(*at + 2);
        if (low >= 0xdc00 && low <= 0xdfff)
        {
            *at += 6;
            return 0x10000 + ((unit - 0xd800) << 10 | (low - 0xdc00));
        }
    }
    return 0xfffd;
}

static size_t put_utf8(uint32_t point, char out[4])
{
    if (point < 0x80)
    {
        out[0] = (char)point;
        return 1;
    }
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(lead[size] | point);
    return size;
}

static char simple_escape(char c)
{
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *found = strchr(names, c);
    return found != NULL ? values[found - names] : c;
}

size_t grz_json_decode_into(grz_name raw, char *out)
{
    const char *at = raw.text, *end = raw.text + raw.size;
    char *start = out;
    while (at < end)
    {
        if (*at != '\\')
            *out++ = *at++;
        else if (at[1] != 'u')
        {
            *out++ = simple_escape(at[1]);
            at += 2;
        }
        else
        {
            at += 2;
            out += put_utf8(code_point(&at, end), out);
        }
    }
    return (size_t)(out - start);
}

bool grz_json_decode(const graze_context *context, const grz_json *json, uint32_t value, grz_text *out)
{
    grz_name raw = grz_json_raw(json, value);
    if (!GRZ_RESERVE(context, out, out->count + raw.size + 1)) /* escapes are never shorter than their characters */
        return false;
    out->count += grz_json_decode_into(raw, out->data + out->count);
    return true;
}
