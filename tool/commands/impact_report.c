/* SPDX-License-Identifier: MIT */
/* Impacts of moving files as one JSON document, or as text; see sweep.h. */
#include <inttypes.h>

#include "commands/sweep.h"
#include "shell/output.h"
#include "shell/text_format.h"

static const char *name_of(graze_impact_verdict verdict)
{
    return verdict == GRAZE_IMPACT_NONE ? "no" : verdict == GRAZE_IMPACT_AT ? "yes" : "unknown";
}

const char *moving_kind_name(graze_motion_kind kind)
{
    switch (kind)
    {
    case GRAZE_MOTION_STILL:
        return "still";
    case GRAZE_MOTION_BLEND:
        return "blend";
    case GRAZE_MOTION_TURN:
        return "turn";
    case GRAZE_MOTION_BALLISTIC_TURN:
        return "ballistic turn";
    case GRAZE_MOTION_SCREW:
        return "screw";
    case GRAZE_MOTION_SLERP:
        return "slerp";
    case GRAZE_MOTION_SPLINE:
        return "spline";
    default:
        return "other";
    }
}

static void put_reals(grz_json_writer *json, const char *key, const double *numbers, size_t count)
{
    grz_json_put_key(json, key);
    grz_json_put_reals(json, numbers, count);
}

/* Quaternions and path of a turn, or the Bezier points of a spline. */
static void write_curve(grz_json_writer *json, const double *quaternions, size_t count, const double *path,
                        const double centre[3])
{
    grz_json_put_key(json, "quaternion");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < count; i++)
        grz_json_put_reals(json, quaternions + 4 * i, 4);
    grz_json_close(json);
    put_reals(json, "centre", centre, 3);
    grz_json_put_key(json, "path");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < count; i++)
        grz_json_put_reals(json, path + 3 * i, 3);
    grz_json_close(json);
}

void moving_write_motion(grz_json_writer *json, const graze_motion *motion)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "kind", moving_kind_name(motion->kind));
    if (motion->kind == GRAZE_MOTION_BALLISTIC_TURN)
    {
        write_curve(json, motion->quaternion[0], 2, motion->path[0], motion->centre);
        put_reals(json, "bend", motion->path[2], 3);
    }
    else if (motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_SCREW ||
             motion->kind == GRAZE_MOTION_SLERP)
        write_curve(json, motion->quaternion[0], 2, motion->path[0], motion->centre);
    else if (motion->kind == GRAZE_MOTION_SPLINE)
        write_curve(json, motion->spline->quaternion[0], 4, motion->spline->path[0], motion->centre);
    else
    {
        put_reals(json, "start", motion->start.m, 12);
        if (motion->kind != GRAZE_MOTION_STILL)
            put_reals(json, "end", motion->end.m, 12);
    }
    grz_json_close(json);
}

static void write_impact(grz_json_writer *json, const moving_files *run, size_t segment, bool with_segment)
{
    const graze_impact *impact = &run->impacts[segment];
    if (impact->verdict != GRAZE_IMPACT_AT)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    if (with_segment)
        grz_json_put_member_count(json, "segment", segment);
    grz_json_put_key(json, "lower");
    grz_json_put_real(json, impact->lower);
    grz_json_put_key(json, "upper");
    grz_json_put_real(json, impact->upper);
    grz_json_put_key(json, "at_start");
    grz_json_put_bool(json, impact->at_start);
    grz_json_put_key(json, "crosses");
    if (moving_are_meshes(run))
        grz_json_put_bool(json, impact->crosses);
    else
        grz_json_put_null(json);
    static const char *const sides[] = {"a", "b"};
    for (int side = 0; side < 2; side++)
    {
        grz_json_put_key(json, sides[side]);
        uint32_t triangle = side == 0 ? impact->hit.triangle_a : impact->hit.triangle_b;
        if (impact->inside || triangle == GRAZE_NO_TRIANGLE)
            grz_json_put_null(json);
        else
            grz_json_put_count(json, triangle);
    }
    put_reals(json, "point", impact->point, 3);
    put_reals(json, "normal", impact->normal, 3);
    grz_json_close(json);
}

static void write_segments(grz_json_writer *json, const moving_files *run)
{
    grz_json_put_key(json, "segments");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < run->count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "verdict", name_of(run->impacts[i].verdict));
        grz_json_put_key(json, "impact");
        write_impact(json, run, i, false);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static void write_motions(grz_json_writer *json, const moving_files *run)
{
    grz_json_put_key(json, "motion");
    bool many = run->count != 1;
    if (many)
        grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < run->count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_key(json, "a");
        moving_write_motion(json, &run->motions[0][i]);
        grz_json_put_key(json, "b");
        moving_write_motion(json, &run->motions[1][i]);
        grz_json_close(json);
    }
    if (many)
        grz_json_close(json);
}

