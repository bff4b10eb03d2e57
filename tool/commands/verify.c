/* SPDX-License-Identifier: MIT */
/* graze verify: checks certificates of clearance for two mesh files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/sweep.h"
#include "graze/certificate_file.h"
#include "shell/load.h"
#include "shell/output.h"
#include "shell/text_format.h"
#include "text/json_writer.h"
#include "text/number.h"

enum
{
    OPTION_JSON
};

typedef struct verify_run
{
    const char *paths[3];
    graze_certificate_set *certificates;
    graze_model *models[2];
    graze_certificate_check *checks; /* of each certificate */
    size_t count, refused;
} verify_run;

/* What the certificates claim: the least clearance of all. */
static double least_clearance(const verify_run *run)
{
    double least = INFINITY;
    for (size_t i = 0; i < run->count; i++)
    {
        graze_certificate_facts facts;
        if (graze_certificate_describe(graze_certificate_set_get(run->certificates, i), &facts) == GRAZE_STATUS_OK)
            least = fmin(least, facts.clearance);
    }
    return least;
}

static void write_certificate(grz_json_writer *json, const verify_run *run, size_t i)
{
    graze_certificate_facts facts = {0};
    graze_certificate_describe(graze_certificate_set_get(run->certificates, i), &facts);
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "valid");
    grz_json_put_bool(json, run->checks[i].valid);
    grz_json_put_member_text(json, "reason", run->checks[i].valid ? NULL : run->checks[i].text);
    grz_json_put_key(json, "clearance");
    grz_json_put_real(json, facts.clearance);
    grz_json_put_key(json, "deviation");
    grz_json_put_reals(json, (const double[2]){facts.deviation_a, facts.deviation_b}, 2);
    grz_json_put_key(json, "motion");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "a");
    moving_write_motion(json, &facts.motion_a);
    grz_json_put_key(json, "b");
    moving_write_motion(json, &facts.motion_b);
    grz_json_close(json);
    grz_json_put_member_count(json, "cells", facts.cells);
    grz_json_put_member_count(json, "planes", facts.planes);
    grz_json_put_member_count(json, "exact", run->checks[i].exact_checks);
    grz_json_close(json);
}

static void write_json(const verify_run *run, const char *reason)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "certificate", run->paths[0]);
    grz_json_put_member_text(&json, "a", run->paths[1]);
    grz_json_put_member_text(&json, "b", run->paths[2]);
    grz_json_put_key(&json, "valid");
    grz_json_put_bool(&json, reason == NULL);
    grz_json_put_member_text(&json, "reason", reason);
    grz_json_put_key(&json, "clearance");
    grz_json_put_real(&json, reason == NULL ? least_clearance(run) : NAN);
    grz_json_put_key(&json, "certificates");
    grz_json_open(&json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < run->count; i++)
        write_certificate(&json, run, i);
    grz_json_close(&json);
    grz_json_close(&json);
}

/* Of which motion it is true: where the origin of the mesh goes, and by how much it turns. */
static void say_motion(const char *name, const graze_motion *motion)
{
    graze_pose ends[2];
    double trace = 0;
    for (int i = 0; i < 2; i++)
        if (graze_motion_pose(motion, i, &ends[i], NULL) != GRAZE_STATUS_OK)
            return;
    const double *p = ends[0].m, *q = ends[1].m;
    printf("  %s  %s, at (%.7g, %.7g, %.7g)", name, moving_kind_name(motion->kind), p[3], p[7], p[11]);
    for (int k = 0; k < 12; k++)
        trace += k % 4 < 3 ? p[k] * q[k] : 0;
    double degrees = acos(fmax(-1, fmin(1, 0.5 * (trace - 1)))) * (180 / 3.14159265358979323846);
    if (motion->kind != GRAZE_MOTION_STILL)
        printf(", then (%.7g, %.7g, %.7g)", q[3], q[7], q[11]);
    if (motion->kind != GRAZE_MOTION_STILL && motion->kind != GRAZE_MOTION_BLEND && degrees > 1e-6)
        printf(", turned by %.4g degrees", degrees);
    printf("\n");
}

static void say_claim(const verify_run *run)
{
    graze_certificate_facts facts = {0};
    if (run->count == 1 &&
        graze_certificate_describe(graze_certificate_set_get(run->certificates, 0), &facts) == GRAZE_STATUS_OK)
    {
        say_motion("A", &facts.motion_a);
        say_motion("B", &facts.motion_b);
    }
    else
        printf("  --json lists the motions\n");
}

static void say_valid(const verify_run *run)
{
    uint64_t planes = 0;
    for (size_t i = 0; i < run->count; i++)
    {
        graze_certificate_facts facts = {0};
        graze_certificate_describe(graze_certificate_set_get(run->certificates, i), &facts);
        planes += facts.planes;
    }
    double clearance = least_clearance(run);
    printf("valid: %s, %s\n", grz_counted(run->count, "certificate").text, grz_counted(planes, "plane").text);
    char digits[GRZ_NUMBER_SIZE];
    const char *motions = run->count == 1 ? "this motion:" : "these motions:";
    grz_real_print(clearance, digits);
    if (clearance > 0)
        printf("%s and %s stay at least %s apart throughout %s\n", run->paths[1], run->paths[2], digits, motions);
    else
        printf("%s and %s share no point throughout %s\n", run->paths[1], run->paths[2], motions);
    say_claim(run);
}

