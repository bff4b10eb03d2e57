/* SPDX-License-Identifier: MIT */
/*
 * A body given by an implicit field against sample points of another (Gascuel 1993; Zachmann 1994, 2.8): at each of
 * some times the vertices of a mesh are placed in the field's frame, the point that was deepest at the last time first.
 * A point inside proves a collision at its time; that none is inside proves nothing. All coordinates are intervals, of
 * the poses' errors too; the field is asked about the ball around one.
 */
#include "base/budget_monitor.h"
#include "base/environment.h"
#include "graze/motion_method.h"
#include "mesh/mesh.h"
#include "motion/method/interval_jet.h"
#include "motion/motion_pose.h"

/* y = matrix p + offset: from the mesh's frame to the field's. */
typedef struct relative_frame
{
    interval matrix[3][3], offset[3];
} relative_frame;

static interval entry(const graze_pose *pose, const grz_pose_error *errors, int row, int column)
{
    double x = pose->m[4 * row + column];
    double error = column < 3 ? errors->linear : errors->translation;
    return interval_outward(x - error, x + error);
}

static interval minor_of(const interval m[3][3], int row, int column)
{
    int i = (row + 1) % 3, j = (row + 2) % 3, k = (column + 1) % 3, l = (column + 2) % 3;
    return interval_sub(interval_mul(m[i][k], m[j][l]), interval_mul(m[i][l], m[j][k]));
}

/* False where the pose of the field may be singular. */
static bool find_frame(const graze_pose *field, const grz_pose_error *field_error, const graze_pose *mesh,
                       const grz_pose_error *mesh_error, relative_frame *out)
{
    interval m[3][3], inverse[3][3], determinant = {0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = entry(field, field_error, i, k);
    for (int k = 0; k < 3; k++)
        determinant = interval_add(determinant, interval_mul(m[0][k], minor_of((const interval(*)[3])m, 0, k)));
    bool mirrored = determinant.upper < 0;
    interval size = mirrored ? (interval){-determinant.upper, -determinant.lower} : determinant;
    if (!(size.lower > 0))
        return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            inverse[k][i] = grz_interval_divide(minor_of((const interval(*)[3])m, i, k), size);
            if (mirrored)
                inverse[k][i] = (interval){-inverse[k][i].upper, -inverse[k][i].lower};
        }
    for (int i = 0; i < 3; i++)
    {
        out->offset[i] = (interval){0, 0};
        for (int j = 0; j < 3; j++)
        {
            interval between = interval_sub(entry(mesh, mesh_error, j, 3), entry(field, field_error, j, 3));
            out->offset[i] = interval_add(out->offset[i], interval_mul(inverse[i][j], between));
        }
        for (int k = 0; k < 3; k++)
        {
            out->matrix[i][k] = (interval){0, 0};
            for (int j = 0; j < 3; j++)
                out->matrix[i][k] =
                    interval_add(out->matrix[i][k], interval_mul(inverse[i][j], entry(mesh, mesh_error, j, k)));
        }
    }
    return true;
}

/* A bound of the field at a vertex. */
static double value_at(const graze_implicit_body *body, const graze_mesh *mesh, uint32_t vertex,
                       const relative_frame *frame)
{
    const double *p = grz_mesh_vertex(mesh, vertex);
    double middle[3], radius = 0;
    for (int i = 0; i < 3; i++)
    {
        interval y = frame->offset[i];
        for (int k = 0; k < 3; k++)
            y = interval_add(y, interval_mul(frame->matrix[i][k], interval_point(p[k])));
        middle[i] = y.lower / 2 + y.upper / 2;
        radius += fmax(y.upper - middle[i], middle[i] - y.lower) * (1 + 4 * GRZ_U);
    }
    radius = radius * (1 + 8 * GRZ_U) + 0x1p-1000;
    return isfinite(radius) ? body->field(body->user, middle, radius) : INFINITY;
}

