/* SPDX-License-Identifier: MIT */
/*
 * Branch and bound over boxes around the hull H of the part of a body B in a cell. No point of a box is farther from B
 * than its centre by more than the radius of the box. Boxes beyond a face of H are left out, and boxes in which there
 * is no excess:
 *
 * Let H be, up to a slack e, on one side of the plane of every triangle that meets the box. Then no such plane meets
 * the points of H that are deeper than e in it: in these and the box, a convex set, there is no surface (but for
 * triangles without area, which divide nothing). So all of that lies in B or none of it, and one point tells. Let c be
 * a point at depth r in H. A point x of H is near one that deep: x + (c - x) e / r. So the excess is at most that of
 * the points deeper than e, and e / r diameters. Without the slack a surface whose flat faces are cut into triangles
 * and rounded would be concave along half of their edges, and nothing could be said.
 *
 * The true H has vertices that are no doubles. Signs of original vertices are exact; where an edge has its ends on one
 * side, so has what lies between; the rest is decided by intervals. The rounded hull is off by at most `growth`, which
 * is added in the end, as to the slack.
 */
#include "decomposition/excess.h"

#include "base/memory.h"
#include "convex/cost_heap.h"
#include "convex/quickhull.h"
#include "graze/mesh_query.h"

enum
{
    MOST_STEPS = 4000,
    SLACK_BITS = 44
};

typedef struct search
{
    grz_cut_body *body;
    const grz_hull *hull;
    grz_hull_triangle *planes; /* of its faces */
    uint32_t *crossing;        /* triangles that may lie inside of it */
    size_t crossing_count;
    double centre[3]; /* of its vertices */
    GRZ_ARRAY(graze_box) boxes;
    grz_cost_heap heap; /* of boxes, by minus the upper bound */
    double extent;      /* of the mesh */
    double lower, target;
    double slack; /* see the head of the file */
    bool prunes;  /* whether boxes without excess can be told */
} search;

/* ---- triangles on the hull ---- */

static interval interval_height(const double *a, const double *b, const double *c, const interval at[3])
{
    interval e[3], f[3], sum = {0, 0};
    for (int k = 0; k < 3; k++)
    {
        e[k] = interval_sub(interval_point(b[k]), interval_point(a[k]));
        f[k] = interval_sub(interval_point(c[k]), interval_point(a[k]));
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        interval n = interval_sub(interval_mul(e[i], f[j]), interval_mul(e[j], f[i]));
        sum = interval_add(sum, interval_mul(n, interval_sub(at[k], interval_point(a[k]))));
    }
    return sum;
}

/* The side of the plane of a triangle on which a point of the cell lies; 2: undecided. */
static int side_of_point(const grz_cut_body *body, const grz_hull_triangle *t, const grz_cell_point *p)
{
    const double(*vertices)[3] = (const double(*)[3])body->mesh->vertices;
    if (p->source_count == 0)
    {
        const double corner[3] = {p->at[0].lower, p->at[1].lower, p->at[2].lower};
        return -graze_point_orient3d(vertices[t->corners[0]], vertices[t->corners[1]], vertices[t->corners[2]], corner);
    }
    int least = 1, greatest = -1;
    for (int i = 0; i < p->source_count; i++)
    {
        int side = grz_hull_triangle_side(vertices, t, p->sources[i]);
        least = side < least ? side : least;
        greatest = side > greatest ? side : greatest;
    }
    return least >= 0 ? greatest : greatest <= 0 ? least : 2;
}

/* Whether no point of the cell lies in front of the triangle's plane, or none behind it, by more than the slack. */
static bool is_on_hull(const search *s, const grz_cell_points *points, uint32_t triangle)
{
    const double(*vertices)[3] = (const double(*)[3])s->body->mesh->vertices;
    grz_hull_triangle t = grz_hull_triangle_make(vertices, s->extent, s->body->mesh->triangles + 3 * (size_t)triangle);
    const double *a = vertices[t.corners[0]], *b = vertices[t.corners[1]], *c = vertices[t.corners[2]];
    double most = s->slack * fmax(0, v3_length(t.normal) * (1 - 16 * GRZ_U) - t.error / s->extent);
    bool none_in_front = true, none_behind = true;
    for (size_t i = 0; i < points->count && grz_monitor_work(s->body->monitor, 1); i++)
    {
        int side = side_of_point(s->body, &t, &points->data[i]);
        if (!((side > 0 && none_in_front) || (side < 0 && none_behind) || side == 2))
            continue;
        /* shortcut: cell-points-in-intervals */
        interval height = interval_height(a, b, c, points->data[i].at);
        none_in_front = none_in_front && (side < 0 || height.upper <= most);
        none_behind = none_behind && (side == 1 || height.lower >= -most);
        if (!none_in_front && !none_behind)
            return false;
    }
    return true;
}

