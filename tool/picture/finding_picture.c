/* SPDX-License-Identifier: MIT */
/* Pictures of findings; see finding_picture.h. */
#include "picture/finding_picture.h"

#include <math.h>
#include <stdlib.h>

#include "picture/compose.h"
#include "picture/edges.h"

enum
{
    SAMPLES = 2, /* along each side of a pixel */
    BAND_ROWS = 32
};

static const double edge_width = 2.2, curve_width = 6, point_width = 16; /* in samples */
static const double bias = 1.0004;                                       /* edges lie before their surfaces */

bool picture_maker_create(picture_maker *maker)
{
    *maker = (picture_maker){.pixels = malloc((size_t)3 * PICTURE_WIDTH * PICTURE_HEIGHT)};
    return band_create(&maker->band, SAMPLES * PICTURE_WIDTH, BAND_ROWS) && maker->pixels != NULL;
}

void picture_maker_release(picture_maker *maker)
{
    band_release(&maker->band);
    free(maker->primitives);
    free(maker->pixels);
}

static bool add_primitive(picture_maker *maker, const primitive *added)
{
    if (maker->count == maker->capacity)
    {
        size_t capacity = 2 * maker->capacity + 1024;
        primitive *grown = realloc(maker->primitives, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        maker->primitives = grown;
        maker->capacity = capacity;
    }
    maker->primitives[maker->count++] = *added;
    return true;
}

/* A triangle, as a fan of what is left of it in view. */
static bool add_triangle(picture_maker *maker, const view *from, const eye_point corners[3], primitive like)
{
    screen_point clipped[CLIPPED_MOST];
    size_t count = view_clip_triangle(from, corners, clipped);
    like.corner_count = 3;
    for (size_t i = 2; i < count; i++)
    {
        like.corners[0] = clipped[0], like.corners[1] = clipped[i - 1], like.corners[2] = clipped[i];
        if (!add_primitive(maker, &like))
            return false;
    }
    return true;
}

static bool add_segment(picture_maker *maker, const view *from, eye_point p, eye_point q, primitive like)
{
    const eye_point ends[2] = {p, q};
    like.corner_count = 2;
    if (!view_clip_segment(from, ends, like.corners))
        return true;
    like.corners[0].w *= bias;
    like.corners[1].w *= bias;
    return add_primitive(maker, &like);
}

static bool add_point(picture_maker *maker, const view *from, const double point[3])
{
    eye_point at = view_from_world(from, point);
    primitive disc = {.width = (float)point_width, .kind = FRAGMENT_MARK, .corner_count = 1};
    if (!(at.z > from->near_plane))
        return true;
    disc.corners[0] = view_project(from, at);
    return add_primitive(maker, &disc);
}

static eye_point normal_of(eye_point p, eye_point q, eye_point r)
{
    double ux = q.x - p.x, uy = q.y - p.y, uz = q.z - p.z, vx = r.x - p.x, vy = r.y - p.y, vz = r.z - p.z;
    eye_point n = {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (!(length > 0))
        return (eye_point){0, 0, 0};
    return (eye_point){n.x / length, n.y / length, n.z / length};
}

/* Light from above, the left and the viewer; both sides of a triangle look alike. */
static uint8_t shade_of(eye_point n)
{
    double toward = n.z > 0 ? -1 : 1; /* the viewer is at -z */
    double light = toward * (-0.35 * n.x + 0.55 * n.y - 0.76 * n.z);
    return (uint8_t)(255 * (0.62 + 0.38 * fmax(0, fmin(1, light))));
}

static bool place_mesh(const graze_clash_part *part, const view *from, eye_mesh *out)
{
    const double *vertices = graze_mesh_vertices(part->mesh), *m = part->pose.m;
    *out = (eye_mesh){.triangles = graze_mesh_triangles(part->mesh),
                      .triangle_count = graze_mesh_triangle_count(part->mesh),
                      .vertex_count = graze_mesh_vertex_count(part->mesh)};
    out->vertices = malloc((out->vertex_count + 1) * sizeof *out->vertices);
    out->normals = malloc((out->triangle_count + 1) * sizeof *out->normals);
    if (out->vertices == NULL || out->normals == NULL)
        return false;
    for (size_t i = 0; i < out->vertex_count; i++)
    {
        const double *v = vertices + 3 * i;
        double placed[3];
        for (int k = 0; k < 3; k++)
            placed[k] = m[4 * k] * v[0] + m[4 * k + 1] * v[1] + m[4 * k + 2] * v[2] + m[4 * k + 3];
        out->vertices[i] = view_from_world(from, placed);
    }
    for (size_t i = 0; i < out->triangle_count; i++)
    {
        const uint32_t *t = out->triangles + 3 * i;
        out->normals[i] = normal_of(out->vertices[t[0]], out->vertices[t[1]], out->vertices[t[2]]);
    }
    return true;
}

static bool add_mesh(picture_maker *maker, const view *from, const eye_mesh *mesh, fragment_kind kind)
{
    feature_edges edges;
    bool fits = feature_edges_find(mesh, &edges);
    for (size_t i = 0; i < mesh->triangle_count && fits; i++)
    {
        const uint32_t *t = mesh->triangles + 3 * i;
        const eye_point corners[3] = {mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]]};
        fits =
            add_triangle(maker, from, corners, (primitive){.kind = (uint8_t)kind, .shade = shade_of(mesh->normals[i])});
    }
    for (size_t i = 0; i < edges.count && fits; i++)
        fits = add_segment(maker, from, mesh->vertices[edges.ends[i][0]], mesh->vertices[edges.ends[i][1]],
                           (primitive){.kind = FRAGMENT_EDGE, .width = (float)edge_width});
    feature_edges_release(&edges);
    return fits;
}