typedef struct field_search
{
    const graze_implicit_body *body;
    const graze_moving_mesh *mesh;
    grz_monitor monitor;
    uint32_t deepest;
    graze_motion_method_counters counters;
} field_search;

/* Whether a vertex is certainly inside at a time; sets the deepest one. */
static graze_status is_inside(field_search *s, double t, bool *out_inside)
{
    graze_pose poses[2];
    grz_pose_error errors[2];
    double least = INFINITY;
    relative_frame frame;
    size_t count = graze_mesh_vertex_count(s->mesh->mesh);
    graze_status status = grz_motion_pose(&s->body->motion, t, &poses[0], &errors[0]);
    if (status == GRAZE_STATUS_OK)
        status = grz_motion_pose(&s->mesh->motion, t, &poses[1], &errors[1]);
    *out_inside = false;
    s->counters.frames++;
    if (status != GRAZE_STATUS_OK || !find_frame(&poses[0], &errors[0], &poses[1], &errors[1], &frame))
        return status;
    uint32_t first = s->deepest;
    for (size_t n = 0; n < count; n++)
    {
        uint32_t vertex = n == 0 ? first : (uint32_t)(n - (n <= first));
        if (!grz_monitor_exact_tests(&s->monitor, 1))
            return grz_monitor_status(&s->monitor);
        s->counters.features++;
        double value = value_at(s->body, s->mesh->mesh, vertex, &frame);
        if (value < least)
        {
            least = value;
            s->deepest = vertex;
        }
        if (n == 0 && value < 0)
            break;
    }
    *out_inside = least < 0;
    return GRAZE_STATUS_OK;
}

static graze_status check_field_query(const graze_implicit_body *a, const graze_moving_mesh *b)
{
    graze_status status = graze_motion_check(&a->motion);
    if (status == GRAZE_STATUS_OK)
        status = graze_motion_check(&b->motion);
    return status == GRAZE_STATUS_OK && b->end_mesh != NULL ? GRAZE_STATUS_UNSUPPORTED : status;
}

graze_status graze_implicit_body_impact(const graze_implicit_body *a, const graze_moving_mesh *b, uint32_t frames,
                                        const graze_budget *budget, uint32_t *deepest,
                                        graze_motion_method_answer *out_answer)
{
    if (a == NULL || a->field == NULL || b == NULL || b->mesh == NULL || frames == 0 || out_answer == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = check_field_query(a, b);
    if (status != GRAZE_STATUS_OK)
        return status;
    const graze_budget unlimited = {0};
    field_search s = {.body = a, .mesh = b, .monitor = grz_monitor_make(budget != NULL ? budget : &unlimited)};
    size_t count = graze_mesh_vertex_count(b->mesh);
    s.deepest = deepest != NULL && *deepest < count ? *deepest : 0;
    graze_motion_method_answer answer = {.verdict = GRAZE_IMPACT_UNKNOWN, .guess = GRAZE_IMPACT_NONE, .upper = 1};
    for (uint64_t i = 0; i <= frames && count > 0 && answer.verdict == GRAZE_IMPACT_UNKNOWN; i++)
    {
        bool inside = false;
        grz_environment environment;
        grz_environment_enter_default(&environment);
        double t = (double)i / frames;
        status = is_inside(&s, t, &inside);
        grz_environment_leave_default(&environment);
        if (status != GRAZE_STATUS_OK)
            break;
        if (inside)
        {
            answer.verdict = answer.guess = GRAZE_IMPACT_AT;
            answer.upper = t;
        }
    }
    if (status == GRAZE_STATUS_UNFINISHED)
        answer.guess = GRAZE_IMPACT_UNKNOWN;
    else if (status != GRAZE_STATUS_OK)
        return status;
    answer.counters = s.counters;
    if (deepest != NULL)
        *deepest = s.deepest;
    *out_answer = answer;
    return GRAZE_STATUS_OK;
}
