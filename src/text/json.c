/* SPDX-License-Identifier: MIT */
/*
 * Parses JSON (RFC 8259) into a flat array; see json.h. While a container is open, its `next` is the index of its
 * parent, so that no stack is needed and nesting costs nothing.
 */
#include "text/json.h"

#include <string.h>

#include "text/number.h"

typedef enum expected
{
    EXPECT_VALUE,
    EXPECT_VALUE_OR_END, /* after [ */
    EXPECT_KEY,
    EXPECT_KEY_OR_END, /* after { */
    EXPECT_COMMA_OR_END,
    EXPECT_NOTHING
} expected;

typedef struct json_parser
{
    grz_json_input *input;
    grz_json *json;
    uint32_t open; /* the innermost open container */
    expected expected;
} json_parser;

void grz_json_release(const graze_context *context, grz_json *json)
{
    grz_release(context, json->values.data);
    json->values.data = NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static graze_status fail(json_parser *parser, const char *wanted, const char *what)
{
    grz_json_input *input = parser->input;
    input->fault = (grz_json_fault){input->at, wanted, what};
    return input->at == input->end ? GRAZE_STATUS_TRUNCATED : GRAZE_STATUS_BAD_FORMAT;
}

/* The same where what is wrong lies before the cursor, which may be at the end. */
static graze_status fail_format(json_parser *parser, const char *what)
{
    fail(parser, NULL, what);
    return GRAZE_STATUS_BAD_FORMAT;
}

static graze_status fail_unexpected(json_parser *parser)
{
    static const char *const wanted[] = {"a value", "a value or ]", "a key in quotes", "a key in quotes or }",
                                         "a comma or ]"};
    const char *what = wanted[parser->expected];
    if (parser->expected == EXPECT_COMMA_OR_END && parser->json->values.data[parser->open].kind == GRZ_JSON_OBJECT)
        what = "a comma or }";
    return fail(parser, what, NULL);
}

static graze_status push(json_parser *parser, grz_json_kind kind, const char *start, size_t size)
{
    grz_json *json = parser->json;
    uint32_t number = (uint32_t)json->values.count; /* there are no more values than bytes */
    grz_json_value value = {(uint32_t)kind, (uint32_t)size, (uint32_t)(start - json->text), number + 1};
    return GRZ_PUSH(parser->input->context, &json->values, value) ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

/* Counts a value or a line for the budget, if there is one. False when it stops the call. */
static bool count_element(grz_json_input *input)
{
    grz_monitor *monitor = input->monitor;
    if (monitor == NULL)
        return true;
    if (monitor->unchecked_work + 1 >= GRZ_WORK_PER_CHECK)
        grz_monitor_progress(monitor, (double)(input->at - input->begin) / (double)(input->end - input->begin));
    return grz_monitor_elements(monitor, 1);
}

/* False at the end of the text, or when the budget stops the call. */
static bool skip_space(grz_json_input *input)
{
    for (; input->at < input->end; input->at++)
    {
        char c = *input->at;
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return true;
        if (c == '\n' && !count_element(input))
            return false;
    }
    return false;
}

/* The four digits of a \u escape; false when they are incomplete. */
static bool read_hex(const char *at, const char *end, uint32_t *out_unit)
{
    uint32_t unit = 0;
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++)
    {
        char c = at[i];
        uint32_t digit = is_digit(c)            ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16)
            return false;
        unit = unit << 4 | digit;
    }
    *out_unit = unit;
    return true;
}