static bool add_part(picture_maker *maker, const view *from, const graze_clash_part *part, fragment_kind kind)
{
    eye_mesh mesh = {0};
    bool fits = place_mesh(part, from, &mesh) && add_mesh(maker, from, &mesh, kind);
    free(mesh.vertices);
    free(mesh.normals);
    return fits;
}

static bool add_curves(picture_maker *maker, const view *from, const graze_region *region)
{
    const primitive like = {.kind = FRAGMENT_MARK, .width = (float)curve_width};
    for (size_t c = 0; c < region->curve_count; c++)
    {
        size_t first = region->curve_starts[c], end = region->curve_starts[c + 1];
        for (size_t i = first; i < end; i++)
        {
            size_t next = i + 1 < end ? i + 1 : first;
            if (i + 1 == end && !region->curve_closed[c])
                break;
            if (!add_segment(maker, from, view_from_world(from, region->curve_points + 3 * i),
                             view_from_world(from, region->curve_points + 3 * next), like))
                return false;
        }
    }
    return true;
}

static bool add_polygons(picture_maker *maker, const view *from, const graze_region *region)
{
    for (size_t c = 0; c < region->polygon_count; c++)
    {
        const double *points = region->polygon_points + 3 * region->polygon_starts[c];
        size_t count = region->polygon_starts[c + 1] - region->polygon_starts[c];
        for (size_t i = 2; i < count; i++)
        {
            const eye_point corners[3] = {view_from_world(from, points), view_from_world(from, points + 3 * (i - 1)),
                                          view_from_world(from, points + 3 * i)};
            if (!add_triangle(maker, from, corners, (primitive){.kind = FRAGMENT_FACE}))
                return false;
        }
    }
    return true;
}

/* Edges that leave a finding undecided. */
static bool add_open_edges(picture_maker *maker, const view *from, const graze_clash_details *details)
{
    for (size_t i = 0; i < details->open_edge_count; i++)
        if (!add_segment(maker, from, view_from_world(from, details->open_edges[i][0]),
                         view_from_world(from, details->open_edges[i][1]),
                         (primitive){.kind = FRAGMENT_MARK, .width = (float)curve_width}))
            return false;
    return true;
}

