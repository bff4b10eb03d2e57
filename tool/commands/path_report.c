/* SPDX-License-Identifier: MIT */
/* Output of graze path: a line per pose, a JSON document, times and statistics. */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/method_option.h"
#include "commands/path.h"
#include "shell/output.h"
#include "shell/text_format.h"
#include "text/number.h"

void path_say_answer(const path_run *run, size_t pose)
{
    uint64_t pairs = run->pairs[pose];
    printf("%zu %s", pose, pairs == UNKNOWN ? "?" : pairs > 0 ? "1" : "0");
    if (run->counts && pairs == UNKNOWN)
        fputs(" ?", stdout);
    else if (run->counts)
        printf(" %" PRIu64, pairs);
    if (run->measures)
    {
        char text[32];
        grz_real_print(run->distances[pose], text);
        printf(" %s", text);
    }
    if (run->tolerance >= 0)
        printf(" %s", run->within[pose] == GRAZE_VERDICT_UNKNOWN ? "?"
                      : run->within[pose] == GRAZE_VERDICT_YES   ? "1"
                                                                 : "0");
    putchar('\n');
}

typedef struct time_summary
{
    double min, mean, median, p99;
} time_summary;

static int compare_times(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The 99th percentile is the smallest time that at least 99 of 100 queries do not exceed. */
static time_summary summarize(path_run *run)
{
    uint64_t *times = run->times_best;
    size_t count = run->pose_count;
    qsort(times, count, sizeof *times, compare_times);
    size_t rank = count - count / 100;
    return (time_summary){.min = (double)times[0],
                          .mean = (double)run->total_best / (double)count,
                          .median = ((double)times[(count - 1) / 2] + (double)times[count / 2]) / 2.0,
                          .p99 = (double)times[rank - 1]};
}

static void write_times(grz_json_writer *json, const time_summary *times)
{
    grz_json_put_key(json, "ns");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "min");
    grz_json_put_real(json, times->min);
    grz_json_put_key(json, "mean");
    grz_json_put_real(json, times->mean);
    grz_json_put_key(json, "median");
    grz_json_put_real(json, times->median);
    grz_json_put_key(json, "p99");
    grz_json_put_real(json, times->p99);
    grz_json_close(json);
}

static void write_known(grz_json_writer *json, uint64_t pairs, uint64_t count)
{
    if (pairs == UNKNOWN)
        grz_json_put_null(json);
    else
        grz_json_put_count(json, count);
}

static void write_measures(grz_json_writer *json, const path_run *run)
{
    if (run->measures)
    {
        grz_json_put_key(json, "distance");
        grz_json_put_reals(json, run->distances, run->pose_count);
    }
    if (run->tolerance >= 0)
    {
        grz_json_put_key(json, "within");
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        for (size_t pose = 0; pose < run->pose_count; pose++)
            write_known(json, run->within[pose] == GRAZE_VERDICT_UNKNOWN ? UNKNOWN : 0,
                        run->within[pose] == GRAZE_VERDICT_YES);
        grz_json_close(json);
    }
}

void path_write_json(path_run *run)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_key(&json, "queries");
    grz_json_put_count(&json, run->pose_count);
    grz_json_put_key(&json, "hits");
    grz_json_put_count(&json, run->hits);
    grz_json_put_key(&json, "collide");
    grz_json_open(&json, GRZ_JSON_SHORT_ARRAY);
    for (size_t pose = 0; pose < run->pose_count; pose++)
        write_known(&json, run->pairs[pose], run->pairs[pose] > 0);
    grz_json_close(&json);
    if (run->counts)
    {
        grz_json_put_key(&json, "pairs");
        grz_json_open(&json, GRZ_JSON_SHORT_ARRAY);
        for (size_t pose = 0; pose < run->pose_count; pose++)
            write_known(&json, run->pairs[pose], run->pairs[pose]);
        grz_json_close(&json);
    }
    write_measures(&json, run);
    if (run->method != NULL)
    {
        grz_json_put_key(&json, "method");
        grz_json_put_text(&json, run->method->name);
    }
    if (run->execution.budget.seconds > 0 || run->by_shapes || run->method != NULL)
    {
        grz_json_put_key(&json, "unknown");
        grz_json_put_count(&json, run->unknown);
    }
    if (run->request->values[OPTION_STATS] != NULL && run->method != NULL)
        method_write_counters(&json, &run->counters);
    else if (run->request->values[OPTION_STATS] != NULL)
        write_stats(&json, &run->stats);
    time_summary times = summarize(run);
    write_times(&json, &times);
    grz_json_put_key(&json, "passes");
    grz_json_put_count(&json, run->passes);
    grz_json_close(&json);
}

void path_say_times(path_run *run)
{
    time_summary times = summarize(run);
    print_note(run->request->console, "%s, %s; time per query: min %s, mean %s, median %s, p99 %s (best of %s pass%s)",
               grz_counted(run->pose_count, "pose").text, grz_counted(run->hits, "hit").text,
               human_time(times.min).text, human_time(times.mean).text, human_time(times.median).text,
               human_time(times.p99).text, grz_grouped(run->passes).text, run->passes == 1 ? "" : "es");
}

void path_say_stats(const path_run *run)
{
    if (run->method != NULL)
    {
        method_say_counters(&run->counters);
        return;
    }
    print_note(run->request->console, "cost of all poses: %s, %s, %s, %s",
               grz_counted(run->stats.box_tests, "box test").text, grz_counted(run->stats.leaf_pairs, "leaf pair").text,
               grz_counted(run->stats.triangle_tests, "triangle test").text,
               grz_counted(run->stats.exact_signs, "exact sign").text);
}