static uint64_t count_unknown(const moving_files *run)
{
    uint64_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count += run->impacts[i].verdict == GRAZE_IMPACT_UNKNOWN;
    return count;
}

/* The least certified clearance of all segments, or what certificates prove; 0 unless all are clear. */
static double least_clearance(const moving_files *run)
{
    if (run->certificate != NULL && run->margin > 0)
        return run->margin;
    double least = run->count > 0 ? run->impacts[0].clearance_lower : 0;
    for (size_t i = 0; i < run->count; i++)
        if (!(run->impacts[i].clearance_lower >= least) || run->impacts[i].verdict != GRAZE_IMPACT_NONE)
            least = run->impacts[i].verdict == GRAZE_IMPACT_NONE ? run->impacts[i].clearance_lower : 0;
    return least;
}

static void write_stats_of(grz_json_writer *json, const graze_impact_stats *stats)
{
    grz_json_put_key(json, "stats");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_count(json, "box_tests", stats->box_tests);
    grz_json_put_member_count(json, "intervals", stats->intervals);
    grz_json_put_member_count(json, "leaf_pairs", stats->leaf_pairs);
    grz_json_put_member_count(json, "triangle_tests", stats->triangle_tests);
    grz_json_close(json);
}

void moving_write_json(const moving_files *run)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    size_t segment = 0;
    graze_impact_verdict verdict = moving_verdict(run, &segment);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(&json, "verdict", name_of(verdict));
    grz_json_put_key(&json, "impact");
    if (verdict == GRAZE_IMPACT_AT)
        write_impact(&json, run, segment, run->count != 1);
    else
        grz_json_put_null(&json);
    grz_json_put_key(&json, "clearance");
    grz_json_put_real(&json, least_clearance(run));
    grz_json_put_key(&json, "end_error");
    grz_json_put_real(&json, run->end_error);
    write_motions(&json, run);
    write_segments(&json, run);
    grz_json_put_member_count(&json, "unknown", count_unknown(run));
    grz_json_put_member_text(&json, "certificate", run->certificate);
    write_stats_of(&json, &run->stats);
    grz_json_close(&json);
}

static void say_impact(const moving_files *run, size_t segment)
{
    const graze_impact *impact = &run->impacts[segment];
    if (impact->inside)
    {
        puts("            at the start the surfaces are apart, but one body lies in the other");
        return;
    }
    printf("  time      %.17g", impact->lower);
    if (impact->upper > impact->lower)
        printf(" to %.17g", impact->upper);
    printf("%s\n", impact->at_start ? ", from the start" : "");
    if (moving_are_meshes(run))
        printf("  triangles %" PRIu32 " of a and %" PRIu32 " of b; after that they %s\n", impact->hit.triangle_a,
               impact->hit.triangle_b, impact->crosses ? "cross" : "only touch");
    printf("  point     ");
    print_point(stdout, impact->point);
    putchar('\n');
}

void moving_say(const moving_files *run)
{
    const tool_console *console = run->request->console;
    const char *plain = console_tone(console, TONE_PLAIN);
    size_t segment = 0;
    graze_impact_verdict verdict = moving_verdict(run, &segment);
    if (verdict == GRAZE_IMPACT_NONE)
        printf("%sno impact%s: proved for all times%s\n", console_tone(console, TONE_GOOD), plain,
               moving_are_meshes(run) && !run->options.solids && run->margin <= 0 ? " that no surfaces meet" : "");
    else if (verdict == GRAZE_IMPACT_UNKNOWN)
        printf("%sunknown%s: nothing meets before t = %.17g\n", console_tone(console, TONE_BOLD), plain,
               run->impacts[segment].lower);
    else
        printf("%simpact%s", console_tone(console, TONE_BAD), plain);
    if (verdict == GRAZE_IMPACT_AT && run->count != 1)
        printf(" between poses %zu and %zu", segment, segment + 1);
    if (verdict == GRAZE_IMPACT_AT)
    {
        putchar('\n');
        say_impact(run, segment);
    }
    if (verdict == GRAZE_IMPACT_NONE && least_clearance(run) > 0)
        printf("  clearance at least %.6g\n", least_clearance(run));
    if (run->certificate != NULL)
        printf("  certificate %s\n", run->certificate);
    if (run->end_error > 0)
        printf("  the turn misses its poses by at most %.3g\n", run->end_error);
}
