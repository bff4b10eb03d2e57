/* SPDX-License-Identifier: MIT */
/* graze path --method: poses by one of the literature's methods. */
#include "commands/method_option.h"
#include "commands/path.h"

exit_code path_find_method(path_run *run)
{
    const tool_request *request = run->request;
    const char *name = request->values[OPTION_METHOD];
    exit_code code = method_find(request->console, name, &run->method);
    if (code == 0)
        code = method_settings_read(request->console, name, request->values[OPTION_METHOD_OPTIONS], &run->settings);
    if (code != 0 || run->method == NULL)
        return code;
    if (run->measures || run->tolerance >= 0)
        return report_error(request->console, EXIT_USAGE,
                            "--method answers whether meshes collide, not --distance or --tolerance");
    if (run->counts && run->method->subject == GRAZE_METHOD_BODIES)
        return report_error(request->console, EXIT_USAGE,
                            "--count counts pairs of triangles; %s is a method for bodies", run->method->name);
    return 0;
}

exit_code path_prepare_method(path_run *run)
{
    const tool_request *request = run->request;
    exit_code code = 0;
    if (run->method == NULL)
        return 0;
    if (run->by_shapes)
        return report_error(request->console, EXIT_USAGE, "--method takes mesh files only");
    for (int side = 0; side < 2 && code == 0; side++)
        code = method_prepare(request->console, &run->execution.context, run->method, &run->settings, side == 1,
                              request->arguments[side], graze_model_mesh(run->models[side]), &run->bodies[side]);
    return code;
}

graze_status path_query_method(path_run *run, size_t pose, uint64_t *out_pairs)
{
    graze_placed_method_body a = {run->bodies[0], run->poses[pose].a}, b = {run->bodies[1], run->poses[pose].b};
    graze_method_options options = graze_method_options_default();
    graze_method_counters counters = {0};
    options.counters = &counters;
    options.order = run->settings.order;
    options.budget = run->execution.budget;
    options.cache = run->caches ? &run->method_cache : NULL;
    graze_method_answer answer = {.collide = GRAZE_VERDICT_UNKNOWN};
    graze_pair_counts counts = {0, 0, 0, 0};
    const graze_context *context = &run->execution.context;
    graze_status status = run->counts ? graze_method_gather(context, &a, &b, &options, NULL, 0, &counts)
                                      : graze_method_any(context, &a, &b, &options, &answer);
    if (run->counts)
        *out_pairs = status == GRAZE_STATUS_UNFINISHED ? UNKNOWN : counts.pairs;
    else
        *out_pairs = answer.collide == GRAZE_VERDICT_UNKNOWN ? UNKNOWN : answer.collide == GRAZE_VERDICT_YES;
    method_add_counters(&run->counters, &counters);
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

void path_release_method(path_run *run)
{
    for (int side = 0; side < 2; side++)
        graze_method_body_destroy(run->bodies[side]);
}
