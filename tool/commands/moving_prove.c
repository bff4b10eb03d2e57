/* SPDX-License-Identifier: MIT */
/* Certificates for graze sweep and graze path --continuous; see sweep.h. */
#include <stdlib.h>
#include <string.h>

#include "commands/sweep.h"
#include "graze/certificate_file.h"
#include "shell/parse_numbers.h"
#include "shell/text_format.h"

exit_code moving_parse_margin(const tool_console *console, const char *text, double *out_margin)
{
    char fault[FAULT_SIZE];
    size_t count = 0;
    *out_margin = 0;
    if (text == NULL || (parse_numbers(text, out_margin, 1, &count, fault) && count == 1 && *out_margin >= 0))
        return 0;
    return report_error(console, EXIT_USAGE, "--margin takes a distance from 0, not '%s'", text);
}

/* Certificates are about the numbers of mesh files as they are. */
static exit_code check_files(const moving_files *run)
{
    const tool_console *console = run->request->console;
    for (int side = 0; side < 2; side++)
        if (!moving_are_meshes(run) || run->files[side].model == NULL || run->own[side] != NULL)
            return report_error(console, EXIT_USAGE,
                                "%s: a certificate is about a mesh file and its own numbers, so --prove takes no "
                                "shapes and no scales",
                                run->request->arguments[side]);
    for (size_t i = 0; i < run->count; i++)
        if (run->motions[0][i].kind > GRAZE_MOTION_BALLISTIC_TURN ||
            run->motions[1][i].kind > GRAZE_MOTION_BALLISTIC_TURN)
            return report_error(console, EXIT_USAGE, "--prove takes turns and blends, no screws, slerps and splines");
    return 0;
}

static exit_code say_failure(const moving_files *run, size_t segment, const graze_prove_failure *failure)
{
    const tool_console *console = run->request->console;
    if (failure->reason == GRAZE_PROVE_BUDGET)
        return report_error(console, EXIT_INCOMPLETE,
                            "no certificate: the time was up at t = %.9g to %.9g of segment %zu", failure->lower,
                            failure->upper, segment);
    return report_error(console, EXIT_INCOMPLETE,
                        "no certificate: triangle %u of a and %u of b come too near at t = %.9g to %.9g of segment %zu",
                        failure->triangle_a, failure->triangle_b, failure->lower, failure->upper, segment);
}

static exit_code prove_all(moving_files *run, graze_certificate **certificates)
{
    graze_prove_failure failure = {GRAZE_PROVE_STARTED, 0, 1, 0, 0};
    graze_prove_options options = graze_prove_options_default();
    options.failure = &failure;
    options.budget = run->execution.budget;
    for (size_t i = 0; i < run->count; i++)
    {
        graze_moving_mesh moving[2] = {run->moving[0], run->moving[1]};
        for (int side = 0; side < 2; side++)
            moving[side].motion = run->motions[side][i];
        graze_status status = graze_pair_prove_clear(&run->execution.context, &moving[0], &moving[1], run->margin,
                                                     &options, &certificates[i]);
        if (status == GRAZE_STATUS_UNFINISHED)
            return say_failure(run, i, &failure);
        if (status != GRAZE_STATUS_OK)
            return report_error(run->request->console, exit_code_of(status), "no certificate: %s",
                                graze_status_text(status));
    }
    return 0;
}

exit_code moving_prove(moving_files *run, const char *path)
{
    size_t segment = 0;
    if (path == NULL || moving_verdict(run, &segment) != GRAZE_IMPACT_NONE)
        return 0;
    exit_code code = check_files(run);
    graze_certificate **certificates = calloc(run->count + 1, sizeof(void *));
    if (certificates == NULL)
        return report_error(run->request->console, EXIT_INTERNAL, "out of memory for the certificates");
    if (code == 0)
        code = prove_all(run, certificates);
    if (code == 0)
    {
        graze_error error = {0};
        size_t length = strlen(path);
        bool json = length >= 5 && strcmp(path + length - 5, ".json") == 0;
        graze_status status = graze_certificate_write_file(
            &run->execution.context, (const graze_certificate *const *)certificates, run->count,
            json ? GRAZE_CERTIFICATE_JSON : GRAZE_CERTIFICATE_BINARY, path, &error);
        if (status == GRAZE_STATUS_OK)
            run->certificate = path;
        else
            code = report_error(run->request->console, exit_code_of(status), "%s", error.text);
    }
    for (size_t i = 0; i < run->count; i++)
        graze_certificate_destroy(certificates[i]);
    free(certificates);
    return code;
}
