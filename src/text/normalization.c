/* SPDX-License-Identifier: MIT */
/*
 * Normal form C; see normalization.h. The text becomes code points, which are decomposed as far as possible; marks
 * after a starter (a code point of combining class 0) are sorted by class; then each is composed with the last starter
 * unless a mark in between has a class that is as high. Hangul syllables are computed (The Unicode Standard, 3.12). A
 * byte that is no UTF-8 is a starter that composes with nothing.
 */
#include "text/normalization.h"

#include <string.h>

#include "text/format.h"
#include "text/normalization_tables.h"
#include "text/utf8.h"

enum
{
    HANGUL_FIRST = 0xac00,
    LEAD_FIRST = 0x1100,
    VOWEL_FIRST = 0x1161,
    TAIL_FIRST = 0x11a7, /* one below the first: number 0 is no tail */
    LEAD_COUNT = 19,
    VOWEL_COUNT = 21,
    TAIL_COUNT = 28,
    HANGUL_COUNT = LEAD_COUNT * VOWEL_COUNT * TAIL_COUNT,
    FIRST_MARK = 0x300, /* of combining class other than 0 */
    CLASS_COUNT = 256,
    BYTE = 0x110000, /* a byte that is no UTF-8 is this plus the byte */
    MOST_PARTS = 4   /* code points of a decomposition */
};

bool grz_is_surely_nfc(const char *text)
{
    const unsigned char first_lead = 0xcc; /* of U+0300 in UTF-8 */
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
        if (*at >= first_lead)
            return false;
    return true;
}

/* --- tables --- */

static const grz_decomposition *find_decomposition(uint32_t code)
{
    size_t first = 0, last = grz_decomposition_count;
    while (first < last)
    {
        size_t middle = first + (last - first) / 2;
        if (grz_decompositions[middle].code < code)
            first = middle + 1;
        else
            last = middle;
    }
    return first < grz_decomposition_count && grz_decompositions[first].code == code ? &grz_decompositions[first]
                                                                                     : NULL;
}

static unsigned class_of(uint32_t code)
{
    size_t first = 0, last = grz_class_range_count;
    if (code < FIRST_MARK)
        return 0;
    while (first < last)
    {
        size_t middle = first + (last - first) / 2;
        if (grz_class_ranges[middle].last < code)
            first = middle + 1;
        else
            last = middle;
    }
    return first < grz_class_range_count && grz_class_ranges[first].first <= code ? grz_class_ranges[first].number : 0;
}