/* ---- boxes ---- */

/* Height of a point above a face times the length of its normal; its error is below 2 t->error in the box of the
   hull. */
static double height_above(const grz_hull_triangle *t, const double point[3])
{
    return v3_dot(t->normal, v3_sub(v3_load(point), t->origin));
}

/* Whether the plane of a triangle may meet a box: sum of |n_k| h_k against the height of the centre. */
static bool plane_meets(const search *s, uint32_t triangle, const graze_box *box)
{
    const double(*vertices)[3] = (const double(*)[3])s->body->mesh->vertices;
    grz_hull_triangle t = grz_hull_triangle_make(vertices, s->extent, s->body->mesh->triangles + 3 * (size_t)triangle);
    const double n[3] = {t.normal.x, t.normal.y, t.normal.z};
    double least[3], greatest[3];
    for (int k = 0; k < 3; k++)
    {
        least[k] = n[k] > 0 ? box->lower[k] : box->upper[k];
        greatest[k] = n[k] > 0 ? box->upper[k] : box->lower[k];
    }
    /* shortcut: boxes-beside-planes */
    return height_above(&t, least) <= 2 * t.error && height_above(&t, greatest) >= -2 * t.error;
}

/* Whether the AABB of a triangle meets a box; its interior, where `inside`. */
static bool triangle_meets(const grz_cut_body *body, uint32_t triangle, const graze_box *box, bool inside)
{
    const uint32_t *corners = body->mesh->triangles + 3 * (size_t)triangle;
    for (int axis = 0; axis < 3; axis++)
    {
        double a = grz_mesh_vertex(body->mesh, corners[0])[axis], b = grz_mesh_vertex(body->mesh, corners[1])[axis],
               c = grz_mesh_vertex(body->mesh, corners[2])[axis];
        double least = fmin(fmin(a, b), c), greatest = fmax(fmax(a, b), c);
        if (least > box->upper[axis] || greatest < box->lower[axis])
            return false;
        if (inside && (least == box->upper[axis] || greatest == box->lower[axis]))
            return false;
    }
    return true;
}

static bool is_beyond_a_face(const search *s, const graze_box *box)
{
    for (size_t face = 0; face < s->hull->face_count && s->hull->dimension == 3; face++)
    {
        const grz_hull_triangle *t = &s->planes[face];
        const double nearest[3] = {t->normal.x > 0 ? box->lower[0] : box->upper[0],
                                   t->normal.y > 0 ? box->lower[1] : box->upper[1],
                                   t->normal.z > 0 ? box->lower[2] : box->upper[2]};
        /* shortcut: boxes-beyond-hull-faces */
        if (height_above(t, nearest) > 2 * t->error)
            return true;
    }
    return false;
}

/* Whether a point of the box of the hull is strictly inside of the hull. */
static bool is_inside(const search *s, const double point[3])
{
    const double(*p)[3] = (const double(*)[3])s->hull->vertices;
    for (size_t face = 0; face < s->hull->face_count; face++)
    {
        const grz_hull_triangle *t = &s->planes[face];
        double height = height_above(t, point);
        if (height > 2 * t->error)
            return false;
        if (!(height < -2 * t->error) &&
            graze_point_orient3d(p[t->corners[0]], p[t->corners[1]], p[t->corners[2]], point) <= 0)
            return false;
    }
    return s->hull->dimension == 3;
}

