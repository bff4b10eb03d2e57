/* SPDX-License-Identifier: MIT */
/* Reading JSON documents: checks of the text, errors with their location, traversal of the outermost level; see
 * json_document.h. */
#include "text/json_document.h"

#include <stdio.h>
#include <string.h>

#include "text/number.h"
#include "text/utf8.h"

/* --- errors --- */

enum
{
    PLACE_TAIL = 250 /* bytes of a place, from its end, that are shown */
};

bool grz_json_fail(grz_json_document *document, graze_status status, const char *what)
{
    document->status = status;
    document->line = GRAZE_NO_INDEX;
    snprintf(document->message, sizeof document->message, "%s", what);
    return false;
}

bool grz_json_fail_memory(grz_json_document *document)
{
    return grz_json_fail(document, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
}

static size_t put_place(char *text, size_t size, const grz_json_place *place)
{
    size_t used = place->parent != NULL ? put_place(text, size, place->parent) : 0;
    if (used + 1 >= size)
        return used;
    int more = place->key == NULL ? snprintf(text + used, size - used, "[%zu]", place->index)
                                  : snprintf(text + used, size - used, "%s%s", used > 0 ? "." : "", place->key);
    return more > 0 && used + (size_t)more < size ? used + (size_t)more : size - 1;
}

/* The value at a place, or the innermost one around it that is there. */
static const grz_json_node *find_place(const grz_json_node *root, const grz_json_place *place)
{
    const grz_json_node *around = place->parent != NULL ? find_place(root, place->parent) : root;
    bool has_it = around->kind == (place->key != NULL ? GRZ_JSON_OBJECT : GRZ_JSON_ARRAY);
    const grz_json_node *value = has_it ? around->child : NULL;
    for (size_t i = 0; value != NULL && (place->key != NULL ? strcmp(value->key, place->key) != 0 : i < place->index);
         i++)
        value = value->next;
    return value != NULL ? value : around;
}

static size_t line_of(const grz_json_document *document, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at && i < document->size; i++)
        line += document->text[i] == '\n';
    return line;
}

bool grz_json_refuse_list(grz_json_document *document, const grz_json_place *place, const char *format,
                          va_list arguments)
{
    char line[32] = "", whole[2048] = "", what[480];
    vsnprintf(what, sizeof what, format, arguments);
    if (place != NULL)
        put_place(whole, sizeof whole, place);
    size_t size = strlen(whole);
    bool cut = size > PLACE_TAIL;
    const char *where = cut ? whole + size - PLACE_TAIL : whole;
    while (cut && (*where & 0xc0) == 0x80) /* not in the middle of a UTF-8 character */
        where++;
    document->status = GRAZE_STATUS_BAD_FORMAT;
    document->line = GRAZE_NO_INDEX;
    if (document->root != NULL)
    {
        const grz_json_node *value = place != NULL ? find_place(document->root, place) : document->root;
        document->line = line_of(document, value->at);
        snprintf(line, sizeof line, "line %llu: ", (unsigned long long)document->line);
    }
    snprintf(document->message, sizeof document->message, "%s%s%.*s%s%s", line, cut ? "..." : "", (int)PLACE_TAIL,
             where, where[0] != '\0' ? ": " : "", what);
    return false;
}

bool grz_json_refuse(grz_json_document *document, const grz_json_place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    grz_json_refuse_list(document, place, format, arguments);
    va_end(arguments);
    return false;
}

/* An error in the text, with line and column (in characters) of the byte at `at`. */
static bool refuse_text(grz_json_document *document, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < document->size; i++)
    {
        unsigned char byte = (unsigned char)document->text[i];
        if (byte == '\n')
        {
            line++;
            column = 1;
        }
        else
            column += (byte & 0xc0) != 0x80; /* the first byte of a character */
    }
    document->status = GRAZE_STATUS_BAD_FORMAT;
    document->line = line;
    snprintf(document->message, sizeof document->message, "line %zu, column %zu: %s", line, column, what);
    return false;
}

static bool refuse_byte(grz_json_document *document, size_t at, const char *expected)
{
    char what[128];
    unsigned char byte = at < document->size ? (unsigned char)document->text[at] : 0;
    if (at >= document->size)
        snprintf(what, sizeof what, "expected %s, but the text ends here", expected);
    else if (byte > 0x20 && byte < 0x7f)
        snprintf(what, sizeof what, "expected %s, not '%c'", expected, byte);
    else
        snprintf(what, sizeof what, "expected %s", expected);
    return refuse_text(document, at, what);
}

/* Checks strings and UTF-8; the rest of the grammar is checked when values are parsed. */
static bool check_text(grz_json_document *document)
{
    const unsigned char *text = (const unsigned char *)document->text;
    bool in_string = false;
    size_t start = 0; /* of the current string */
    for (size_t i = 0; i < document->size;)
    {
        size_t length = grz_utf8_length(text + i);
        if (length == 0)
            return refuse_text(document, i, "this byte is no UTF-8");
        if (text[i] == '\0')
            return refuse_text(document, i, "there is a zero byte, so this is no text");
        if (in_string && text[i] < 0x20)
            return refuse_text(document, i, "a string must not contain line ends or control characters");
        if (in_string && text[i] == '\\' && strncmp(document->text + i, "\\u0000", 6) == 0)
            return refuse_text(document, i, "a string must not contain zero bytes");
        if (text[i] == '"')
        {
            in_string = !in_string;
            start = i;
        }
        i += in_string && text[i] == '\\' && text[i + 1] != '\0' ? 2 : length;
    }
    return !in_string || refuse_text(document, start, "this string has no end");
}

