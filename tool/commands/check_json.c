/* SPDX-License-Identifier: MIT */
/* graze check as one JSON document. */
#include "commands/check.h"

static const char *containment_name(graze_containment containment)
{
    switch (containment)
    {
    case GRAZE_CONTAINMENT_NONE:
        return "none";
    case GRAZE_CONTAINMENT_A_IN_B:
        return "a_in_b";
    case GRAZE_CONTAINMENT_B_IN_A:
        return "b_in_a";
    case GRAZE_CONTAINMENT_UNKNOWN:
        break;
    }
    return "unknown";
}

static void write_witness(json_writer *json, const check_run *run)
{
    json_key(json, "witness");
    if (run->counts.pairs == 0)
    {
        json_null(json);
        return;
    }
    const graze_hit *hit = &run->witness;
    json_open(json, JSON_OBJECT);
    json_key(json, "a");
    json_count(json, hit->triangle_a);
    json_key(json, "b");
    json_count(json, hit->triangle_b);
    json_key(json, "point");
    json_reals(json, run->point, 3);
    json_key(json, "face_a");
    json_count(json, hit->face_a);
    json_key(json, "face_b");
    json_count(json, hit->face_b);
    json_key(json, "part_a");
    json_text(json, part_of(run, 0, hit->face_a));
    json_key(json, "part_b");
    json_text(json, part_of(run, 1, hit->face_b));
    json_key(json, "contact");
    json_text(json, contact_name(hit->contact.crossing, hit->contact.coplanar));
    json_key(json, "feature_a");
    json_text(json, feature_name(hit->contact.feature_a));
    json_key(json, "feature_b");
    json_text(json, feature_name(hit->contact.feature_b));
    json_key(json, "dimension");
    json_count(json, hit->contact.dimension);
    json_close(json);
}

static void write_mesh(json_writer *json, const check_run *run, int side)
{
    const graze_mesh *mesh = run->placed[side].mesh;
    json_key(json, side == 0 ? "a" : "b");
    json_open(json, JSON_OBJECT);
    json_key(json, "file");
    json_text(json, run->request->arguments[side]);
    json_key(json, "triangles");
    json_count(json, graze_mesh_triangle_count(mesh));
    json_key(json, "faces");
    json_count(json, graze_mesh_face_count(mesh));
    json_close(json);
}

static const char *verdict_name(graze_verdict verdict)
{
    static const char *const names[] = {"unknown", "no", "yes"};
    return names[verdict];
}

/* Volume pairs that were not tested when the time was up. */
static void write_undecided(json_writer *json, const check_run *run)
{
    json_key(json, "undecided");
    json_open(json, JSON_OBJECT);
    json_key(json, "pairs");
    json_count(json, run->state.undecided);
    json_key(json, "share_done");
    json_real(json, run->state.share);
    json_key(json, "distance_lower_bound");
    json_real(json, run->state.distance_lower_bound);
    json_key(json, "estimated_points");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < run->undecided_count; i++)
        json_reals(json, run->undecided[i].point, 3);
    json_close(json);
    json_close(json);
}

static void write_distance(json_writer *json, const check_run *run)
{
    const graze_distance *distance = &run->distance;
    json_key(json, "distance");
    if (!distance->found)
    {
        json_null(json);
        return;
    }
    json_open(json, JSON_OBJECT);
    json_key(json, "distance");
    json_real(json, distance->distance);
    json_key(json, "lower");
    json_real(json, distance->lower);
    json_key(json, "upper");
    json_real(json, distance->upper);
    json_key(json, "points");
    json_open(json, JSON_ARRAY);
    json_reals(json, distance->point_a, 3);
    json_reals(json, distance->point_b, 3);
    json_close(json);
    json_key(json, "triangles");
    json_open(json, JSON_ARRAY);
    json_count(json, distance->triangle_a);
    json_count(json, distance->triangle_b);
    json_close(json);
    json_close(json);
}

static void write_measures(json_writer *json, const check_run *run)
{
    if (run->request->values[OPTION_DISTANCE] != NULL)
        write_distance(json, run);
    if (run->tolerance < 0)
        return;
    json_key(json, "within");
    json_bool(json, run->within > 0);
    json_key(json, "within_pairs");
    json_count(json, run->within);
}

void check_write_json(const check_run *run)
{
    json_writer json = json_start(stdout);
    json_open(&json, JSON_OBJECT_LINES);
    json_key(&json, "collide");
    if (check_verdict(run) == GRAZE_VERDICT_UNKNOWN)
        json_null(&json);
    else
        json_bool(&json, run->collide);
    json_key(&json, "verdict");
    json_text(&json, verdict_name(check_verdict(run)));
    json_key(&json, "pairs");
    json_count(&json, run->counts.pairs);
    json_key(&json, "touching");
    json_count(&json, run->counts.touching);
    json_key(&json, "crossing");
    json_count(&json, run->counts.crossing);
    json_key(&json, "coplanar");
    json_count(&json, run->counts.coplanar);
    json_key(&json, "contains");
    json_text(&json, containment_name(run->solid.containment));
    write_witness(&json, run);
    if (!run->finished)
        write_undecided(&json, run);
    write_mesh(&json, run, 0);
    write_mesh(&json, run, 1);
    write_measures(&json, run);
    if (run->request->values[OPTION_STATS] != NULL)
        write_stats(&json, &run->stats);
    if (run->request->values[OPTION_PAIRS] != NULL)
    {
        json_key(&json, "pair_list");
        json_open(&json, JSON_ARRAY);
        for (size_t i = 0; i < run->list_count; i++)
        {
            json_open(&json, JSON_ARRAY);
            json_count(&json, run->list[i].a);
            json_count(&json, run->list[i].b);
            json_close(&json);
        }
        json_close(&json);
    }
    json_close(&json);
}