/* A lower bound of the distance of a point of the box of the hull from the faces; negative where there is none. */
static double depth_in_hull(const search *s, const double point[3])
{
    double depth = s->hull->dimension == 3 ? INFINITY : -1;
    for (size_t face = 0; face < s->hull->face_count; face++)
    {
        const grz_hull_triangle *t = &s->planes[face];
        double longest = v3_length(t->normal) * (1 + 16 * GRZ_U) + t->error / s->extent;
        depth = fmin(depth, (-height_above(t, point) - 2 * t->error) / longest * (1 - 16 * GRZ_U));
    }
    return depth;
}

/* The plane of a face, from the largest of the triangles at its first corner. */
static grz_hull_triangle plane_of_face(const grz_hull *hull, size_t face, double extent)
{
    uint32_t first = hull->face_starts[face], end = hull->face_starts[face + 1];
    const double(*vertices)[3] = (const double(*)[3])hull->vertices;
    grz_hull_triangle best = grz_hull_triangle_make(vertices, extent, &hull->origins[first]);
    for (uint32_t h = first + 2; h + 1 < end; h++)
    {
        const uint32_t corners[3] = {hull->origins[first], hull->origins[h], hull->origins[h + 1]};
        grz_hull_triangle t = grz_hull_triangle_make(vertices, extent, corners);
        if (v3_dot(t.normal, t.normal) > v3_dot(best.normal, best.normal))
            best = t;
    }
    return best;
}

/* Whether there is surely no excess in the box; see the head of the file. */
static bool has_none(search *s, const graze_box *box, const double centre[3])
{
    double sample[3];
    if (!s->prunes)
        return false;
    /* shortcut: hull-parts-without-surface */
    for (size_t i = 0; i < s->crossing_count; i++)
        if (triangle_meets(s->body, s->crossing[i], box, false) && plane_meets(s, s->crossing[i], box))
            return false;
    for (int axis = 0; axis < 3; axis++)
        sample[axis] = fmin(fmax(s->centre[axis], box->lower[axis]), box->upper[axis]);
    const double *point = depth_in_hull(s, centre) > s->slack   ? centre
                          : depth_in_hull(s, sample) > s->slack ? sample
                                                                : NULL;
    return point != NULL && grz_locate_point(&s->body->view, point, NULL) == GRAZE_LOCATION_INSIDE;
}

/* Bounds the excess in a box and keeps it where that may be the largest. */
static graze_status add_box(search *s, const graze_box *box)
{
    double centre[3], radius_sq = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        centre[axis] = box->lower[axis] / 2 + box->upper[axis] / 2;
        double half = fmax(box->upper[axis] - centre[axis], centre[axis] - box->lower[axis]);
        radius_sq += half * half;
    }
    double radius = sqrt(radius_sq) * (1 + 16 * GRZ_U);
    if (is_beyond_a_face(s, box) || has_none(s, box, centre))
        return GRAZE_STATUS_OK;
    graze_distance_options options = graze_distance_options_default();
    options.relative_error = 0.01;
    if (s->body->monitor != NULL)
        options.budget = grz_monitor_budget(s->body->monitor);
    graze_distance found;
    graze_status status =
        graze_placed_mesh_nearest_to_point(s->body->context, &s->body->placed, centre, &options, &found);
    if (s->body->monitor != NULL)
        status = grz_monitor_end_step(s->body->monitor, status, 0);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (found.lower > s->lower && is_inside(s, centre) &&
        (!s->body->solid || grz_locate_point(&s->body->view, centre, NULL) == GRAZE_LOCATION_OUTSIDE))
        s->lower = found.lower;
    double upper = (found.upper + radius) * (1 + 4 * GRZ_U);
    if (upper <= s->lower)
        return GRAZE_STATUS_OK;
    grz_cost entry = {-upper, (uint32_t)s->boxes.count, 0};
    return GRZ_PUSH(s->body->context, &s->boxes, *box) && grz_cost_heap_push(s->body->context, &s->heap, entry)
               ? GRAZE_STATUS_OK
               : GRAZE_STATUS_OUT_OF_MEMORY;
}

static graze_status split_box(search *s, const graze_box *box)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        axis = box->upper[k] - box->lower[k] > box->upper[axis] - box->lower[axis] ? k : axis;
    graze_box halves[2] = {*box, *box};
    halves[0].upper[axis] = halves[1].lower[axis] = box->lower[axis] / 2 + box->upper[axis] / 2;
    graze_status status = add_box(s, &halves[0]);
    return status == GRAZE_STATUS_OK ? add_box(s, &halves[1]) : status;
}

