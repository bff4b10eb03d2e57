/* SPDX-License-Identifier: MIT */
/* Measures of a pair as members of its finding; see measures.h. A contact in one piece needs no details, so that
 * findings of a million touching parts stay small. */
#include "clash/measures.h"

#include <math.h>
#include <string.h>

static const char *const contact_kinds[] = {NULL, "point", "edge", "face"};

static void add(const double p[3], const double offset[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = p[axis] + offset[axis];
}

static double distance_sq(const double p[3], const double q[3])
{
    double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    return x * x + y * y + z * z;
}

/* The point of the region that is closest to the centre of its AABB: that of one of its components. */
static void point_of_region(const graze_region *region, double out[3])
{
    double centre[3], best = INFINITY;
    for (int axis = 0; axis < 3; axis++)
        out[axis] = centre[axis] = 0.5 * region->bounds.lower[axis] + 0.5 * region->bounds.upper[axis];
    for (size_t i = 0; i < region->component_count; i++)
    {
        double square = distance_sq(region->components[i].point, centre);
        if (!(square < best))
            continue;
        best = square;
        memcpy(out, region->components[i].point, 3 * sizeof *out);
    }
}

static uint32_t count_curves(size_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static void set_box(const graze_box *box, const double offset[3], graze_box *out)
{
    add(box->lower, offset, out->lower);
    add(box->upper, offset, out->upper);
}

static void include_box(graze_box *box, const graze_box *other)
{
    for (int axis = 0; axis < 3; axis++)
    {
        box->lower[axis] = fmin(box->lower[axis], other->lower[axis]);
        box->upper[axis] = fmax(box->upper[axis], other->upper[axis]);
    }
}

/* One location for each piece of common space: its depth, and the box of its contact, or its own if it has none. */
static void set_overlaps(graze_clash_location *locations, const graze_region *region, const double offset[3])
{
    const graze_box empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < region->overlap_count; i++)
    {
        const graze_overlap_piece *piece = &region->overlaps[i];
        locations[i] = (graze_clash_location){.has_depth = true, .depth = {piece->lower, piece->upper}, .box = empty};
        add(piece->point, offset, locations[i].point);
    }
    for (size_t i = 0; i < region->component_count; i++)
    {
        const graze_region_component *part = &region->components[i];
        graze_clash_location *location = &locations[region->component_overlaps[i]];
        graze_box box;
        set_box(&part->bounds, offset, &box);
        include_box(&location->box, &box);
        location->area += part->area;
        location->length += part->length;
        location->curves = count_curves((size_t)location->curves + part->curve_count);
    }
    for (size_t i = 0; i < region->overlap_count; i++)
        if (locations[i].box.lower[0] > locations[i].box.upper[0])
            set_box(&region->overlaps[i].bounds, offset, &locations[i].box);
}

/* One location for each component of the contact. */
static void set_components(graze_clash_location *locations, const graze_region *region, const double offset[3])
{
    for (size_t i = 0; i < region->component_count; i++)
    {
        const graze_region_component *piece = &region->components[i];
        locations[i] = (graze_clash_location){
            .area = piece->area, .length = piece->length, .curves = count_curves(piece->curve_count)};
        add(piece->point, offset, locations[i].point);
        set_box(&piece->bounds, offset, &locations[i].box);
    }
}

static bool set_locations(const graze_context *context, graze_clash_finding *f, const graze_region *region,
                          const double offset[3])
{
    size_t count = region->overlap_count > 0 ? region->overlap_count : region->component_count;
    graze_clash_details *details = grz_clash_need_details(context, f);
    if (details == NULL)
        return false;
    details->locations = grz_allocate_zeroed(context, count, sizeof *details->locations);
    if (details->locations == NULL)
        return false;
    details->location_count = count;
    if (region->overlap_count > 0)
        set_overlaps(details->locations, region, offset);
    else
        set_components(details->locations, region, offset);
    return true;
}

bool grz_clash_set_contact(const graze_context *context, graze_clash_finding *f, const graze_region *region,
                           const double offset[3])
{
    double point[3];
    f->pairs = region->counts.pairs;
    if (region->component_count == 0)
        return region->overlap_count == 0 || set_locations(context, f, region, offset);
    f->touch_kind = contact_kinds[region->kind];
    f->area = region->area;
    f->curves = count_curves(region->curve_count);
    point_of_region(region, point);
    add(point, offset, f->point);
    set_box(&region->bounds, offset, &f->box);
    return (region->component_count == 1 && region->overlap_count < 2) || set_locations(context, f, region, offset);
}

/* The square of the distance from a point to a box. */
static double distance_to_box_sq(const double p[3], const graze_box *box)
{
    double q[3];
    for (int axis = 0; axis < 3; axis++)
        q[axis] = fmin(fmax(p[axis], box->lower[axis]), box->upper[axis]);
    return distance_sq(p, q);
}

/* Where the pieces of common space are not known: the depth is that of the deepest point, so it is known of the
 * location around it, and others are no deeper. */
static void set_depth_of_locations(graze_clash_finding *f)
{
    graze_clash_location *nearest = NULL;
    double best = INFINITY;
    for (size_t i = 0; i < f->details->location_count; i++)
    {
        graze_clash_location *location = &f->details->locations[i];
        if (location->has_depth)
            return;
        location->has_depth = true;
        location->depth[1] = f->depth[1];
        double square = distance_to_box_sq(f->point, &location->box);
        if (!(square < best))
            continue;
        best = square;
        nearest = location;
    }
    if (nearest != NULL)
        memcpy(nearest->depth, f->depth, sizeof nearest->depth);
}

bool grz_clash_set_interference(const graze_context *context, graze_clash_finding *f,
                                const graze_interference *measures, bool has_volume)
{
    const graze_deepest_point *deepest = &measures->deepest;
    graze_clash_details *details = grz_clash_need_details(context, f);
    if (details == NULL)
        return false;
    f->has_depth = true;
    f->depth[0] = deepest->lower;
    f->depth[1] = deepest->upper;
    f->way_out[0] = measures->way_out.lower;
    f->way_out[1] = measures->way_out.upper;
    memcpy(details->translation, measures->way_out.translation, sizeof details->translation);
    details->has_volume = has_volume && isfinite(measures->volume_error);
    details->volume = measures->volume;
    details->volume_error = measures->volume_error;
    if (deepest->lower > 0)
    {
        memcpy(f->point, deepest->point, sizeof f->point);
        memcpy(details->depth_line[0], deepest->point, sizeof details->depth_line[0]);
        memcpy(details->depth_line[1], deepest->nearest, sizeof details->depth_line[1]);
    }
    else
    {
        memcpy(details->depth_line[0], f->point, sizeof details->depth_line[0]);
        memcpy(details->depth_line[1], f->point, sizeof details->depth_line[1]);
    }
    set_depth_of_locations(f);
    return true;
}

bool grz_clash_set_gap(const graze_context *context, graze_clash_finding *f, const graze_distance *distance)
{
    graze_clash_details *details = grz_clash_need_details(context, f);
    if (details == NULL)
        return false;
    const double *p = distance->point_a, *q = distance->point_b;
    f->has_gap = true;
    f->gap[0] = distance->lower;
    f->gap[1] = distance->upper;
    memcpy(details->gap_points[0], p, sizeof details->gap_points[0]);
    memcpy(details->gap_points[1], q, sizeof details->gap_points[1]);
    for (int axis = 0; axis < 3; axis++)
    {
        f->point[axis] = 0.5 * p[axis] + 0.5 * q[axis];
        f->box.lower[axis] = fmin(p[axis], q[axis]);
        f->box.upper[axis] = fmax(p[axis], q[axis]);
    }
    return true;
}
