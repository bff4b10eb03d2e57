/* SPDX-License-Identifier: MIT */
/* graze check --method: two meshes by one of the literature's methods, with its counters. */
#include <stdlib.h>
#include <string.h>

#include "commands/check.h"
#include "commands/method_option.h"
#include "shell/output.h"
#include "shell/text_format.h"

/* What a method does not answer. */
static exit_code refuse_others(const check_run *run)
{
    static const int others[] = {OPTION_DISTANCE, OPTION_TOLERANCE, OPTION_DEPTH, OPTION_CONTACTS};
    const tool_request *request = run->request;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (request->values[others[i]] != NULL)
            return report_error(request->console, EXIT_USAGE, "--method answers whether meshes collide, not --%s",
                                request->command->options[others[i]].name);
    if (request->values[OPTION_SOLID] != NULL && run->method->subject == GRAZE_METHOD_SURFACES)
        return report_error(request->console, EXIT_USAGE, "%s is a method for surfaces, without --solid",
                            run->method->name);
    return 0;
}

exit_code check_find_method(check_run *run)
{
    const tool_console *console = run->request->console;
    const char *name = run->request->values[OPTION_METHOD];
    exit_code code = method_find(console, name, &run->method);
    if (code == 0)
        code = method_settings_read(console, name, run->request->values[OPTION_METHOD_OPTIONS], &run->settings);
    return code == 0 && run->method != NULL ? refuse_others(run) : code;
}

exit_code check_method_files(const check_run *run)
{
    if (run->method != NULL && (run->models[0] == NULL || run->models[1] == NULL))
        return report_error(run->request->console, EXIT_USAGE, "--method takes mesh files only");
    return 0;
}

static exit_code prepare(check_run *run, int side, graze_method_body **out_body)
{
    run->placed[side].mesh = graze_model_mesh(run->models[side]);
    return method_prepare(run->request->console, &run->execution.context, run->method, &run->settings, side == 1,
                          run->request->arguments[side], run->placed[side].mesh, out_body);
}

/* All pairs of a method for surfaces; the list has the first ones that are asked for. */
static graze_status gather(check_run *run, const graze_placed_method_body *a, const graze_placed_method_body *b,
                           const graze_method_options *options)
{
    graze_pair_counts counts;
    graze_status status = graze_method_gather(&run->execution.context, a, b, options, NULL, 0, &counts);
    if (status != GRAZE_STATUS_OK)
        return status;
    size_t wanted = (size_t)(run->list_limit < counts.pairs ? run->list_limit : counts.pairs);
    wanted = wanted == 0 && counts.pairs > 0 ? 1 : wanted;
    graze_hit *hits = calloc(wanted + 1, sizeof *hits);
    if (hits == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    status = graze_method_gather(&run->execution.context, a, b, options, hits, wanted, &counts);
    for (size_t i = 0; status == GRAZE_STATUS_OK && i < wanted; i++)
        check_take_hit(run, &hits[i]);
    if (status == GRAZE_STATUS_OK)
        run->counts = counts;
    free(hits);
    return run->list_failed ? GRAZE_STATUS_OUT_OF_MEMORY : status;
}

static graze_status answer(check_run *run, graze_method_body *const bodies[2])
{
    graze_placed_method_body a = {bodies[0], run->placed[0].pose}, b = {bodies[1], run->placed[1].pose};
    graze_method_options options = graze_method_options_default();
    options.counters = &run->counters;
    options.order = run->settings.order;
    options.budget = run->execution.budget;
    const graze_context *context = &run->execution.context;
    graze_status status = graze_method_any(context, &a, &b, &options, &run->method_answer);
    if (status == GRAZE_STATUS_OK && run->method->subject == GRAZE_METHOD_SURFACES && run->method_answer.finished)
        status = gather(run, &a, &b, &options);
    run->finished = status == GRAZE_STATUS_OK && run->method_answer.finished;
    run->collide = run->method_answer.collide == GRAZE_VERDICT_YES;
    if (status == GRAZE_STATUS_OK && run->counts.pairs > 0)
        status = check_find_point(run);
    return status;
}

void check_write_method(grz_json_writer *json, const check_run *run)
{
    grz_json_put_key(json, "method");
    grz_json_put_text(json, run->method->name);
    grz_json_put_key(json, "guarantee");
    grz_json_put_text(json, method_guarantee_name(run->method));
    grz_json_put_key(json, "guess");
    grz_json_put_text(json, verdict_name(run->method_answer.guess));
}

void check_write_counters(grz_json_writer *json, const check_run *run)
{
    method_write_counters(json, &run->counters);
}

static void say(const check_run *run)
{
    const graze_method_answer *found = &run->method_answer;
    if (found->collide == GRAZE_VERDICT_UNKNOWN)
        printf("unknown: %s guesses %s\n", run->method->name,
               found->guess == GRAZE_VERDICT_YES ? "a collision" : "no collision");
    else if (run->method->subject == GRAZE_METHOD_BODIES)
        puts(run->collide ? "collision" : "no collision");
    else if (run->collide)
        printf("collision: %s of triangles share a point\n", grz_counted(run->counts.pairs, "pair").text);
    else
        puts("no collision: the surfaces share no point");
    printf("\n  method    %s (%s): %s\n", run->method->name, method_guarantee_name(run->method), run->method->summary);
    if (run->request->values[OPTION_STATS] != NULL)
        method_say_counters(&run->counters);
}

exit_code check_by_method(check_run *run)
{
    graze_method_body *bodies[2] = {NULL, NULL};
    exit_code code = prepare(run, 0, &bodies[0]);
    if (code == 0)
        code = prepare(run, 1, &bodies[1]);
    graze_status status = code == 0 ? answer(run, bodies) : GRAZE_STATUS_OK;
    for (int side = 0; side < 2; side++)
        graze_method_body_destroy(bodies[side]);
    if (status == GRAZE_STATUS_UNFINISHED)
        return report_error(run->request->console, EXIT_INCOMPLETE, "the time was up");
    if (status != GRAZE_STATUS_OK)
        return report_error(run->request->console, exit_code_of(status), "the check failed: %s",
                            graze_status_text(status));
    if (code != 0)
        return code;
    if (run->request->values[OPTION_JSON] != NULL)
        check_write_json(run);
    else
        say(run);
    return run->collide                                     ? EXIT_FOUND
           : run->method_answer.collide == GRAZE_VERDICT_NO ? EXIT_NOTHING_FOUND
                                                            : EXIT_INCOMPLETE;
}