bool grz_json_document_open(const graze_context *context, const char *text, size_t size,
                            grz_json_document *out_document)
{
    *out_document = (grz_json_document){.context = context,
                                        .text = text,
                                        .size = size,
                                        .line = GRAZE_NO_INDEX,
                                        .kept = grz_arena_make(context),
                                        .current = grz_arena_make(context)};
    if (size == 0)
        return grz_json_fail(out_document, GRAZE_STATUS_EMPTY, "there is nothing in it");
    if (size >= UINT32_MAX)
        return grz_json_fail(out_document, GRAZE_STATUS_TOO_LARGE, "this is larger than 4 GiB");
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        out_document->at = 3;
    return check_text(out_document);
}

void grz_json_document_close(grz_json_document *document)
{
    grz_json_release(document->context, &document->json);
    grz_arena_release(&document->kept);
    grz_arena_release(&document->current);
}

/* --- values --- */

static char *decode(grz_arena *arena, const grz_json *json, uint32_t value)
{
    grz_name raw = grz_json_raw(json, value);
    char *text = grz_arena_allocate(arena, raw.size + 1, 1);
    if (text != NULL)
        text[grz_json_decode_into(raw, text)] = '\0';
    return text;
}

/* Links the children of a container. False when out of memory. */
static bool link_children(grz_arena *arena, const grz_json *json, uint32_t container, grz_json_node *nodes)
{
    bool is_object = nodes[container].kind == GRZ_JSON_OBJECT;
    grz_json_node **link = &nodes[container].child;
    for (uint32_t item = grz_json_first(json, container); item != GRZ_JSON_NONE;
         item = grz_json_next(json, container, item))
    {
        grz_json_node *node = &nodes[item + is_object];
        if (is_object)
            node->key = decode(arena, json, item);
        if (is_object && node->key == NULL)
            return false;
        *link = node;
        link = &node->next;
    }
    return true;
}

/* Makes nodes of all parsed values; keys have one that is not used. NULL when out of memory. */
static const grz_json_node *make_nodes(grz_arena *arena, const grz_json *json)
{
    uint32_t count = (uint32_t)json->values.count;
    grz_json_node *nodes = grz_arena_allocate(arena, count, sizeof *nodes);
    if (nodes == NULL)
        return NULL;
    memset(nodes, 0, count * sizeof *nodes);
    bool done = true;
    for (uint32_t i = 0; i < count && done; i++)
    {
        nodes[i].kind = grz_json_kind_of(json, i);
        nodes[i].count = grz_json_count(json, i);
        nodes[i].at = json->values.data[i].start;
        grz_json_number(json, i, &nodes[i].number);
        if (nodes[i].kind == GRZ_JSON_STRING)
        {
            nodes[i].text = decode(arena, json, i);
            done = nodes[i].text != NULL;
        }
    }
    for (uint32_t i = 0; i < count && done; i++)
        done = link_children(arena, json, i, nodes);
    return done ? nodes : NULL;
}

/* --- traversal --- */

static void skip_blanks(grz_json_document *document)
{
    document->at += strspn(document->text + document->at, " \t\r\n");
}

bool grz_json_walk_into(grz_json_document *document, char bracket)
{
    skip_blanks(document);
    if (document->text[document->at] != bracket)
        return refuse_byte(document, document->at, bracket == '{' ? "'{'" : "'['");
    document->at++;
    return true;
}

bool grz_json_walk_on(grz_json_document *document, char closing_bracket, bool is_first, bool *out_is_there)
{
    skip_blanks(document);
    char byte = document->text[document->at];
    *out_is_there = byte != closing_bracket;
    if (byte == closing_bracket)
    {
        document->at++;
        return true;
    }
    if (is_first)
        return true;
    if (byte != ',')
        return refuse_byte(document, document->at, closing_bracket == '}' ? "',' or '}'" : "',' or ']'");
    document->at++;
    return true;
}

grz_name grz_json_source(const grz_json_document *document, const grz_json_node *value)
{
    const char *start = document->text + value->at;
    size_t depth = 0, i = 0;
    bool in_string = false;
    do
    {
        char byte = start[i++];
        if (byte == '"')
            in_string = !in_string;
        else if (in_string)
            i += byte == '\\';
        else if (byte == '{' || byte == '[')
            depth++;
        else if (byte == '}' || byte == ']')
            depth--;
    } while (depth > 0);
    return (grz_name){start, i};
}

