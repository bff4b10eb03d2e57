/* SPDX-License-Identifier: MIT */
/*
 * Branch and bound over boxes around the hull H of the part of a body B in a cell. No point of a box is farther from B
 * than its centre by more than the radius of the box. Boxes beyond a face of H are left out, and boxes in which there
 * is no excess:
 *
 * Let H be on one side of the plane of every triangle that meets the box, its inner side. Then in the points of H and
 * the box on the inner sides of these planes, a convex set, there is no surface (but for triangles without area, which
 * divide nothing). So all of that lies in B or none of it, and one point tells.
 *
 * H may stand out of the inner side by a slack e where its centre c is at a depth of r or more there. A point x of H is
 * near one on the inner side of all: x + (c - x) e / r. So the excess is at most that of the points there, and e / r
 * diameters. Without the slack a surface whose flat faces are cut into triangles and rounded would be concave along
 * half of their edges, and nothing could be said.
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
    SLACK_BITS = 46,
    DEPTH_IN_SLACKS = 1 << 30
};

typedef struct excess_search
{
    grz_cut_body *body;
    const grz_hull *hull;
    grz_hull_triangle *planes; /* of its faces */
    uint32_t *crossing;        /* triangles that may lie inside of it */
    size_t crossing_count;
    uint32_t *near; /* triangles that it is inside of up to the slack: twice the number, and 1 where it is in front */
    size_t near_count;
    double centre[3]; /* of its vertices */
    GRZ_ARRAY(graze_box) boxes;
    grz_cost_heap heap; /* of boxes, by minus the upper bound */
    double extent;      /* of the mesh */
    double lower, target;
    double slack; /* see the head of the file */
    bool prunes;  /* whether boxes without excess can be told */
} excess_search;

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

/* On which side of a triangle's plane the hull lies: -1 behind it, 1 in front; 0: on both, or undecided. Points on the
   other side count as in the plane where they are nearer to it than e, and then the centre is at least r away. */
static int side_of_hull(const excess_search *s, const grz_cell_points *points, uint32_t triangle, bool *out_exact)
{
    const double(*vertices)[3] = (const double(*)[3])s->body->mesh->vertices;
    grz_hull_triangle t = grz_hull_triangle_make(vertices, s->extent, s->body->mesh->triangles + 3 * (size_t)triangle);
    const double *a = vertices[t.corners[0]], *b = vertices[t.corners[1]], *c = vertices[t.corners[2]];
    double length = v3_length(t.normal) * (1 + 16 * GRZ_U), off = t.error / s->extent;
    double most = s->slack * fmax(0, length * (1 - 32 * GRZ_U) - off);
    bool none_in_front = true, none_behind = true, exact_in_front = true, exact_behind = true;
    for (size_t i = 0; i < points->count && grz_monitor_work(s->body->monitor, 1); i++)
    {
        int side = side_of_point(s->body, &t, &points->data[i]);
        if (side == 0 || (side == 1 && !none_in_front) || (side == -1 && !none_behind))
            continue;
        /* shortcut: cell-points-in-intervals */
        interval height = interval_height(a, b, c, points->data[i].at);
        if (side != -1 && height.upper >= 0)
        {
            exact_in_front = false;
            none_in_front = none_in_front && height.upper <= most;
        }
        if (side != 1 && height.lower <= 0)
        {
            exact_behind = false;
            none_behind = none_behind && height.lower >= -most;
        }
        if (!none_in_front && !none_behind)
            return 0;
    }
    *out_exact = exact_in_front || exact_behind;
    if (*out_exact)
        return exact_in_front ? -1 : 1;
    const interval centre[3] = {interval_point(s->centre[0]), interval_point(s->centre[1]),
                                interval_point(s->centre[2])};
    interval height = interval_height(a, b, c, centre);
    double least = s->slack * DEPTH_IN_SLACKS * (length + off);
    return none_in_front && height.upper <= -least ? -1 : none_behind && height.lower >= least ? 1 : 0;
}

/* ---- boxes ---- */

/* Height of a point above a face times the length of its normal; its error is below 2 t->error in the box of the
   hull. */
static double height_above(const grz_hull_triangle *t, const double point[3])
{
    return v3_dot(t->normal, v3_sub(v3_load(point), t->origin));
}

/* Whether the plane of a triangle may meet a box: sum of |n_k| h_k against the height of the centre. */
static bool plane_meets(const excess_search *s, uint32_t triangle, const graze_box *box)
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

