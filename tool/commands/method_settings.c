/* SPDX-License-Identifier: MIT */
/* The option --method-options; see method_settings.h. */
#include "commands/method_settings.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/output.h"

/* Words for the values of an enumeration, by number; NULL ends them. */
static const char *const axes[] = {"splatter", "longest-side", "min-sum", "min-max", "pca-sweep", "minkowski", NULL};
static const char *const points[] = {"mean", "median", "best", "best-of-some", NULL};
static const char *const builds[] = {"top-down", "bottom-up", NULL};
static const char *const ways[] = {"default", "duality", "vertices", "hill-climbing", NULL};
static const char *const checks[] = {"all", "none", "object-box", "face-box", NULL};
static const char *const edges[] = {"both", "a", "b", NULL};
static const char *const vertices[] = {"yes", "no", NULL};
static const char *const flags[] = {"yes", "no", NULL};
static const char *const orders[] = {"default", "environment-first", "restart", "larger-first", NULL};

typedef enum value_kind
{
    A_WORD,
    A_COUNT,  /* uint32_t */
    A_DEGREE, /* uint32_t, 2 to 8 */
    A_SEED,   /* uint64_t */
    A_NUMBER, /* double */
} value_kind;

typedef struct setting
{
    const char *name;
    value_kind kind;
    size_t offset; /* of the parameters; of words, which are enumerations, what set_word knows */
    const char *const *words;
} setting;

#define AT(field) offsetof(graze_method_parameters, field)

static const setting settings[] = {{"leaf", A_COUNT, AT(leaf_size), NULL},
                                   {"axis", A_WORD, AT(split_axis), axes},
                                   {"point", A_WORD, AT(split_point), points},
                                   {"candidates", A_COUNT, AT(split_candidates), NULL},
                                   {"degree", A_DEGREE, AT(degree), NULL},
                                   {"build", A_WORD, AT(bottom_up), builds},
                                   {"tumbling", A_WORD, AT(tumbling), ways},
                                   {"order", A_WORD, 0, orders},
                                   {"depth", A_COUNT, AT(depth), NULL},
                                   {"samples", A_COUNT, AT(samples), NULL},
                                   {"seed", A_SEED, AT(seed), NULL},
                                   {"probability", A_NUMBER, AT(probability), NULL},
                                   {"checks", A_WORD, AT(pre_checks), checks},
                                   {"edges", A_WORD, AT(edges_of), edges},
                                   {"vertices", A_WORD, AT(no_vertices), vertices},
                                   {"flags", A_WORD, AT(cut_empty), flags}};

static bool set_word(const setting *s, const char *value, method_settings *out)
{
    int which = 0;
    while (s->words[which] != NULL && strcmp(s->words[which], value) != 0)
        which++;
    if (s->words[which] == NULL)
        return false;
    if (s->words == orders)
        out->order = (graze_traversal_order)which;
    else if (s->words == axes)
        out->parameters.split_axis = (graze_split_axis)which;
    else if (s->words == points)
        out->parameters.split_point = (graze_split_point)which;
    else if (s->words == ways)
        out->parameters.tumbling = (graze_tumbling)which;
    else if (s->words == checks)
        out->parameters.pre_checks = (graze_pre_checks)which;
    else if (s->words == edges)
        out->parameters.edges_of = (graze_edges_of)which;
    else if (s->words == vertices)
        out->parameters.no_vertices = which == 1;
    else if (s->words == flags)
        out->parameters.cut_empty = which == 1;
    else
        out->parameters.bottom_up = which == 1;
    return true;
}

static bool set_value(const setting *s, const char *value, method_settings *out)
{
    char *end, *field = (char *)&out->parameters + s->offset;
    errno = 0;
    if (s->kind == A_WORD)
        return set_word(s, value, out);
    if (value[0] < '0' || value[0] > '9')
        return false;
    if (s->kind == A_NUMBER)
    {
        double number = strtod(value, &end);
        memcpy(field, &number, sizeof number);
        return *end == '\0' && errno == 0;
    }
    unsigned long long count = strtoull(value, &end, 10);
    uint32_t small = (uint32_t)count;
    uint64_t large = count;
    memcpy(field, s->kind == A_SEED ? (const void *)&large : &small, s->kind == A_SEED ? sizeof large : sizeof small);
    if (s->kind == A_DEGREE && (count < 2 || count > 8))
        return false;
    return *end == '\0' && errno == 0 && (s->kind == A_SEED || count <= UINT32_MAX);
}

/* Appends "name=word|word" or "name=N" of all settings. */
static void list_settings(char *out, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0] && length + 1 < size; i++)
    {
        length += (size_t)snprintf(out + length, size - length, "%s%s=%s", i > 0 ? ", " : "", settings[i].name,
                                   settings[i].words != NULL      ? ""
                                   : settings[i].kind == A_DEGREE ? "2 to 8"
                                                                  : "N");
        for (int w = 0; settings[i].words != NULL && settings[i].words[w] != NULL && length + 1 < size; w++)
            length += (size_t)snprintf(out + length, size - length, "%s%s", w > 0 ? "|" : "", settings[i].words[w]);
    }
}

/* One name=value. */
static bool set_one(char *pair, method_settings *out)
{
    char *equals = strchr(pair, '=');
    if (equals == NULL)
        return false;
    *equals = '\0';
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, pair) == 0)
            return set_value(&settings[i], equals + 1, out);
    return false;
}

exit_code method_settings_read(const tool_console *console, const char *method, const char *text, method_settings *out)
{
    if (text != NULL && method == NULL)
        return report_error(console, EXIT_USAGE, "--method-options goes with --method");
    *out = (method_settings){graze_method_parameters_default(), GRAZE_TRAVERSAL_DEFAULT};
    for (const char *rest = text; rest != NULL && *rest != '\0';)
    {
        char pair[64], shown[64], all[640];
        size_t length = strcspn(rest, ",");
        snprintf(pair, sizeof pair, "%.*s", length < sizeof pair ? (int)length : (int)sizeof pair - 1, rest);
        memcpy(shown, pair, sizeof shown);
        if (length >= sizeof pair || !set_one(pair, out))
        {
            list_settings(all, sizeof all);
            return report_error(console, EXIT_USAGE, "--method-options: '%s' is not one of %s", shown, all);
        }
        rest += length + (rest[length] == ',');
    }
    return 0;
}
