/* SPDX-License-Identifier: MIT */
/*
 * The camera of a finding: of directions around the usual one, the one from which most points of the contact are seen,
 * and which is nearest to the usual one. A gap or a depth is looked at from the side. See camera.h.
 */
#include "clash/camera.h"

#include <math.h>

enum
{
    MOST_SAMPLES = 8, /* points of the contact */
    DIRECTIONS = 27,
    MOST_RAYS = MOST_SAMPLES * DIRECTIONS,
    TRIANGLE_BUDGET = 4000000 /* tests of a ray with a triangle */
};

static const double field_of_view = 45; /* the schema of BCF 2.1 wants 45 to 60 */
static const double degree = 0.017453292519943295;
static const double margin = 1.08;
static const double curve_tilt = 0.3; /* as a tangent: so that curves around a depth have a width */

typedef struct view_search
{
    const graze_clash_report *report;
    const graze_clash_finding *finding;
    grz_framing framing;
    grz_vector up, wish;
    grz_vector line; /* that is measured, of length 1; or zero */
    grz_vector samples[MOST_SAMPLES];
    size_t sample_count;
} view_search;

static grz_vector vector_from(const double *p)
{
    return (grz_vector){{p[0], p[1], p[2]}};
}

/* Points of the contact, evenly chosen. */
static void choose_samples(view_search *search, size_t most)
{
    const graze_clash_finding *f = search->finding;
    const graze_region *region = f->region;
    const double *points[3] = {NULL, NULL, NULL};
    size_t counts[3] = {0, 0, 0}, all = 0;
    if (region != NULL)
    {
        points[0] = region->points, points[1] = region->curve_points, points[2] = region->polygon_points;
        counts[0] = region->point_count;
        counts[1] = region->curve_count > 0 ? region->curve_starts[region->curve_count] : 0;
        counts[2] = region->polygon_count > 0 ? region->polygon_starts[region->polygon_count] : 0;
        all = counts[0] + counts[1] + counts[2];
    }
    size_t used = all < most ? all : most;
    for (size_t i = 0; i < used; i++)
    {
        size_t at = (size_t)((double)i * (double)all / (double)used), list = 0;
        while (list < 2 && at >= counts[list])
            at -= counts[list++];
        search->samples[search->sample_count++] = vector_from(points[list] + 3 * at);
    }
    const double(*gap)[3] = grz_gap_points(f);
    for (int i = 0; i < 2 && used == 0 && gap != NULL; i++)
        search->samples[search->sample_count++] = vector_from(gap[i]);
    if (search->sample_count == 0)
        search->samples[search->sample_count++] = vector_from(f->point);
}

/* How many samples the budget allows. */
static size_t affordable_samples(const view_search *search)
{
    const graze_clash_finding *f = search->finding;
    size_t triangles = graze_mesh_triangle_count(search->report->parts[f->a].mesh) +
                       graze_mesh_triangle_count(search->report->parts[f->b].mesh);
    size_t most = TRIANGLE_BUDGET / DIRECTIONS / (triangles + 1);
    return most < MOST_SAMPLES ? most : MOST_SAMPLES;
}

/* A line of sight from a point of the contact to a viewer far away. */
typedef struct sight_ray
{
    grz_vector origin, direction;
    int candidate; /* the number of the direction */
} sight_ray;

/* Whether a ray meets a triangle, by its first corner and two sides (Moeller and Trumbore 1997), in rounded numbers. */
static bool meets(const sight_ray *ray, const grz_vector corner, const grz_vector u, const grz_vector v)
{
    grz_vector across = grz_vector_cross(ray->direction, v);
    double det = grz_vector_dot(u, across);
    if (det == 0)
        return false;
    grz_vector from = grz_vector_add(ray->origin, -1, corner);
    double first = grz_vector_dot(from, across) / det;
    if (!(first >= 0 && first <= 1))
        return false;
    grz_vector other = grz_vector_cross(from, u);
    double second = grz_vector_dot(ray->direction, other) / det;
    return second >= 0 && first + second <= 1 && grz_vector_dot(v, other) / det > 0;
}

/* Removes the rays that a part stops; returns how many are left. */
static size_t stop_rays(const graze_clash_part *part, sight_ray *rays, size_t count)
{
    const uint32_t *corners = graze_mesh_triangles(part->mesh);
    const double *vertices = graze_mesh_vertices(part->mesh);
    size_t triangles = graze_mesh_triangle_count(part->mesh);
    for (size_t i = 0; i < triangles && count > 0; i++, corners += 3)
    {
        grz_vector p = grz_placed_vertex(part, vertices, corners[0]);
        grz_vector u = grz_vector_add(grz_placed_vertex(part, vertices, corners[1]), -1, p);
        grz_vector v = grz_vector_add(grz_placed_vertex(part, vertices, corners[2]), -1, p);
        for (size_t k = count; k-- > 0;)
            if (meets(&rays[k], p, u, v))
                rays[k] = rays[--count];
    }
    return count;
}

/* How many samples are seen from each direction; directions of length 0 are left out. */
static void count_seen(const view_search *search, const grz_vector directions[DIRECTIONS], size_t out_seen[DIRECTIONS])
{
    const graze_clash_finding *f = search->finding;
    sight_ray rays[MOST_RAYS];
    size_t count = 0;
    for (int i = 0; i < DIRECTIONS; i++)
    {
        out_seen[i] = 0;
        for (size_t k = 0; k < search->sample_count && grz_vector_dot(directions[i], directions[i]) > 0; k++)
            rays[count++] =
                (sight_ray){grz_vector_add(search->samples[k], 2e-3 * search->framing.contact.radius, directions[i]),
                            directions[i], i};
    }
    const graze_clash_part a = graze_clash_finding_part(search->report, f, false);
    const graze_clash_part b = graze_clash_finding_part(search->report, f, true);
    count = stop_rays(&a, rays, count);
    if (f->b != f->a)
        count = stop_rays(&b, rays, count);
    for (size_t i = 0; i < count; i++)
        out_seen[rays[i].candidate]++;
}

