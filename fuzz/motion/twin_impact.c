/* SPDX-License-Identifier: MIT */
/* See twin_impact.h. */
#include "twin_impact.h"

#include <math.h>
#include <string.h>

#include "graze/distance.h"

static graze_moving_triangle triangle_of(const moving_side *side, const graze_motion *motion, uint32_t triangle)
{
    graze_moving_triangle moving = {.motion = motion};
    for (int i = 0; i < 3; i++)
    {
        uint32_t vertex = side->shape.triangles[triangle][i];
        moving.corners[i] = side->shape.vertices[vertex];
        moving.end_corners[i] = side->end_mesh != NULL ? side->end_shape.vertices[vertex] : NULL;
    }
    return moving;
}

int compare_times(const graze_impact_interval *x, const graze_impact_interval *y)
{
    if (x->lower != y->lower)
        return x->lower < y->lower ? -1 : 1;
    return (x->upper > y->upper) - (x->upper < y->upper);
}

void twin_impact_find(const motion_case *c, bool crossing, twin_impact *out)
{
    memset(out, 0, sizeof *out);
    out->rows = c->sides[0].shape.triangle_count;
    out->columns = c->sides[1].shape.triangle_count;
    for (uint32_t i = 0; i < out->rows; i++)
        for (uint32_t j = 0; j < out->columns; j++)
        {
            const graze_moving_triangle a = triangle_of(&c->sides[0], &c->a.motion, i);
            const graze_moving_triangle b = triangle_of(&c->sides[1], &c->b.motion, j);
            graze_moving_contact *contact = &out->contacts[i][j];
            EXPECT_OK(graze_triangle_impact(&a, &b, crossing, contact));
            if (contact->when.verdict == GRAZE_IMPACT_AT &&
                (out->first.verdict == GRAZE_IMPACT_NONE || compare_times(&contact->when, &out->first) < 0))
                out->first = contact->when;
        }
}

/* How far points of a body may be from where its pose has them. */
static double slack_of(const small_mesh *shape, double error)
{
    double reach = 0;
    for (uint32_t i = 0; i < shape->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            reach = fmax(reach, fabs(shape->vertices[i][k]));
    return 2 * error * (3 * reach + 1);
}

/* A soft mesh at a time: its corners run on lines. Returns how far they may be off by rounding. */
static double place_soft(const moving_side *side, const graze_motion *motion, double t, small_mesh *out)
{
    const graze_pose *end = motion->kind == GRAZE_MOTION_BLEND ? &motion->end : &motion->start;
    double most = 0;
    *out = side->shape;
    for (uint32_t i = 0; i < side->shape.vertex_count; i++)
        for (int k = 0; k < 3; k++)
        {
            const double *from = motion->start.m + 4 * k, *to = end->m + 4 * k;
            double x = from[3], y = to[3], sum = fabs(x) + fabs(y);
            for (int j = 0; j < 3; j++)
            {
                x += from[j] * side->shape.vertices[i][j];
                y += to[j] * side->end_shape.vertices[i][j];
                sum += fabs(from[j] * side->shape.vertices[i][j]) + fabs(to[j] * side->end_shape.vertices[i][j]);
            }
            out->vertices[i][k] = (1 - t) * x + t * y;
            most = fmax(most, sum);
        }
    return most * 0x1p-46;
}

distance_at twin_distance_at(const motion_case *c, double t)
{
    const graze_moving_mesh *moving[2] = {&c->a, &c->b};
    graze_placed_mesh placed[2];
    graze_mesh *soft[2] = {NULL, NULL};
    double slack = 0, error;
    graze_distance d;
    for (int s = 0; s < 2; s++)
    {
        placed[s] = (graze_placed_mesh){.mesh = moving[s]->mesh, .pose = graze_pose_identity()};
        if (c->sides[s].end_mesh == NULL)
        {
            EXPECT_OK(graze_motion_pose(&moving[s]->motion, t, &placed[s].pose, &error));
            slack += slack_of(&c->sides[s].shape, error);
            continue;
        }
        small_mesh shape;
        slack += place_soft(&c->sides[s], &moving[s]->motion, t, &shape);
        placed[s].mesh = soft[s] = shape_create(&shape);
    }
    EXPECT_OK(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &d));
    for (int s = 0; s < 2; s++)
        graze_mesh_destroy(soft[s]);
    return (distance_at){d.found ? fmax(0, d.lower - slack) : INFINITY, d.found ? d.upper + slack : INFINITY};
}
