/* SPDX-License-Identifier: MIT */
/* Contacts for solvers as JSON; see contact_output.h. */
#include "shell/contact_output.h"

static void write_point(grz_json_writer *json, const graze_contact_point *point)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "a");
    grz_json_put_reals(json, point->point_a, 3);
    grz_json_put_key(json, "b");
    grz_json_put_reals(json, point->point_b, 3);
    grz_json_put_key(json, "gap");
    grz_json_put_real(json, point->gap);
    grz_json_put_key(json, "feature");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    grz_json_put_count(json, point->feature >> 32);
    grz_json_put_count(json, point->feature & UINT32_MAX);
    grz_json_close(json);
    grz_json_close(json);
}

void json_put_manifolds(grz_json_writer *json, grz_json_layout layout, const graze_shape_manifold *manifolds,
                        size_t count)
{
    grz_json_open(json, layout);
    for (size_t i = 0; i < count; i++)
    {
        const graze_shape_manifold *m = &manifolds[i];
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_key(json, "normal");
        grz_json_put_reals(json, m->contacts.normal, 3);
        grz_json_put_member_count(json, "leaf_a", m->part_a);
        grz_json_put_member_count(json, "leaf_b", m->part_b);
        grz_json_put_key(json, "points");
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        for (uint32_t k = 0; k < m->contacts.count; k++)
            write_point(json, &m->contacts.points[k]);
        grz_json_close(json);
        grz_json_close(json);
    }
    grz_json_close(json);
}
