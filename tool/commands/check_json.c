/* SPDX-License-Identifier: MIT */
/* graze check as one JSON document. */
#include "commands/check.h"
#include "shell/output.h"

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

static void write_witness(grz_json_writer *json, const check_run *run)
{
    grz_json_put_key(json, "witness");
    if (run->counts.pairs == 0)
    {
        grz_json_put_null(json);
        return;
    }
    const graze_hit *hit = &run->witness;
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "a");
    grz_json_put_count(json, hit->triangle_a);
    grz_json_put_key(json, "b");
    grz_json_put_count(json, hit->triangle_b);
    grz_json_put_key(json, "point");
    grz_json_put_reals(json, run->point, 3);
    grz_json_put_key(json, "face_a");
    grz_json_put_count(json, hit->face_a);
    grz_json_put_key(json, "face_b");
    grz_json_put_count(json, hit->face_b);
    grz_json_put_key(json, "part_a");
    grz_json_put_text(json, part_of(run, 0, hit->face_a));
    grz_json_put_key(json, "part_b");
    grz_json_put_text(json, part_of(run, 1, hit->face_b));
    grz_json_put_key(json, "contact");
    grz_json_put_text(json, contact_name(hit->contact.crossing, hit->contact.coplanar));
    grz_json_put_key(json, "feature_a");
    grz_json_put_text(json, feature_name(hit->contact.feature_a));
    grz_json_put_key(json, "feature_b");
    grz_json_put_text(json, feature_name(hit->contact.feature_b));
    grz_json_put_key(json, "dimension");
    grz_json_put_count(json, hit->contact.dimension);
    grz_json_close(json);
}

static void write_mesh(grz_json_writer *json, const check_run *run, int side)
{
    const graze_mesh *mesh = run->placed[side].mesh;
    grz_json_put_key(json, side == 0 ? "a" : "b");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "file");
    grz_json_put_text(json, run->request->arguments[side]);
    grz_json_put_key(json, "triangles");
    grz_json_put_count(json, graze_mesh_triangle_count(mesh));
    grz_json_put_key(json, "faces");
    grz_json_put_count(json, graze_mesh_face_count(mesh));
    grz_json_close(json);
}

const char *verdict_name(graze_verdict verdict)
{
    static const char *const names[] = {"unknown", "no", "yes"};
    return names[verdict];
}

/* Volume pairs that were not tested when the time was up. */
static void write_undecided(grz_json_writer *json, const check_run *run)
{
    grz_json_put_key(json, "undecided");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "pairs");
    grz_json_put_count(json, run->state.undecided);
    grz_json_put_key(json, "share_done");
    grz_json_put_real(json, run->state.share);
    grz_json_put_key(json, "distance_lower_bound");
    grz_json_put_real(json, run->state.distance_lower_bound);
    grz_json_put_key(json, "estimated_points");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < run->undecided_count; i++)
        grz_json_put_reals(json, run->undecided[i].point, 3);
    grz_json_close(json);
    grz_json_close(json);
}

static void write_distance(grz_json_writer *json, const check_run *run)
{
    const graze_distance *distance = &run->distance;
    grz_json_put_key(json, "distance");
    if (!distance->found)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "distance");
    grz_json_put_real(json, distance->distance);
    grz_json_put_key(json, "lower");
    grz_json_put_real(json, distance->lower);
    grz_json_put_key(json, "upper");
    grz_json_put_real(json, distance->upper);
    grz_json_put_key(json, "points");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_reals(json, distance->point_a, 3);
    grz_json_put_reals(json, distance->point_b, 3);
    grz_json_close(json);
    grz_json_put_key(json, "triangles");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_count(json, distance->triangle_a);
    grz_json_put_count(json, distance->triangle_b);
    grz_json_close(json);
    grz_json_close(json);
}

static void write_measures(grz_json_writer *json, const check_run *run)
{
    if (run->request->values[OPTION_DISTANCE] != NULL)
        write_distance(json, run);
    if (run->tolerance >= 0)
    {
        grz_json_put_key(json, "within");
        grz_json_put_bool(json, run->within > 0);
        grz_json_put_key(json, "within_pairs");
        grz_json_put_count(json, run->within);
    }
    check_write_depth(json, run);
    check_write_contacts(json, run);
}

/* Methods for bodies find no pairs. */
static void write_counts(grz_json_writer *json, const check_run *run)
{
    const struct
    {
        const char *key;
        uint64_t count;
    } counts[] = {{"pairs", run->counts.pairs},
                  {"touching", run->counts.touching},
                  {"crossing", run->counts.crossing},
                  {"coplanar", run->counts.coplanar}};
    for (size_t i = 0; i < COUNT_OF(counts); i++)
    {
        grz_json_put_key(json, counts[i].key);
        if (run->method != NULL && run->method->subject == GRAZE_METHOD_BODIES)
            grz_json_put_null(json);
        else
            grz_json_put_count(json, counts[i].count);
    }
}

void check_write_json(const check_run *run)
{
    grz_sink out = file_sink(stdout);
    grz_json_writer json = grz_json_start(&out);
    grz_json_open(&json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_key(&json, "collide");
    if (check_verdict(run) == GRAZE_VERDICT_UNKNOWN)
        grz_json_put_null(&json);
    else
        grz_json_put_bool(&json, run->collide);
    grz_json_put_key(&json, "verdict");
    grz_json_put_text(&json, verdict_name(check_verdict(run)));
    if (run->method != NULL)
        check_write_method(&json, run);
    write_counts(&json, run);
    grz_json_put_key(&json, "contains");
    if (run->method != NULL)
        grz_json_put_null(&json);
    else
        grz_json_put_text(&json, containment_name(run->solid.containment));
    write_witness(&json, run);
    if (!run->finished && run->method == NULL)
        write_undecided(&json, run);
    write_mesh(&json, run, 0);
    write_mesh(&json, run, 1);
    write_measures(&json, run);
    if (run->request->values[OPTION_STATS] != NULL && run->method != NULL)
        check_write_counters(&json, run);
    else if (run->request->values[OPTION_STATS] != NULL)
        write_stats(&json, &run->stats);
    if (run->request->values[OPTION_PAIRS] != NULL)
    {
        grz_json_put_key(&json, "pair_list");
        grz_json_open(&json, GRZ_JSON_SHORT_ARRAY);
        for (size_t i = 0; i < run->list_count; i++)
        {
            grz_json_open(&json, GRZ_JSON_SHORT_ARRAY);
            grz_json_put_count(&json, run->list[i].a);
            grz_json_put_count(&json, run->list[i].b);
            grz_json_close(&json);
        }
        grz_json_close(&json);
    }
    grz_json_close(&json);
}
