/* SPDX-License-Identifier: MIT */
/* graze sweep --method: two moving meshes by one of the literature's methods, with its counters; see sweep.h. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "commands/sweep.h"
#include "graze/motion_method.h"
#include "shell/output.h"
#include "shell/text_format.h"

static const char *const motion_guarantees[] = {"exact", "yes-sure", "no-sure", "estimated"};
static const char *const answer_names[] = {"no", "yes", "unknown"};

#define COUNTER(field)                                                                                                 \
    {                                                                                                                  \
#field, offsetof(graze_motion_method_counters, field)                                                          \
    }

static const struct
{
    const char *name;
    size_t offset;
} motion_counters[] = {COUNTER(steps),  COUNTER(distances), COUNTER(bounds),
                       COUNTER(frames), COUNTER(boxes),     COUNTER(features)};

static uint64_t motion_counter(const graze_motion_method_answer *answer, size_t index)
{
    uint64_t count;
    memcpy(&count, (const char *)&answer->counters + motion_counters[index].offset, sizeof count);
    return count;
}

exit_code moving_check_method(const tool_console *console, const char *method)
{
    if (method == NULL || graze_motion_method_find(method) != NULL)
        return 0;
    char names[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < graze_motion_method_count() && length < sizeof names - 64; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                                   graze_motion_method_at(i)->name);
    return report_error(console, EXIT_USAGE, "there is no method '%s'; those for moving meshes are: %s", method, names);
}

static void write_answer(const graze_motion_method_info *method, const graze_motion_method_answer *answer)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "method", method->name);
    grz_json_put_member_text(&json, "guarantee", motion_guarantees[method->guarantee]);
    grz_json_put_member_text(&json, "verdict", answer_names[answer->verdict]);
    grz_json_put_member_text(&json, "guess", answer_names[answer->guess]);
    grz_json_put_key(&json, "lower");
    grz_json_put_real(&json, answer->lower);
    grz_json_put_key(&json, "upper");
    grz_json_put_real(&json, answer->upper);
    grz_json_put_key(&json, "stats");
    grz_json_open(&json, GRZ_JSON_SHORT_OBJECT);
    for (size_t i = 0; i < COUNT_OF(motion_counters); i++)
        grz_json_put_member_count(&json, motion_counters[i].name, motion_counter(answer, i));
    grz_json_close(&json);
    grz_json_close(&json);
}

static void say_answer(const graze_motion_method_info *method, const graze_motion_method_answer *answer)
{
    if (answer->verdict == GRAZE_IMPACT_NONE)
        printf("no impact: proved by %s\n", method->name);
    else if (answer->verdict == GRAZE_IMPACT_AT)
        printf("impact between t = %.17g and %.17g: proved by %s\n", answer->lower, answer->upper, method->name);
    else
        printf("unknown: nothing meets before t = %.17g\n", answer->lower);
    for (size_t i = 0; i < COUNT_OF(motion_counters); i++)
        if (motion_counter(answer, i) > 0)
            printf("  %s %" PRIu64 "\n", motion_counters[i].name, motion_counter(answer, i));
}

exit_code moving_run_method(moving_files *run, const char *name, bool json)
{
    const graze_motion_method_info *method = graze_motion_method_find(name);
    const tool_console *console = run->request->console;
    graze_motion_method_answer answer;
    for (int side = 0; side < 2; side++)
        run->moving[side].motion = run->motions[side][0];
    if (!moving_are_meshes(run))
        return report_error(console, EXIT_USAGE, "--method takes what is made of triangles");
    graze_status status = graze_motion_method_impact(&run->execution.context, name, &run->moving[0], &run->moving[1],
                                                     &run->execution.budget, &answer);
    if (status == GRAZE_STATUS_UNSUPPORTED)
        return report_error(console, EXIT_USAGE, "%s takes %s", name,
                            method->soft ? "--motion blend only" : "turns and blends only");
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "the query failed: %s", graze_status_text(status));
    if (json)
        write_answer(method, &answer);
    else
        say_answer(method, &answer);
    if (answer.verdict != GRAZE_IMPACT_UNKNOWN)
        return answer.verdict == GRAZE_IMPACT_NONE ? EXIT_NOTHING_FOUND : EXIT_FOUND;
    return report_error(console, EXIT_INCOMPLETE, "unknown from t = %.17g on; the guess of %s is %s", answer.lower,
                        name, answer_names[answer.guess]);
}
