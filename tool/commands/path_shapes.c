/* SPDX-License-Identifier: MIT */
/* graze path where a file holds a shape. */
#include <math.h>

#include "commands/path.h"

static graze_placed place(const path_run *run, int side, size_t pose)
{
    const pose_pair *pair = &run->poses[pose];
    return (graze_placed){run->files[side].shape, side == 0 ? pair->a : pair->b};
}

exit_code path_check_poses_of(const tool_request *request, const loaded_shape files[2], const pose_pair *poses,
                              size_t count)
{
    for (size_t pose = 0; pose < count; pose++)
        for (int side = 0; side < 2; side++)
        {
            graze_placed placed = {files[side].shape, side == 0 ? poses[pose].a : poses[pose].b};
            graze_status status = graze_placed_check(&placed);
            const char *refusal = pose_refusal(status);
            if (status != GRAZE_STATUS_OK)
                return report_error(request->console, EXIT_INPUT, "%s, pose %zu of %s: %s", request->arguments[2], pose,
                                    request->arguments[side], refusal != NULL ? refusal : graze_status_text(status));
        }
    return 0;
}

exit_code path_check_poses(const path_run *run)
{
    const tool_console *console = run->request->console;
    if (run->counts)
        return report_error(console, EXIT_USAGE, "--count counts pairs of triangles; %s is a shape",
                            run->request->arguments[run->models[0] == NULL ? 0 : 1]);
    return path_check_poses_of(run->request, run->files, run->poses, run->pose_count);
}

graze_status path_query_shapes(path_run *run, size_t pose, graze_stats *stats, uint64_t *out_pairs)
{
    graze_placed a = place(run, 0, pose), b = place(run, 1, pose);
    graze_shape_options options = graze_shape_options_default();
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    options.budget = run->execution.budget;
    options.stats = stats;
    options.cache = run->caches ? &run->shape_cache : NULL;
    graze_status status = graze_shape_pair_any(&run->execution.context, &a, &b, &options, &verdict, NULL);
    *out_pairs =
        status == GRAZE_STATUS_UNFINISHED || verdict == GRAZE_VERDICT_UNKNOWN ? UNKNOWN : verdict == GRAZE_VERDICT_YES;
    return status == GRAZE_STATUS_UNFINISHED ? GRAZE_STATUS_OK : status;
}

graze_status path_measure_shapes(path_run *run, size_t pose)
{
    graze_placed a = place(run, 0, pose), b = place(run, 1, pose);
    graze_status status = GRAZE_STATUS_OK;
    if (run->measures)
    {
        graze_shape_distance distance = {.found = false};
        status = graze_shape_pair_distance(&run->execution.context, &a, &b, NULL, &distance);
        run->distances[pose] = distance.found ? distance.distance : INFINITY;
    }
    if (status == GRAZE_STATUS_OK && run->tolerance >= 0)
        status = graze_shape_pair_tolerance_any(&run->execution.context, &a, &b, run->tolerance, NULL,
                                                &run->within[pose], NULL);
    return status;
}