static exit_code check_everything(const tool_console *console, verify_run *run)
{
    run->count = graze_certificate_set_count(run->certificates);
    run->checks = calloc(run->count + 1, sizeof *run->checks);
    if (run->checks == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory for the answers");
    for (size_t i = 0; i < run->count; i++)
    {
        graze_status status = graze_certificate_verify(NULL, graze_certificate_set_get(run->certificates, i),
                                                       graze_model_mesh(run->models[0]),
                                                       graze_model_mesh(run->models[1]), NULL, &run->checks[i]);
        if (status != GRAZE_STATUS_OK)
            return report_error(console, exit_code_of(status), "%s: %s", run->paths[0], graze_status_text(status));
        run->refused += !run->checks[i].valid;
    }
    return 0;
}

/* The first reason for refusal, or NULL. */
static const char *reason_of(const verify_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (!run->checks[i].valid)
            return run->checks[i].text;
    return NULL;
}

/* Whether the certificates are about the two files in the other order. */
static bool are_exchanged(const verify_run *run)
{
    graze_certificate_facts facts = {0};
    char hashes[2][65];
    if (run->count == 0 ||
        graze_certificate_describe(graze_certificate_set_get(run->certificates, 0), &facts) != GRAZE_STATUS_OK)
        return false;
    for (int side = 0; side < 2; side++)
        if (graze_mesh_sha256(graze_model_mesh(run->models[side]), hashes[side]) != GRAZE_STATUS_OK)
            return false;
    return strcmp(hashes[0], hashes[1]) != 0 && strcmp(hashes[0], facts.sha256_b) == 0 &&
           strcmp(hashes[1], facts.sha256_a) == 0;
}

static exit_code report(const tool_request *request, verify_run *run)
{
    bool json = request->values[OPTION_JSON] != NULL;
    const char *reason = reason_of(run);
    if (reason != NULL && are_exchanged(run))
        reason = "it is about these two meshes in the other order: B comes first";
    if (json)
        write_json(run, reason);
    else if (reason == NULL)
        say_valid(run);
    if (reason == NULL)
        return EXIT_NOTHING_FOUND;
    return run->count > 1
               ? report_error(request->console, EXIT_INPUT, "%s: refused: %s (%s refused of %s)", run->paths[0], reason,
                              grz_grouped(run->refused).text, grz_counted(run->count, "certificate").text)
               : report_error(request->console, EXIT_INPUT, "%s: refused: %s", run->paths[0], reason);
}

static exit_code run_verify(const tool_request *request)
{
    verify_run run = {.paths = {request->arguments[0], request->arguments[1], request->arguments[2]}};
    graze_error error = {0};
    exit_code code = 0;
    graze_status status = graze_certificate_set_read_file(NULL, run.paths[0], NULL, &error, &run.certificates);
    if (status != GRAZE_STATUS_OK)
    {
        bool refused = status == GRAZE_STATUS_BAD_FORMAT || status == GRAZE_STATUS_TRUNCATED ||
                       status == GRAZE_STATUS_DAMAGED || status == GRAZE_STATUS_UNSUPPORTED ||
                       status == GRAZE_STATUS_EMPTY;
        if (refused && request->values[OPTION_JSON] != NULL)
            write_json(&run, error.text);
        code = report_error(request->console, exit_code_of(status), refused ? "refused: %s" : "%s", error.text);
    }
    for (int side = 0; side < 2 && code == 0; side++)
        code = load_model(request->console, run.paths[1 + side], &run.models[side]);
    if (code == 0)
        code = check_everything(request->console, &run);
    if (code == 0)
        code = report(request, &run);
    free(run.checks);
    graze_certificate_set_destroy(run.certificates);
    graze_model_destroy(run.models[0]);
    graze_model_destroy(run.models[1]);
    return code;
}

static const tool_argument arguments[] = {
    {"CERT", "A file of certificates of clearance (docs/certificate-format.md), binary or JSON, also gzip-compressed."},
    {"A", "The first mesh file that it is about."},
    {"B", "The second."},
};

static const tool_option options[] = {
    [OPTION_JSON] = {.name = "json", .help = "Write one JSON document about it."},
};

static const tool_example examples[] = {
    {"graze verify proof.json gear.stl pinion.stl", "Is this a proof that the gears never touch?"},
};

const tool_command verify_command = {
    .name = "verify",
    .synopsis = "CERT A B [--json]",
    .summary = "is this a proof that two moving meshes stay apart?",
    .description =
        "Checks certificates of clearance: that they are about these two meshes, that their cells cover all pairs of "
        "triangles at all times, and, exactly, that every plane separates what it says. Whoever made the certificate "
        "need not be trusted, but what it claims should be read: the clearance, and the motions, which are told. "
        "scripts/verify_certificate.py is an independent checker.\n"
        "\n"
        "The JSON document has the keys certificate, a, b, valid, reason (a sentence, or null), clearance (the least "
        "of all certificates, or null where one is refused), and certificates, a list with valid, reason, clearance, "
        "deviation (of a and b), motion (of a and b, as graze sweep writes them), cells, planes and exact, the number "
        "of "
        "signs that needed exact arithmetic.\n"
        "\n"
        "The exit code is 0 when all certificates of the file are valid, and 3 when one is refused, with a sentence "
        "why, or a file cannot be read.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 3,
    .most_arguments = 3,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_verify,
};
