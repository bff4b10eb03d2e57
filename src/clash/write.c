/* SPDX-License-Identifier: MIT */
/* Shared by all report writers; see write.h. */
#include "clash/write.h"

#include <string.h>

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
    grz_json_put_member_count(json, "resolution_changed", counts->resolution_changed);
}

const char *grz_clash_verdict_grade(const graze_clash_finding *finding)
{
    return finding->estimated ? "estimated" : finding->undecided ? "bounded" : "exact";
}

const char *grz_clash_grade_of(const double interval[2])
{
    return interval[0] == interval[1] ? "exact" : "bounded";
}

const char *grz_clash_exact_name(const graze_clash_finding *finding)
{
    return finding->exact == GRAZE_CLASH_CLEAR ? "apart" : graze_clash_verdict_name(finding->exact);
}

void grz_clash_json_reals(grz_json_writer *json, const char *key, bool is_there, const double *numbers, size_t count)
{
    grz_json_put_key(json, key);
    if (is_there)
        grz_json_put_reals(json, numbers, count);
    else
        grz_json_put_null(json);
}

void grz_clash_json_points(grz_json_writer *json, const char *key, const double first[3], const double second[3])
{
    grz_json_put_key(json, key);
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_reals(json, first, 3);
    grz_json_put_reals(json, second, 3);
    grz_json_close(json);
}

static void put_member_bool(grz_json_writer *json, const char *key, bool value)
{
    grz_json_put_key(json, key);
    grz_json_put_bool(json, value);
}

static void put_volume(grz_json_writer *json, const graze_clash_details *details)
{
    grz_json_put_key(json, "volume");
    if (details == NULL || !details->has_volume)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "value");
    grz_json_put_real(json, details->volume);
    grz_json_put_key(json, "error");
    grz_json_put_real(json, details->volume_error);
    grz_json_close(json);
}

void grz_clash_json_pairs(grz_json_writer *json, const graze_clash_finding *finding)
{
    grz_json_put_key(json, "pairs");
    if (finding->no_pairs)
        grz_json_put_null(json);
    else
        grz_json_put_count(json, finding->pairs);
}

void grz_clash_json_measures(grz_json_writer *json, const graze_clash_finding *finding)
{
    const graze_clash_details *details = finding->details;
    bool has_depth = finding->has_depth;
    grz_json_put_member_text(json, "exact", grz_clash_exact_name(finding));
    put_member_bool(json, "within_resolution", finding->within_resolution);
    put_member_bool(json, "within_tessellation", finding->within_tessellation);
    grz_clash_json_reals(json, "depth", has_depth, finding->depth, 2);
    grz_clash_json_reals(json, "way_out", has_depth, finding->way_out, 2);
    grz_clash_json_reals(json, "gap", finding->has_gap, finding->gap, 2);
    if (details != NULL && has_depth)
        grz_clash_json_reals(json, "translation", true, details->translation, 3);
    put_volume(json, details);
    if (details != NULL && has_depth)
        grz_clash_json_points(json, "depth_line", details->depth_line[0], details->depth_line[1]);
    if (details != NULL && finding->has_gap)
        grz_clash_json_points(json, "gap_points", details->gap_points[0], details->gap_points[1]);
    if (!finding->has_time)
        return;
    grz_clash_json_reals(json, "time", true, finding->time, 2);
    grz_clash_json_reals(json, "crossing_time", finding->has_crossing_time, finding->crossing_time, 2);
    grz_json_put_key(json, "measured_at");
    grz_json_put_real(json, finding->measured_at);
}

void grz_clash_json_remarks(grz_json_writer *json, const graze_clash_finding *finding)
{
    const graze_clash_details *details = finding->details;
    if (finding->why != NULL)
        grz_json_put_member_text(json, "why", finding->why);
    if (details != NULL && (details->sagittas[0] > 0 || details->sagittas[1] > 0))
        grz_clash_json_reals(json, "sagittas", true, details->sagittas, 2);
    if (details == NULL || details->open_edge_count == 0)
        return;
    grz_json_put_key(json, "open_edges");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < details->open_edge_count; i++)
    {
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        grz_json_put_reals(json, details->open_edges[i][0], 3);
        grz_json_put_reals(json, details->open_edges[i][1], 3);
        grz_json_close(json);
    }
    grz_json_close(json);
}

void grz_clash_json_review(grz_json_writer *json, const graze_clash_review *review, const char *state)
{
    grz_json_put_key(json, "review");
    if (review == NULL)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "state", state);
    grz_json_put_member_text(json, "assignee", review->assignee != NULL ? review->assignee : "");
    grz_json_put_member_text(json, "comment", review->comment != NULL ? review->comment : "");
    grz_json_close(json);
}

size_t grz_clash_locations(const graze_clash_finding *finding, graze_clash_location *own,
                           const graze_clash_location **out_locations)
{
    if (finding->details != NULL && finding->details->locations != NULL)
    {
        *out_locations = finding->details->locations;
        return finding->details->location_count;
    }
    *own = (graze_clash_location){.box = finding->box,
                                  .has_depth = finding->has_depth,
                                  .depth = {finding->depth[0], finding->depth[1]},
                                  .area = finding->area,
                                  .curves = finding->curves};
    memcpy(own->point, finding->point, sizeof own->point);
    *out_locations = own;
    bool has_box = finding->box.lower[0] <= finding->box.upper[0];
    return has_box && !finding->has_gap ? 1 : 0;
}

void grz_clash_json_location(grz_json_writer *json, const graze_clash_location *location)
{
    double box[6];
    memcpy(box, location->box.lower, sizeof location->box.lower);
    memcpy(box + 3, location->box.upper, sizeof location->box.upper);
    grz_clash_json_reals(json, "point", true, location->point, 3);
    grz_clash_json_reals(json, "box", true, box, 6);
    grz_clash_json_reals(json, "depth", location->has_depth, location->depth, 2);
    grz_json_put_key(json, "area");
    grz_json_put_real(json, location->area);
}