/* ---- the search ---- */

/* The box of the hull, and the centre of its vertices. */
static graze_box find_box(search *s)
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = INFINITY;
        box.upper[axis] = -INFINITY;
        s->centre[axis] = 0;
        for (size_t v = 0; v < s->hull->vertex_count; v++)
        {
            double x = s->hull->vertices[v][axis];
            box.lower[axis] = fmin(box.lower[axis], x);
            box.upper[axis] = fmax(box.upper[axis], x);
            s->centre[axis] += x / (double)s->hull->vertex_count;
        }
    }
    return box;
}

/* Gathers the triangles that H may lie on both sides of, by more than the slack. */
static void find_crossing(search *s, const grz_cell_points *points, const uint32_t *triangles, size_t count,
                          const graze_box *box)
{
    s->crossing_count = 0;
    for (size_t i = 0; i < count && s->prunes; i++)
        if (triangle_meets(s->body, triangles[i], box, true) && !is_on_hull(s, points, triangles[i]))
            s->crossing[s->crossing_count++] = triangles[i];
}

/* Chooses a slack where the hull is thick enough for one. Returns how far points are moved for it. */
static double choose_slack(search *s, const graze_box *box)
{
    double diagonal = 0;
    for (int axis = 0; axis < 3; axis++)
        diagonal += (box->upper[axis] - box->lower[axis]) * (box->upper[axis] - box->lower[axis]);
    diagonal = sqrt(diagonal) * (1 + 16 * GRZ_U);
    double radius = depth_in_hull(s, s->centre);
    if (!(radius > ldexp(diagonal, -SLACK_BITS / 2)))
        return 0;
    s->slack = ldexp(diagonal, -SLACK_BITS);
    return s->slack / radius * diagonal * (1 + 16 * GRZ_U);
}

static graze_status run(search *s, const graze_box *first, double *out_upper)
{
    graze_status status = add_box(s, first);
    for (int step = 0; step < MOST_STEPS && status == GRAZE_STATUS_OK && s->heap.entries.count > 0; step++)
    {
        double upper = -s->heap.entries.data[0].cost;
        if (upper <= s->target || upper <= 1.1 * s->lower)
            break;
        graze_box largest = s->boxes.data[grz_cost_heap_pop(&s->heap).element];
        status = split_box(s, &largest);
    }
    /* Boxes that were left out have no more than the lower bound. */
    *out_upper = s->heap.entries.count > 0 ? fmax(-s->heap.entries.data[0].cost, s->lower) : s->lower;
    return status;
}

graze_status grz_excess_find(grz_cut_body *body, const grz_cell_points *points, const uint32_t *triangles, size_t count,
                             const grz_hull *hull, double growth, double target, grz_excess *out_excess)
{
    search s = {.body = body,
                .hull = hull,
                .planes = grz_allocate(body->context, hull->face_count, sizeof *s.planes),
                .crossing = grz_allocate(body->context, count, sizeof *s.crossing),
                .target = target,
                .prunes = body->solid && hull->dimension == 3};
    double upper = 0;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (s.planes != NULL && s.crossing != NULL)
    {
        const double(*vertices)[3] = (const double(*)[3])body->mesh->vertices;
        double extent = grz_hull_extent(vertices, body->mesh->vertex_count);
        graze_box box = find_box(&s);
        s.extent = extent;
        for (size_t face = 0; face < hull->face_count; face++)
            s.planes[face] = plane_of_face(hull, face, extent);
        double moved = 0;
        find_crossing(&s, points, triangles, count, &box);
        if (s.crossing_count > 0)
            moved = choose_slack(&s, &box);
        if (s.slack > 0)
            find_crossing(&s, points, triangles, count, &box);
        status = run(&s, &box, &upper);
        if (status == GRAZE_STATUS_OK)
            status = grz_monitor_status(body->monitor);
        upper += moved;
    }
    if (status == GRAZE_STATUS_OK)
        *out_excess = (grz_excess){fmax(0, s.lower), upper + growth};
    grz_release(body->context, s.planes);
    grz_release(body->context, s.crossing);
    grz_release(body->context, s.boxes.data);
    grz_cost_heap_release(body->context, &s.heap);
    return status;
}