/* The cursor is at the quote. */
static graze_status read_string(json_parser *parser)
{
    grz_json_input *input = parser->input;
    const char *start = ++input->at;
    while (input->at < input->end && *input->at != '"')
    {
        uint32_t unit;
        if ((unsigned char)*input->at < ' ')
            return fail(parser, NULL, "a string is not ended, or holds a control character");
        if (*input->at++ != '\\')
            continue;
        if (input->at == input->end)
            break;
        char escaped = *input->at++;
        if (strchr("\"\\/bfnrt", escaped) != NULL && escaped != '\0')
            continue;
        if (escaped != 'u' || !read_hex(input->at, input->end, &unit))
            return fail_format(parser, "a string holds an escape that JSON does not know");
    }
    if (input->at == input->end)
        return fail(parser, NULL, "the JSON ends within a string");
    input->at++;
    return push(parser, GRZ_JSON_STRING, start, (size_t)(input->at - start - 1));
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* JSON's grammar of numbers, which is narrower than that of other formats; NULL if it is violated. */
static const char *number_end(const char *at, const char *end)
{
    const char *start = at;
    if (at < end && *at == '-')
        start = ++at;
    at = skip_digits(at, end);
    if (at == start || (*start == '0' && at - start > 1))
        return NULL;
    if (at < end && *at == '.')
    {
        start = at + 1;
        at = skip_digits(start, end);
        if (at == start)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E'))
    {
        start = at + 1;
        if (start < end && (*start == '+' || *start == '-'))
            start++;
        at = skip_digits(start, end);
        if (at == start)
            return NULL;
    }
    return at;
}

static graze_status read_number(json_parser *parser)
{
    grz_json_input *input = parser->input;
    const char *start = input->at, *after = number_end(start, input->end);
    if (after == NULL)
        return fail_format(parser, "a number is not written as JSON wants it");
    input->at = after;
    return push(parser, GRZ_JSON_NUMBER, start, (size_t)(after - start));
}

static graze_status read_literal(json_parser *parser)
{
    static const struct
    {
        const char *word;
        grz_json_kind kind;
    } literals[] = {{"null", GRZ_JSON_NULL}, {"true", GRZ_JSON_TRUE}, {"false", GRZ_JSON_FALSE}};
    grz_json_input *input = parser->input;
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
    {
        size_t size = strlen(literals[i].word);
        if ((size_t)(input->end - input->at) < size || memcmp(input->at, literals[i].word, size) != 0)
            continue;
        const char *start = input->at;
        input->at += size;
        return push(parser, literals[i].kind, start, size);
    }
    return fail_unexpected(parser);
}

static graze_status open_container(json_parser *parser, grz_json_kind kind)
{
    graze_status status = push(parser, kind, parser->input->at, 0);
    if (status != GRAZE_STATUS_OK)
        return status;
    uint32_t container = (uint32_t)parser->json->values.count - 1;
    parser->json->values.data[container].next = parser->open;
    parser->open = container;
    parser->expected = kind == GRZ_JSON_ARRAY ? EXPECT_VALUE_OR_END : EXPECT_KEY_OR_END;
    parser->input->at++;
    return GRAZE_STATUS_OK;
}

/* A value is complete: counts it and sets what may follow. */
static void end_value(json_parser *parser)
{
    if (parser->open == GRZ_JSON_NONE)
    {
        parser->expected = EXPECT_NOTHING;
        return;
    }
    parser->json->values.data[parser->open].count++;
    parser->expected = EXPECT_COMMA_OR_END;
}

static void close_container(json_parser *parser)
{
    grz_json_value *container = &parser->json->values.data[parser->open];
    uint32_t outer = container->next;
    container->next = (uint32_t)parser->json->values.count;
    parser->open = outer;
    parser->input->at++;
    end_value(parser);
}

static graze_status read_value(json_parser *parser)
{
    char c = *parser->input->at;
    if (c == '{' || c == '[')
        return open_container(parser, c == '{' ? GRZ_JSON_OBJECT : GRZ_JSON_ARRAY);
    graze_status status = c == '"'                  ? read_string(parser)
                          : c == '-' || is_digit(c) ? read_number(parser)
                                                    : read_literal(parser);
    if (status == GRAZE_STATUS_OK)
        end_value(parser);
    return status;
}

static graze_status read_key(json_parser *parser)
{
    grz_json_input *input = parser->input;
    if (*input->at != '"')
        return fail_unexpected(parser);
    graze_status status = read_string(parser);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!skip_space(input) || *input->at != ':')
        return fail(parser, "a colon", NULL);
    input->at++;
    parser->expected = EXPECT_VALUE;
    return GRAZE_STATUS_OK;
}

static graze_status after_value(json_parser *parser)
{
    bool object = parser->json->values.data[parser->open].kind == GRZ_JSON_OBJECT;
    if (*parser->input->at == (object ? '}' : ']'))
    {
        close_container(parser);
        return GRAZE_STATUS_OK;
    }
    if (*parser->input->at != ',')
        return fail_unexpected(parser);
    parser->input->at++;
    parser->expected = object ? EXPECT_KEY : EXPECT_VALUE;
    return GRAZE_STATUS_OK;
}

static graze_status step(json_parser *parser)
{
    char c = *parser->input->at;
    switch (parser->expected)
    {
    case EXPECT_VALUE_OR_END:
        if (c == ']')
            break;
        return read_value(parser);
    case EXPECT_KEY_OR_END:
        if (c == '}')
            break;
        return read_key(parser);
    case EXPECT_VALUE:
        return read_value(parser);
    case EXPECT_KEY:
        return read_key(parser);
    case EXPECT_COMMA_OR_END:
        return after_value(parser);
    default:
        return fail(parser, "nothing more", NULL);
    }
    close_container(parser);
    return GRAZE_STATUS_OK;
}

graze_status grz_json_parse(grz_json_input *input, grz_json *json)
{
    json_parser parser = {input, json, GRZ_JSON_NONE, EXPECT_VALUE};
    json->text = input->begin;
    json->values.count = 0;
    input->fault = (grz_json_fault){0};
    if ((uint64_t)(input->end - input->begin) >= UINT32_MAX)
        return GRAZE_STATUS_TOO_LARGE;
    graze_status status = GRAZE_STATUS_OK;
    while (status == GRAZE_STATUS_OK && parser.expected != EXPECT_NOTHING && skip_space(input) && count_element(input))
        status = step(&parser);
    if (status == GRAZE_STATUS_OK && parser.expected != EXPECT_NOTHING)
        status = fail_unexpected(&parser);
    return status;
}

graze_status grz_json_parse_all(grz_json_input *input, grz_json *json)
{
    graze_status status = grz_json_parse(input, json);
    if (status != GRAZE_STATUS_OK || !skip_space(input))
        return status;
    input->fault = (grz_json_fault){input->at, "nothing more", NULL};
    return GRAZE_STATUS_BAD_FORMAT;
}
