/* SPDX-License-Identifier: MIT */
/* Shared by all report writers; see write.h. */
#include "clash/write.h"

graze_status grz_clash_write(const graze_clash_report *report, graze_clash_write_function write, void *user,
                             grz_clash_writer writer)
{
    char buffer[GRZ_SINK_BUFFER];
    if (report == NULL || write == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_sink sink = grz_sink_buffered(write, user, buffer);
    bool done = writer(report, &sink);
    bool written = grz_sink_flush(&sink);
    if (!written)
        return GRAZE_STATUS_CANCELLED;
    return done ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}

void grz_clash_json_counts(grz_json_writer *json, const graze_clash_counts *counts)
{
    grz_json_put_member_count(json, "parts", counts->parts);
    grz_json_put_member_count(json, "parts_free", counts->parts_free);
    grz_json_put_member_count(json, "triangles", counts->triangles);
    grz_json_put_member_count(json, "pairs_possible", counts->pairs_possible);
    grz_json_put_member_count(json, "pairs_culled", counts->pairs_culled);
    grz_json_put_member_count(json, "pairs_tested", counts->pairs_tested);
    grz_json_put_member_count(json, "pairs_ignored", counts->pairs_ignored);
    grz_json_put_member_count(json, "pairs_undecided", counts->pairs_undecided);
}

const char *grz_clash_grade_of(const double interval[2])
{
    return interval[0] == interval[1] ? "exact" : "bounded";
}
