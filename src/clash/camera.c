/* SPDX-License-Identifier: MIT */
/*
 * The camera of a finding: of directions around the usual one, the one from which most points of the contact are seen,
 * and which is nearest to the usual one. A gap or a depth is looked at from the side. See camera.h.
 */
#include "clash/camera.h"

#include <math.h>

#include "clash/store.h"
#include "graze/mesh_query.h"

enum
{
    MOST_SAMPLES = 12, /* points of the contact */
    DIRECTIONS = 27,
    TRIANGLE_BUDGET = 4000000 /* tests of triangles without a tree */
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
        while (at >= counts[list])
            at -= counts[list++];
        search->samples[search->sample_count++] = vector_from(points[list] + 3 * at);
    }
    const double(*gap)[3] = grz_gap_points(f);
    for (int i = 0; i < 2 && used == 0 && gap != NULL; i++)
        search->samples[search->sample_count++] = vector_from(gap[i]);
    if (search->sample_count == 0)
        search->samples[search->sample_count++] = vector_from(f->point);
}

/* How many samples rays without trees allow. */
static size_t affordable_samples(const view_search *search)
{
    const graze_clash_finding *f = search->finding;
    const size_t ends[2] = {f->a, f->b};
    size_t swept = 0;
    for (int i = 0; i < 2; i++)
        if (search->report->parts[ends[i]].tree == NULL)
            swept += graze_mesh_triangle_count(search->report->parts[ends[i]].mesh);
    size_t most = swept > 0 ? TRIANGLE_BUDGET / DIRECTIONS / swept : MOST_SAMPLES;
    return most < MOST_SAMPLES ? most : MOST_SAMPLES;
}

/* Whether neither part lies between a point of the contact and a viewer far away. */
static graze_status is_free(const view_search *search, grz_vector point, grz_vector direction, bool *out_free)
{
    const graze_clash_finding *f = search->finding;
    const size_t ends[2] = {f->a, f->b};
    grz_vector origin = grz_vector_add(point, 2e-3 * search->framing.contact.radius, direction);
    bool found = false;
    for (int i = 0; i < 2 && !found; i++)
    {
        const graze_clash_part *part = &search->report->parts[ends[i]];
        const graze_placed_mesh placed = {part->mesh, part->tree, part->pose};
        if (part->mesh == NULL)
            continue;
        graze_status status = graze_placed_mesh_cast_ray(grz_clash_context(search->report), &placed, origin.x,
                                                         direction.x, INFINITY, NULL, &found, NULL);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    *out_free = !found;
    return GRAZE_STATUS_OK;
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

/* The usual direction, then those to the neighbours of a cell of a grid. */
static grz_vector candidate(const view_search *search, int number)
{
    if (number == 13)
        return search->wish;
    return grz_vector_unit(
        (grz_vector){{(double)(number % 3 - 1), (double)(number / 3 % 3 - 1), (double)(number / 9 - 1)}});
}

static graze_status choose_direction(const view_search *search, grz_vector *out_direction)
{
    double best = -INFINITY;
    *out_direction = search->wish;
    for (int k = 0; k < DIRECTIONS; k++)
    {
        grz_vector direction = beside(search, candidate(search, (k + 13) % DIRECTIONS));
        double height = grz_vector_dot(direction, search->up);
        if (grz_vector_dot(direction, direction) == 0 || fabs(height) > 0.97)
            continue;
        size_t seen = 0;
        for (size_t i = 0; i < search->sample_count; i++)
        {
            bool is_seen = false;
            graze_status status = is_free(search, search->samples[i], direction, &is_seen);
            if (status != GRAZE_STATUS_OK)
                return status;
            seen += is_seen;
        }
        double worth = (double)seen / fmax(1, (double)search->sample_count) +
                       0.25 * grz_vector_dot(direction, search->wish) - (height < 0 ? 0.35 : 0);
        if (worth > best)
        {
            best = worth;
            *out_direction = direction;
        }
    }
    return GRAZE_STATUS_OK;
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
    grz_vector toward = search.wish;
    size_t most = affordable_samples(&search);
    if (most > 0)
        choose_samples(&search, most);
    graze_status status = choose_direction(&search, &toward);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_clash_camera camera = place(&search, toward);
    for (int i = 0; i < 3; i++)
        if (!isfinite(camera.position[i]))
            return GRAZE_STATUS_NOT_FINITE;
    *out_camera = camera;
    return GRAZE_STATUS_OK;
}
