/* SPDX-License-Identifier: MIT */
/* The option --method; see method_option.h. */
#include "commands/method_option.h"

#include <stdio.h>
#include <string.h>

#include "shell/output.h"
#include "shell/text_format.h"

static const char *const guarantee_names[] = {"exact", "yes-sure", "no-sure", "estimated"};
static const char *const class_names[] = {"soup", "faces", "manifold", "closed", "convex"};

/* Names of counters in JSON, and where they are. */
typedef struct counter_name
{
    const char *name;
    size_t offset;
} counter_name;

#define COUNTER(field)                                                                                                 \
    {                                                                                                                  \
#field, offsetof(graze_method_counters, field)                                                                 \
    }

static const counter_name counters[] = {
    COUNTER(volumes),    COUNTER(updates),        COUNTER(primitives),  COUNTER(half_spaces), COUNTER(point_in_polygon),
    COUNTER(iterations), COUNTER(left_to_engine), COUNTER(supports),    COUNTER(vertices),    COUNTER(points),
    COUNTER(pixels),     COUNTER(voxels),         COUNTER(exact_signs), COUNTER(pairs_left),  COUNTER(empty_intervals),
    COUNTER(elements),   COUNTER(references)};

static uint64_t counter_of(const graze_method_counters *all, size_t index)
{
    uint64_t count;
    memcpy(&count, (const char *)all + counters[index].offset, sizeof count);
    return count;
}

exit_code method_find(const tool_console *console, const char *name, const graze_method_info **out_method)
{
    *out_method = graze_method_find(name);
    if (name == NULL || *out_method != NULL)
        return 0;
    char names[1024] = "";
    size_t length = 0;
    for (size_t i = 0; i < graze_method_count() && length < sizeof names - 64; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                                   graze_method_at(i)->name);
    return report_error(console, EXIT_USAGE, "there is no method '%s'; the methods are: %s", name, names);
}

exit_code method_prepare(const tool_console *console, const graze_context *context, const graze_method_info *method,
                         const method_settings *settings, bool flying, const char *file, const graze_mesh *mesh,
                         graze_method_body **out_body)
{
    graze_method_parameters parameters = settings->parameters;
    parameters.flying = flying;
    if (!flying)
        parameters.tumbling = GRAZE_TUMBLING_DEFAULT;
    graze_status status = graze_method_body_create(context, method->name, mesh, &parameters, out_body);
    if (status == GRAZE_STATUS_BAD_ARGUMENT)
        return report_error(console, EXIT_USAGE, "%s: the method %s takes %s meshes only%s", file, method->name,
                            class_names[method->mesh_class],
                            method->mesh_class == GRAZE_METHOD_CLASS_CONVEX
                                ? " (exactly so: rounding bends flat faces); graze hull makes the convex hull of one"
                                : "");
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "preparing the method failed: %s",
                            graze_status_text(status));
    return 0;
}

const char *method_guarantee_name(const graze_method_info *method)
{
    return guarantee_names[method->guarantee];
}

void method_add_counters(graze_method_counters *sum, const graze_method_counters *more)
{
    for (size_t i = 0; i < COUNT_OF(counters); i++)
    {
        uint64_t total = counter_of(sum, i) + counter_of(more, i);
        memcpy((char *)sum + counters[i].offset, &total, sizeof total);
    }
    for (size_t i = 0; i < COUNT_OF(sum->check); i++)
        sum->check[i] += more->check[i];
}

void method_write_counters(grz_json_writer *json, const graze_method_counters *all)
{
    grz_json_put_key(json, "stats");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    for (size_t i = 0; i < COUNT_OF(counters); i++)
    {
        grz_json_put_key(json, counters[i].name);
        grz_json_put_count(json, counter_of(all, i));
    }
    grz_json_put_key(json, "check");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < COUNT_OF(all->check); i++)
        grz_json_put_count(json, all->check[i]);
    grz_json_close(json);
    grz_json_close(json);
}

void method_say_counters(const graze_method_counters *all)
{
    for (size_t i = 0; i < COUNT_OF(counters); i++)
        if (counter_of(all, i) > 0)
            printf("  %-9s %s\n", counters[i].name, grz_grouped(counter_of(all, i)).text);
}
