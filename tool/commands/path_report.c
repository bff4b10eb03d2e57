/* SPDX-License-Identifier: MIT */
/* Output of graze path: a line per pose, a JSON document, times and statistics. */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/path.h"
#include "shell/text_format.h"

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
        print_real(text, run->distances[pose]);
        printf(" %s", text);
    }
    if (run->tolerance >= 0)
        printf(" %d", run->within[pose]);
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

static void write_times(json_writer *json, const time_summary *times)
{
    json_key(json, "ns");
    json_open(json, JSON_OBJECT);
    json_key(json, "min");
    json_real(json, times->min);
    json_key(json, "mean");
    json_real(json, times->mean);
    json_key(json, "median");
    json_real(json, times->median);
    json_key(json, "p99");
    json_real(json, times->p99);
    json_close(json);
}

static void write_known(json_writer *json, uint64_t pairs, uint64_t count)
{
    if (pairs == UNKNOWN)
        json_null(json);
    else
        json_count(json, count);
}

static void write_measures(json_writer *json, const path_run *run)
{
    if (run->measures)
    {
        json_key(json, "distance");
        json_reals(json, run->distances, run->pose_count);
    }
    if (run->tolerance >= 0)
    {
        json_key(json, "within");
        json_open(json, JSON_ARRAY);
        for (size_t pose = 0; pose < run->pose_count; pose++)
            json_count(json, run->within[pose]);
        json_close(json);
    }
}

void path_write_json(path_run *run)
{
    json_writer json = json_start(stdout);
    json_open(&json, JSON_OBJECT_LINES);
    json_key(&json, "queries");
    json_count(&json, run->pose_count);
    json_key(&json, "hits");
    json_count(&json, run->hits);
    json_key(&json, "collide");
    json_open(&json, JSON_ARRAY);
    for (size_t pose = 0; pose < run->pose_count; pose++)
        write_known(&json, run->pairs[pose], run->pairs[pose] > 0);
    json_close(&json);
    if (run->counts)
    {
        json_key(&json, "pairs");
        json_open(&json, JSON_ARRAY);
        for (size_t pose = 0; pose < run->pose_count; pose++)
            write_known(&json, run->pairs[pose], run->pairs[pose]);
        json_close(&json);
    }
    write_measures(&json, run);
    if (run->execution.budget.seconds > 0)
    {
        json_key(&json, "unknown");
        json_count(&json, run->unknown);
    }
    if (run->request->values[OPTION_STATS] != NULL)
        write_stats(&json, &run->stats);
    time_summary times = summarize(run);
    write_times(&json, &times);
    json_key(&json, "passes");
    json_count(&json, run->passes);
    json_close(&json);
}

void path_say_times(path_run *run)
{
    time_summary times = summarize(run);
    print_note(run->request->console, "%s, %s; time per query: min %s, mean %s, median %s, p99 %s (best of %s pass%s)",
               counted(run->pose_count, "pose").text, counted(run->hits, "hit").text, human_time(times.min).text,
               human_time(times.mean).text, human_time(times.median).text, human_time(times.p99).text,
               grouped(run->passes).text, run->passes == 1 ? "" : "es");
}

void path_say_stats(const path_run *run)
{
    print_note(run->request->console, "cost of all poses: %s, %s, %s, %s",
               counted(run->stats.box_tests, "box test").text, counted(run->stats.leaf_pairs, "leaf pair").text,
               counted(run->stats.triangle_tests, "triangle test").text,
               counted(run->stats.exact_signs, "exact sign").text);
}