static bool is_beyond_a_face(const excess_search *s, const graze_box *box)
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
static bool is_inside(const excess_search *s, const double point[3])
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

/* Whether a point of the box is in the hull, and on the inner side of all triangles near the box. */
static bool is_deep_inside(const excess_search *s, const graze_box *box, const double point[3])
{
    const double(*vertices)[3] = (const double(*)[3])s->body->mesh->vertices;
    if (!is_inside(s, point))
        return false;
    for (size_t i = 0; i < s->near_count; i++)
    {
        const uint32_t *c = s->body->mesh->triangles + 3 * (size_t)(s->near[i] / 2);
        if (triangle_meets(s->body, s->near[i] / 2, box, false) &&
            graze_point_orient3d(vertices[c[0]], vertices[c[1]], vertices[c[2]], point) !=
                (s->near[i] % 2 == 0 ? 1 : -1))
            return false;
    }
    return true;
}

/* Whether there is surely no excess in the box; see the head of the file. */
static bool has_none(excess_search *s, const graze_box *box, const double centre[3])
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
    const double *point = is_deep_inside(s, box, centre) ? centre : is_deep_inside(s, box, sample) ? sample : NULL;
    return point != NULL && grz_locate_point(&s->body->view, point, NULL) == GRAZE_LOCATION_INSIDE;
}

/* Bounds the excess in a box and keeps it where that may be the largest. */
static graze_status add_box(excess_search *s, const graze_box *box)
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

static graze_status split_box(excess_search *s, const graze_box *box)
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
static graze_box find_box(excess_search *s)
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

/* Gathers the triangles that H may lie on both sides of, and those where only the slack says that it does not. Returns
   how far points are moved for the slack. */
static double find_crossing(excess_search *s, const grz_cell_points *points, const uint32_t *triangles, size_t count,
                            const graze_box *box)
{
    double diagonal = 0;
    for (int axis = 0; axis < 3; axis++)
        diagonal += (box->upper[axis] - box->lower[axis]) * (box->upper[axis] - box->lower[axis]);
    diagonal = sqrt(diagonal) * (1 + 16 * GRZ_U);
    s->slack = ldexp(diagonal, -SLACK_BITS);
    for (size_t i = 0; i < count && s->prunes; i++)
    {
        bool exact = true;
        if (!triangle_meets(s->body, triangles[i], box, true))
            continue;
        int side = side_of_hull(s, points, triangles[i], &exact);
        if (side == 0)
            s->crossing[s->crossing_count++] = triangles[i];
        else if (!exact)
            s->near[s->near_count++] = 2 * triangles[i] + (side > 0 ? 1 : 0);
    }
    s->prunes = s->prunes && (s->near_count == 0 || is_inside(s, s->centre));
    return s->near_count > 0 ? diagonal / DEPTH_IN_SLACKS : 0;
}

static graze_status run(excess_search *s, const graze_box *first, double *out_upper)
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
    excess_search s = {.body = body,
                       .hull = hull,
                       .planes = grz_allocate(body->context, hull->face_count, sizeof *s.planes),
                       .crossing = grz_allocate(body->context, count, sizeof *s.crossing),
                       .near = grz_allocate(body->context, count, sizeof *s.near),
                       .target = target,
                       .prunes = body->solid && hull->dimension == 3};
    double upper = 0;
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (s.planes != NULL && s.crossing != NULL && s.near != NULL)
    {
        const double(*vertices)[3] = (const double(*)[3])body->mesh->vertices;
        double extent = grz_hull_extent(vertices, body->mesh->vertex_count);
        graze_box box = find_box(&s);
        s.extent = extent;
        for (size_t face = 0; face < hull->face_count; face++)
            s.planes[face] = plane_of_face(hull, face, extent);
        double moved = find_crossing(&s, points, triangles, count, &box);
        status = run(&s, &box, &upper);
        if (status == GRAZE_STATUS_OK)
            status = grz_monitor_status(body->monitor);
        upper += moved;
    }
    if (status == GRAZE_STATUS_OK)
        *out_excess = (grz_excess){fmax(0, s.lower), upper + growth};
    grz_release(body->context, s.planes);
    grz_release(body->context, s.crossing);
    grz_release(body->context, s.near);
    grz_release(body->context, s.boxes.data);
    grz_cost_heap_release(body->context, &s.heap);
    return status;
}