/* The code point that two compose to, or 0. */
static uint32_t compose(uint32_t first, uint32_t second)
{
    uint32_t lead = first - LEAD_FIRST, vowel = second - VOWEL_FIRST;
    uint32_t syllable = first - HANGUL_FIRST, tail = second - TAIL_FIRST;
    if (lead < LEAD_COUNT && vowel < VOWEL_COUNT)
        return HANGUL_FIRST + (lead * VOWEL_COUNT + vowel) * TAIL_COUNT;
    if (syllable < HANGUL_COUNT && syllable % TAIL_COUNT == 0 && tail > 0 && tail < TAIL_COUNT)
        return first + tail;
    size_t low = 0, high = grz_composition_count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        const grz_decomposition *entry = &grz_decompositions[grz_compositions[middle]];
        if (entry->first == first && entry->second == second)
            return entry->code;
        if (entry->first < first || (entry->first == first && entry->second < second))
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* The full decomposition of a code point; returns the number of its parts. The second part of a step is never
 * decomposed further. */
static size_t decompose(uint32_t code, uint32_t out_parts[MOST_PARTS])
{
    uint32_t syllable = code - HANGUL_FIRST, last[MOST_PARTS];
    if (syllable < HANGUL_COUNT)
    {
        out_parts[0] = LEAD_FIRST + syllable / (VOWEL_COUNT * TAIL_COUNT);
        out_parts[1] = VOWEL_FIRST + syllable % (VOWEL_COUNT * TAIL_COUNT) / TAIL_COUNT;
        out_parts[2] = TAIL_FIRST + syllable % TAIL_COUNT;
        return syllable % TAIL_COUNT == 0 ? 2 : 3;
    }
    size_t steps = 0, count = 0;
    const grz_decomposition *entry = find_decomposition(code);
    for (; entry != NULL; entry = find_decomposition(code))
    {
        code = entry->first;
        if (entry->second != 0 && steps < MOST_PARTS - 1)
            last[steps++] = entry->second;
    }
    out_parts[count++] = code;
    while (steps > 0)
        out_parts[count++] = last[--steps];
    return count;
}

/* --- code points and UTF-8 --- */

/* The code point at `at`, of `length` bytes. */
static uint32_t decode(const unsigned char *at, size_t length)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = at[0] & masks[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}

static size_t encode(uint32_t code, char *out)
{
    if (code >= BYTE || code < 0x80)
    {
        out[0] = (char)(unsigned char)(code & 0xff);
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(unsigned char)(0x80 | (code & 0x3f));
    out[0] = (char)(unsigned char)(leads[length] | code);
    return length;
}

/* Decomposes a text; returns the number of code points, and writes them unless `codes` is NULL. */
static size_t decompose_text(const char *text, uint32_t *codes)
{
    size_t count = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t length = grz_utf8_length(at);
        uint32_t parts[MOST_PARTS] = {BYTE + *at};
        size_t part_count = length == 0 ? 1 : decompose(decode(at, length), parts);
        for (size_t i = 0; i < part_count && codes != NULL; i++)
            codes[count + i] = parts[i];
        count += part_count;
        at += length == 0 ? 1 : length;
    }
    return count;
}

/* --- order and composition --- */

/* Sorts marks by class, stably. Long runs are counted, so that no text takes quadratic time. */
static void sort_marks(uint32_t *marks, uint32_t *scratch, size_t count)
{
    enum
    {
        SHORT_RUN = 16
    };
    if (count > SHORT_RUN)
    {
        size_t starts[CLASS_COUNT + 1] = {0};
        for (size_t i = 0; i < count; i++)
            starts[class_of(marks[i]) + 1]++;
        for (size_t k = 1; k <= CLASS_COUNT; k++)
            starts[k] += starts[k - 1];
        for (size_t i = 0; i < count; i++)
            scratch[starts[class_of(marks[i])]++] = marks[i];
        memcpy(marks, scratch, count * sizeof *marks);
        return;
    }
    for (size_t i = 1; i < count; i++)
    {
        uint32_t mark = marks[i];
        size_t k = i;
        for (; k > 0 && class_of(marks[k - 1]) > class_of(mark); k--)
            marks[k] = marks[k - 1];
        marks[k] = mark;
    }
}

static void sort_all(uint32_t *codes, uint32_t *scratch, size_t count)
{
    for (size_t i = 0; i < count;)
    {
        size_t end = i;
        while (end < count && class_of(codes[end]) != 0)
            end++;
        if (end > i + 1)
            sort_marks(codes + i, scratch, end - i);
        i = end > i ? end : i + 1;
    }
}

/* Composes in place; returns the number of code points left. */
static size_t compose_all(uint32_t *codes, size_t count)
{
    const size_t none = SIZE_MAX;
    size_t kept = 0, starter = none;
    unsigned last_class = 0; /* of the code point kept last, if it is after the starter */
    for (size_t i = 0; i < count; i++)
    {
        unsigned class = class_of(codes[i]);
        bool is_next = starter != none && starter + 1 == kept;
        bool is_free = starter != none && (is_next || (last_class != 0 && last_class < class));
        uint32_t composed = is_free ? compose(codes[starter], codes[i]) : 0;
        if (composed != 0)
        {
            codes[starter] = composed;
            continue;
        }
        if (class == 0)
            starter = kept;
        last_class = class;
        codes[kept++] = codes[i];
    }
    return kept;
}

char *grz_nfc(const graze_context *context, const char *text)
{
    if (grz_is_surely_nfc(text))
        return grz_copy_text(context, text);
    size_t count = decompose_text(text, NULL);
    uint32_t *codes = grz_allocate(context, 2 * count + 1, sizeof *codes);
    char *normal = grz_allocate(context, 4 * count + 1, 1);
    if (codes == NULL || normal == NULL)
    {
        grz_release(context, codes);
        grz_release(context, normal);
        return NULL;
    }
    decompose_text(text, codes);
    sort_all(codes, codes + count, count);
    count = compose_all(codes, count);
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += encode(codes[i], normal + size);
    normal[size] = '\0';
    grz_release(context, codes);
    return normal;
}