/* The position of the first bracket of the value at `at` that opens one level too many, or SIZE_MAX. */
static size_t find_too_deep(const grz_json_document *document)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = document->at; i < document->size; i++)
    {
        char byte = document->text[i];
        if (byte == '"')
            in_string = !in_string;
        else if (in_string)
            i += byte == '\\';
        else if ((byte == '{' || byte == '[') && ++depth > GRZ_JSON_NESTING_LIMIT)
            return i;
        else if (byte == '}' || byte == ']')
            depth -= depth > 0;
        if (depth == 0 && !in_string)
            break;
    }
    return SIZE_MAX;
}

static bool is_open(const grz_json *json, uint32_t value)
{
    const grz_json_value *v = &json->values.data[value];
    return (v->kind == GRZ_JSON_OBJECT || v->kind == GRZ_JSON_ARRAY) && (v->next == GRZ_JSON_NONE || v->next <= value);
}

/* The key whose value was being read when parsing ended: of the innermost object that is open. NULL where there is
 * none.
 */
static const grz_json_value *open_key(const grz_json *json)
{
    uint32_t count = (uint32_t)json->values.count, object = count;
    while (object > 0 && !(json->values.data[object - 1].kind == GRZ_JSON_OBJECT && is_open(json, object - 1)))
        object--;
    if (object == 0)
        return NULL;
    for (uint32_t key = object; key < count; key = json->values.data[key + 1].next)
        if (key + 1 >= count || is_open(json, key + 1))
            return &json->values.data[key];
    return NULL;
}

/* At the value of a known key: its name before what is wrong. */
static bool refuse_at_key(grz_json_document *document, size_t at, const grz_json_fault *fault)
{
    const grz_json_value *key = open_key(&document->json);
    char what[160];
    if (key == NULL || key->count > 40)
        return false;
    unsigned char byte = (unsigned char)document->text[at];
    int length = snprintf(what, sizeof what, "%.*s: %s%s", (int)key->count, document->text + key->start,
                          fault->what != NULL ? "" : "expected ", fault->what != NULL ? fault->what : fault->expected);
    if (fault->what == NULL && byte > 0x20 && byte < 0x7f && length > 0 && (size_t)length < sizeof what)
        snprintf(what + length, sizeof what - (size_t)length, ", not '%c'", byte);
    refuse_text(document, at, what);
    return true;
}

static void refuse_fault(grz_json_document *document, const grz_json_fault *fault)
{
    size_t at = (size_t)(fault->at - document->text);
    if (at < document->size && refuse_at_key(document, at, fault))
        return;
    if (at >= document->size)
        refuse_text(document, document->size, "the text ends within a value");
    else if (fault->what != NULL)
        refuse_text(document, at, fault->what);
    else
        refuse_byte(document, at, "something else here");
}

static bool parse(grz_json_document *document)
{
    grz_json_input input = {.context = document->context,
                            .begin = document->text,
                            .at = document->text + document->at,
                            .end = document->text + document->size,
                            .monitor = document->monitor};
    size_t too_deep = find_too_deep(document);
    graze_status status = grz_json_parse(&input, &document->json);
    if (!grz_monitor_may_continue(document->monitor))
        return grz_json_fail(document, grz_monitor_status(document->monitor), "reading was stopped");
    if (status == GRAZE_STATUS_OUT_OF_MEMORY)
        return grz_json_fail_memory(document);
    if (too_deep != SIZE_MAX && (status == GRAZE_STATUS_OK || input.fault.at >= document->text + too_deep))
    {
        char what[64];
        snprintf(what, sizeof what, "this is nested too deep: at most %d levels are read", GRZ_JSON_NESTING_LIMIT);
        return refuse_text(document, too_deep, what);
    }
    if (status != GRAZE_STATUS_OK)
    {
        refuse_fault(document, &input.fault);
        return false;
    }
    document->at = (size_t)(input.at - document->text);
    return true;
}

const grz_json_node *grz_json_walk_value(grz_json_document *document, bool keep)
{
    skip_blanks(document);
    char first = document->text[document->at];
    if (first == '\0' || strchr("{[\"-0123456789tfn", first) == NULL)
    {
        refuse_byte(document, document->at, "a value");
        return NULL;
    }
    grz_arena_reset(&document->current);
    if (!parse(document))
        return NULL;
    const grz_json_node *value = make_nodes(keep ? &document->kept : &document->current, &document->json);
    if (value == NULL)
        grz_json_fail_memory(document);
    return value;
}

const char *grz_json_walk_key(grz_json_document *document)
{
    skip_blanks(document);
    if (document->text[document->at] != '"')
    {
        refuse_byte(document, document->at, "a key in quotes");
        return NULL;
    }
    if (!parse(document))
        return NULL;
    const char *key = decode(&document->kept, &document->json, 0);
    if (key == NULL)
    {
        grz_json_fail_memory(document);
        return NULL;
    }
    skip_blanks(document);
    if (document->text[document->at] != ':')
    {
        refuse_byte(document, document->at, "':'");
        return NULL;
    }
    document->at++;
    return key;
}

bool grz_json_walk_out(grz_json_document *document)
{
    skip_blanks(document);
    return document->at == document->size || refuse_byte(document, document->at, "the end");
}
