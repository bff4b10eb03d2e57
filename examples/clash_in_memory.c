/* SPDX-License-Identifier: MIT */
/* Clash detection of a small assembly in memory: parts, rules as text, findings, and a document without a file. */
#include <graze/clash.h>
#include <stdio.h>
#include <string.h>

#include "example.h"

static bool count_bytes(void *user, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true; // false would stop the writer
}

int main(void)
{
    graze_mesh *plate = NULL, *bolt = NULL;
    check(graze_mesh_create_box(NULL, 10, 10, 1, 1, &plate));
    check(graze_mesh_create_box(NULL, 1, 1, 4, 1, &bolt));
    graze_clash_part parts[4];
    memset(parts, 0, sizeof parts);
    const char *names[4] = {"plate", "bolt/1", "bolt/2", "bolt/3"};
    const double places[4][3] = {{0, 0, 0}, {3, 0, 0}, {3.5, 0, 2.75}, {-3, 0, 2.5}};
    for (int i = 0; i < 4; i++)
    {
        parts[i].name = names[i];
        parts[i].mesh = i == 0 ? plate : bolt;
        parts[i].pose = graze_pose_translation(places[i][0], places[i][1], places[i][2]);
    }

    // Bolt 1 goes through the plate on purpose; less than half a unit of air is too close.
    const char *text = "{\"graze\": \"rules\", \"version\": 1, \"limits\": [{\"clearance\": 0.5}],"
                       " \"approve\": [{\"a\": \"plate\", \"b\": \"bolt/1\", \"reason\": \"it is screwed in\"}]}";
    graze_clash_source source = {"rules", text, strlen(text)};
    graze_clash_rules *rules = NULL;
    check(graze_clash_rules_create(NULL, &source, 1, NULL, &rules));

    graze_clash_options options = graze_clash_options_default();
    options.rules = rules;
    graze_clash_report *report = NULL;
    check(graze_clash_find(NULL, parts, 4, &options, NULL, &report));
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const graze_clash_finding *finding = &report->findings[i];
        printf("%-8s %s %s %s, %s (%s)\n", graze_clash_severity_name(finding->severity), report->parts[finding->a].name,
               graze_clash_verdict_name(finding->verdict), report->parts[finding->b].name,
               graze_clash_finding_measure(finding).text, graze_clash_state_name(finding->state));
    }
    size_t size = 0;
    check(graze_clash_write_json(report, count_bytes, &size));
    printf("%llu of %llu pairs tested, %s; a JSON report of %s bytes\n",
           (unsigned long long)report->counts.pairs_tested, (unsigned long long)report->counts.pairs_possible,
           graze_clash_report_outcome(report) == GRAZE_CLASH_OUTCOME_FAILED ? "failed" : "passed",
           size > 1000 ? "some thousand" : "few");

    graze_clash_report_destroy(report);
    graze_clash_rules_destroy(rules);
    graze_mesh_destroy(bolt);
    graze_mesh_destroy(plate);
    return 0;
}