/* A direction at a right angle to the measured line, but for a tilt; zero if there is none. */
static grz_vector beside(const view_search *search, grz_vector direction)
{
    if (grz_vector_dot(search->line, search->line) == 0)
        return grz_vector_unit(direction);
    double along = grz_vector_dot(search->line, direction);
    grz_vector side = grz_vector_add(direction, -along, search->line);
    if (grz_vector_dot(side, side) < 1e-3)
        return (grz_vector){{0, 0, 0}};
    double tilt = search->finding->region != NULL ? curve_tilt : 0;
    return grz_vector_unit(grz_vector_add(grz_vector_unit(side), along < 0 ? -tilt : tilt, search->line));
}

/* The usual direction in the middle of those to the neighbours of a cell of a grid. */
static grz_vector candidate(const view_search *search, int number)
{
    if (number == DIRECTIONS / 2)
        return search->wish;
    return grz_vector_unit(
        (grz_vector){{(double)(number % 3 - 1), (double)(number / 3 % 3 - 1), (double)(number / 9 - 1)}});
}

static grz_vector choose_direction(const view_search *search)
{
    grz_vector directions[DIRECTIONS], chosen = search->wish;
    size_t seen[DIRECTIONS];
    double best = -INFINITY;
    for (int k = 0; k < DIRECTIONS; k++)
    {
        directions[k] = beside(search, candidate(search, (k + DIRECTIONS / 2) % DIRECTIONS));
        if (fabs(grz_vector_dot(directions[k], search->up)) > 0.97)
            directions[k] = (grz_vector){{0, 0, 0}};
    }
    count_seen(search, directions, seen);
    for (int k = 0; k < DIRECTIONS; k++)
    {
        if (grz_vector_dot(directions[k], directions[k]) == 0)
            continue;
        double worth = (double)seen[k] / fmax(1, (double)search->sample_count) +
                       0.25 * grz_vector_dot(directions[k], search->wish) -
                       (grz_vector_dot(directions[k], search->up) < 0 ? 0.35 : 0);
        if (worth > best)
        {
            best = worth;
            chosen = directions[k];
        }
    }
    return chosen;
}

static grz_vector measured_line(const graze_clash_finding *f)
{
    const double(*gap)[3] = grz_gap_points(f);
    if (gap != NULL)
        return grz_vector_unit(grz_vector_add(vector_from(gap[1]), -1, vector_from(gap[0])));
    if (f->has_depth && f->verdict == GRAZE_CLASH_CROSSES && f->details != NULL)
        return grz_vector_unit(
            grz_vector_add(vector_from(f->details->depth_line[1]), -1, vector_from(f->details->depth_line[0])));
    return (grz_vector){{0, 0, 0}};
}

static bool is_finite_sphere(const grz_sphere *sphere)
{
    return isfinite(sphere->center.x[0]) && isfinite(sphere->center.x[1]) && isfinite(sphere->center.x[2]) &&
           sphere->radius < 1e150; /* squares must not overflow */
}

/* Places the camera for a direction toward the viewer. */
static graze_clash_camera place(const view_search *search, grz_vector toward)
{
    const grz_framing *framing = &search->framing;
    graze_clash_camera camera = {.field_of_view = field_of_view};
    grz_vector right = grz_vector_unit(grz_vector_cross(search->up, toward));
    const grz_vector axes[3] = {right, grz_vector_cross(toward, right), toward};
    grz_vector center = framing->view.center;
    double half = 0.5 * field_of_view * degree, radius = framing->view.radius > 0 ? framing->view.radius : 1;
    double distance = radius / sin(half);
    if (framing->whole && framing->view.radius > 0)
        distance = margin * grz_framing_fit(search->report, search->finding, axes, tan(half), &center);
    grz_vector position = grz_vector_add(center, distance, toward);
    for (int i = 0; i < 3; i++)
    {
        camera.position[i] = position.x[i];
        camera.direction[i] = 0 - toward.x[i];
        camera.up[i] = axes[1].x[i];
    }
    camera.distance = distance;
    return camera;
}

graze_status graze_clash_finding_camera(const graze_clash_report *report, const graze_clash_finding *finding, bool y_up,
                                        graze_clash_camera *out_camera)
{
    if (report == NULL || finding == NULL || out_camera == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    view_search search = {
        .report = report,
        .finding = finding,
        .framing = grz_framing_of(report, finding),
        .up = y_up ? (grz_vector){{0, 1, 0}} : (grz_vector){{0, 0, 1}},
        .wish = grz_vector_unit(y_up ? (grz_vector){{0.75, 0.55, 0.9}} : (grz_vector){{0.75, -0.9, 0.55}}),
        .line = measured_line(finding)};
    if (!is_finite_sphere(&search.framing.contact) || !is_finite_sphere(&search.framing.view))
        return GRAZE_STATUS_NOT_FINITE;
    size_t most = affordable_samples(&search);
    if (most > 0)
        choose_samples(&search, most);
    graze_clash_camera camera = place(&search, choose_direction(&search));
    for (int i = 0; i < 3; i++)
        if (!isfinite(camera.position[i]))
            return GRAZE_STATUS_NOT_FINITE;
    *out_camera = camera;
    return GRAZE_STATUS_OK;
}
