/* SPDX-License-Identifier: MIT */
/* graze path --continuous: from each pose to the next, the first impact or the proof that there is none. */
#include <stdio.h>
#include <stdlib.h>

#include "commands/path.h"
#include "commands/sweep.h"

static exit_code set_motions(moving_files *run, const pose_pair *poses)
{
    exit_code code = 0;
    for (size_t segment = 0; code == 0 && segment < run->count; segment++)
        for (int side = 0; code == 0 && side < 2; side++)
        {
            char what[80];
            snprintf(what, sizeof what, "pose %zu or %zu of %c", segment, segment + 1, "AB"[side]);
            code = run->kind == GRAZE_MOTION_SPLINE ? moving_set_spline(run, segment, side, poses, what)
                                                    : moving_set_motion(run, segment, side, poses + segment, what);
        }
    return code;
}

static void say_segments(const moving_files *run)
{
    for (size_t i = 0; i < run->count; i++)
    {
        const graze_impact *impact = &run->impacts[i];
        if (impact->verdict == GRAZE_IMPACT_AT)
            printf("%zu 1 %.17g\n", i, impact->lower);
        else
            printf("%zu %s\n", i, impact->verdict == GRAZE_IMPACT_NONE ? "0" : "?");
    }
}

exit_code path_run_continuous(const tool_request *request)
{
    moving_files run = {.request = request, .options = graze_impact_options_default()};
    pose_pair *poses = NULL;
    size_t count = 0;
    exit_code code = moving_parse_kind(request->console, request->values[OPTION_MOTION], true, &run.kind);
    if (code == 0)
        code = moving_parse_margin(request->console, request->values[OPTION_MARGIN], &run.margin);
    if (request->values[OPTION_PROVE] == NULL)
        run.options.margin = run.margin;
    if (code == 0)
        code = execution_open(request->console, request->values[OPTION_THREADS], request->values[OPTION_BUDGET],
                              &run.execution);
    if (code == 0)
        code = moving_load(&run, request->values[OPTION_UNITS], false);
    if (code == 0)
        code = load_poses(request->console, request->arguments[2], &poses, &count);
    if (code == 0)
        code = path_check_poses_of(request, run.files, poses, count);
    if (code == 0 && count < 2)
        code = report_error(request->console, EXIT_INCOMPLETE,
                            "there is only one pose: nothing moves, so nothing was asked");
    if (code == 0)
        code = moving_make_segments(&run, count - 1);
    if (code == 0)
        code = set_motions(&run, poses);
    if (code == 0)
        code = moving_run(&run);
    if (code == 0)
        code = moving_prove(&run, request->values[OPTION_PROVE]);
    if (code == 0)
    {
        if (request->values[OPTION_JSON] != NULL)
            moving_write_json(&run);
        else
            say_segments(&run);
        code = moving_code(&run);
    }
    free(poses);
    moving_release(&run);
    return code;
}