/* The contact: its region, the gap, or at least its point. */
static bool add_contact(picture_maker *maker, const view *from, const graze_clash_finding *f)
{
    const graze_region *region = f->region;
    if (f->has_gap && f->details != NULL)
    {
        const double *p = f->details->gap_points[0], *q = f->details->gap_points[1];
        return add_segment(maker, from, view_from_world(from, p), view_from_world(from, q),
                           (primitive){.kind = FRAGMENT_MARK, .width = (float)curve_width}) &&
               add_point(maker, from, p) && add_point(maker, from, q);
    }
    if (f->details != NULL && f->details->open_edge_count > 0 && !add_open_edges(maker, from, f->details))
        return false;
    if (f->verdict == GRAZE_CLASH_CONTAINS || f->verdict == GRAZE_CLASH_DUPLICATE)
        return true;
    if (region == NULL || region->point_count + region->curve_count + region->polygon_count == 0)
        return add_point(maker, from, f->point);
    for (size_t i = 0; i < region->point_count; i++)
        if (!add_point(maker, from, region->points + 3 * i))
            return false;
    return add_polygons(maker, from, region) && add_curves(maker, from, region);
}

static compose_style style_of(const graze_clash_report *report, const graze_clash_finding *f)
{
    bool closed = report->facts != NULL && report->facts[f->a].closed && report->facts[f->b].closed;
    int inner = f->a_in_b ? 0 : 1;
    compose_style style = {.nearest = {0.55f, 0.55f}, .others = {0.15f, 0.15f}};
    switch (f->verdict)
    {
    case GRAZE_CLASH_CONTAINS:
        style.nearest[inner] = 0.95f;
        style.nearest[1 - inner] = 0.3f;
        style.others[1 - inner] = 0.1f;
        break;
    case GRAZE_CLASH_DUPLICATE:
        style = (compose_style){.nearest = {0.95f, 0.95f}, .others = {0.5f, 0.5f}, .has_stripes = true};
        break;
    case GRAZE_CLASH_TOO_CLOSE:
        style = (compose_style){.nearest = {0.9f, 0.9f}, .others = {0.4f, 0.4f}};
        break;
    case GRAZE_CLASH_UNDECIDED: /* what may lie within is seen through the open part */
        for (int i = 0; i < 2 && report->facts != NULL; i++)
            style.nearest[i] = report->facts[i == 0 ? f->a : f->b].closed ? 0.9f : 0.25f;
        break;
    case GRAZE_CLASH_TOUCHES:
        break;
    default:
        style.shows_common = closed && f->a != f->b;
        break;
    }
    return style;
}

static bool draw(picture_maker *maker, const compose_style *style)
{
    const unsigned height = SAMPLES * PICTURE_HEIGHT;
    for (unsigned top = 0; top < height; top += BAND_ROWS)
    {
        band_clear(&maker->band, top);
        for (size_t i = 0; i < maker->count; i++)
            if (!band_draw(&maker->band, &maker->primitives[i]))
                return false;
        compose_band(&maker->band, style, height, SAMPLES, maker->pixels + (size_t)3 * PICTURE_WIDTH * (top / SAMPLES));
    }
    return true;
}

graze_status picture_of_finding(picture_maker *maker, const graze_clash_report *report,
                                const graze_clash_finding *finding, bool y_up, png_file *out_file)
{
    graze_clash_camera camera;
    graze_status status = graze_clash_finding_camera(report, finding, y_up, &camera);
    if (status != GRAZE_STATUS_OK)
        return status;
    view from = view_make(&camera, SAMPLES * PICTURE_WIDTH, SAMPLES * PICTURE_HEIGHT);
    compose_style style = style_of(report, finding);
    bool one_part = finding->a == finding->b || finding->verdict == GRAZE_CLASH_DUPLICATE;
    const graze_clash_part a = graze_clash_finding_part(report, finding, false);
    const graze_clash_part b = graze_clash_finding_part(report, finding, true);
    maker->count = 0;
    bool fits = add_part(maker, &from, &a, FRAGMENT_SURFACE_A) &&
                (one_part || add_part(maker, &from, &b, FRAGMENT_SURFACE_B)) && add_contact(maker, &from, finding) &&
                draw(maker, &style) && png_encode(maker->pixels, PICTURE_WIDTH, PICTURE_HEIGHT, out_file);
    return fits ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
}
