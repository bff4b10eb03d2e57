/* SPDX-License-Identifier: MIT */
/*
 * The aircraft-like figure: an airliner with swept wings, after the flying object of Klosowski et al. (QuickCD). Its
 * nose points along +x, its left wing along +y, its fin along +z; it is described at length 1 around the origin and
 * then scaled. Every part is a tube: fuselage and engines travel forward, wings and tailplane from the right tip to the
 * left, fin and pylons upward. Parts overlap where they are joined.
 */
#include <math.h>

#include "graze/generate.h"
#include "mesh/shape_builder.h"

/* Wing, tailplane, fin or pylon: an airfoil whose front edge runs from `root` to `tip` and whose chord narrows. A
   mirrored one has a second half with y negated. */
typedef struct surface
{
    v3 root, tip;
    double root_chord, tip_chord;
    double thickness; /* relative to the chord */
    bool mirrored;
} surface;

static const surface wing = {{0.22, 0, -0.022}, {-0.09, 0.44, 0.022}, 0.25, 0.055, 0.12, true};
static const surface tailplane = {{-0.345, 0, 0.022}, {-0.445, 0.16, 0.042}, 0.13, 0.045, 0.1, true};
static const surface fin = {{-0.29, 0, 0.03}, {-0.43, 0, 0.20}, 0.18, 0.065, 0.1, false};

/* Positions of the engines, in half spans. */
static const double engine_places[4] = {-0.66, -0.37, 0.37, 0.66};
static const double engine_radius = 0.021, engine_length = 0.085, engine_drop = 0.034;

/* A part under construction. */
typedef struct aircraft_part
{
    grz_tube tube;
    double length; /* of the whole aircraft */
    surface surface;
    v3 centre; /* of an engine */
} aircraft_part;

/* A point of the front edge, from 0 at the root to 1 at the tip; below 0 on the mirrored half. */
static v3 front_edge(const surface *s, double fraction)
{
    v3 edge = v3_add(s->root, v3_scale(fabs(fraction), v3_sub(s->tip, s->root)));
    return v3_make(edge.x, fraction < 0 ? -edge.y : edge.y, edge.z);
}

/* Half the thickness of a symmetric airfoil of chord and thickness 1 at a distance from its front edge: the NACA
 * four-digit section with a closed back edge. */
static double airfoil(double x)
{
    return 5 * (0.2969 * sqrt(x) - x * (0.1260 + x * (0.3516 - x * (0.2843 - x * 0.1036))));
}

static v3 surface_point(const void *user, uint32_t ring, uint32_t segment)
{
    const aircraft_part *p = user;
    const surface *s = &p->surface;
    uint32_t last = p->tube.ring_count;
    bool lid = ring == 0 || ring > last;
    double fraction = (double)(ring == 0 ? 0 : (ring > last ? last : ring) - 1) / (last - 1);
    if (s->mirrored)
        fraction = 2 * fraction - 1;
    double chord = s->root_chord + (s->tip_chord - s->root_chord) * fabs(fraction);
    double cosine, sine;
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    double back = lid ? 0.4 : 0.5 + 0.5 * cosine;
    double half = lid || segment == 0 ? 0 : airfoil(back) * s->thickness * chord;
    if (sine < 0)
        half = -half;
    v3 offset = v3_make(-back * chord, s->mirrored ? 0 : -half, s->mirrored ? half : 0);
    return v3_scale(p->length, v3_add(front_edge(s, fraction), offset));
}

static const double fuselage_radius = 0.048;

static v3 fuselage_point(const void *user, uint32_t ring, uint32_t segment)
{
    const aircraft_part *p = user;
    uint32_t end = p->tube.ring_count + 1;
    double from_nose = (double)(end - ring) / end;
    double back = from_nose * (0.15 + 0.85 * from_nose); /* rings lie closer together towards the nose */
    double nose = fmax(0, 1 - back / 0.17), tail = fmax(0, (back - 0.58) / 0.42);
    double deck = fmax(0, 1 - (back - 0.19) * (back - 0.19) / (0.17 * 0.17)); /* the hump of the upper deck */
    double radius = fuselage_radius * sqrt(1 - nose * nose) * (1 - 0.9 * tail * tail);
    double cosine, sine;
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    if (ring == 0 || ring == end)
        radius = 0;
    double lift = fuselage_radius * (0.5 * tail * tail - 0.15 * nose * nose);
    double z = radius * sine * (sine > 0 ? 1 + 0.3 * deck * deck : 1) + lift;
    return v3_scale(p->length, v3_make(0.5 - back, radius * cosine, z));
}

/* From the exhaust cone over the outside and round the intake's lip to the fan: distance forward and radius, of the
 * engine's length and radius. The first and the last are the closing vertices. */
#define ENGINE_PROFILE_COUNT 9
static const double engine_profile[ENGINE_PROFILE_COUNT][2] = {
    {-0.62, 0}, {-0.45, 0.3}, {-0.4, 0.62}, {-0.1, 0.92}, {0.25, 1}, {0.5, 0.9}, {0.47, 0.76}, {0.3, 0.72}, {0.36, 0}};

/* The segment of the profile a ring lies on, and the position there: every point of the profile has a ring, and further
   rings are distributed over the segments between. */
static void engine_ring(uint32_t ring_count, uint32_t ring, double *out_forward, double *out_radius)
{
    uint32_t stretches = ENGINE_PROFILE_COUNT - 3; /* between the first and the last ring */
    uint64_t extra = ring_count - (stretches + 1);
    uint32_t stretch = 0, first = 1;
    for (;; stretch++)
    {
        uint32_t steps = (uint32_t)(1 + (stretch + 1) * extra / stretches - stretch * extra / stretches);
        if (ring < first + steps || stretch + 1 == stretches)
        {
            double share = (double)(ring - first) / steps;
            const double *a = engine_profile[stretch + 1], *b = engine_profile[stretch + 2];
            *out_forward = a[0] + (b[0] - a[0]) * share;
            *out_radius = a[1] + (b[1] - a[1]) * share;
            return;
        }
        first += steps;
    }
}

static v3 engine_point(const void *user, uint32_t ring, uint32_t segment)
{
    const aircraft_part *p = user;
    double forward, radius, cosine, sine;
    if (ring == 0 || ring > p->tube.ring_count)
    {
        forward = engine_profile[ring == 0 ? 0 : ENGINE_PROFILE_COUNT - 1][0];
        radius = 0;
    }
    else
        engine_ring(p->tube.ring_count, ring, &forward, &radius);
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    v3 offset = v3_make(engine_length * forward, engine_radius * radius * cosine, engine_radius * radius * sine);
    return v3_scale(p->length, v3_add(p->centre, offset));
}

static void add_engine(grz_shape *shape, double length, double fraction, grz_tube engine, grz_tube pylon)
{
    v3 edge = front_edge(&wing, fraction);
    aircraft_part hull = {.tube = engine, .length = length, .centre = {edge.x + 0.012, edge.y, edge.z - engine_drop}};
    grz_shape_tube(shape, engine, engine_point, &hull);
    surface strut = {.root = {edge.x + 0.025, edge.y, edge.z - engine_drop + 0.7 * engine_radius},
                     .tip = {edge.x - 0.012, edge.y, edge.z},
                     .root_chord = 0.06,
                     .tip_chord = 0.06,
                     .thickness = 0.12};
    aircraft_part p = {.tube = pylon, .length = length, .surface = strut};
    grz_shape_tube(shape, pylon, surface_point, &p);
}

enum
{
    ENGINES,
    PYLONS,
    FIN,
    TAILPLANE,
    WING,
    FUSELAGE,
    KINDS
};

static const struct
{
    int copies;
    double share; /* fraction of all triangles */
    double aspect;
    grz_tube least;
} kinds[KINDS] = {[ENGINES] = {4, 0.26, 0.7, {ENGINE_PROFILE_COUNT - 2, 4}},
                  [PYLONS] = {4, 0.04, 0.3, {2, 4}},
                  [FIN] = {1, 0.06, 0.6, {2, 4}},
                  [TAILPLANE] = {1, 0.1, 1.2, {3, 4}},
                  [WING] = {1, 0.24, 1.2, {3, 4}},
                  [FUSELAGE] = {1, 0, 1.5, {6, 6}}};

/* Distributes the triangles; the fuselage gets the rest. */
static void choose_tubes(size_t triangle_count, grz_tube tubes[KINDS], uint64_t *out_vertices, uint64_t *out_triangles)
{
    double left = (double)triangle_count;
    *out_vertices = *out_triangles = 0;
    for (int kind = 0; kind < KINDS; kind++)
    {
        uint64_t copies = (uint64_t)kinds[kind].copies;
        double share = kind == FUSELAGE ? left : kinds[kind].share * (double)triangle_count / (double)copies;
        tubes[kind] = grz_tube_fit(share, kinds[kind].aspect, kinds[kind].least);
        *out_vertices += copies * grz_tube_vertex_count(tubes[kind]);
        *out_triangles += copies * grz_tube_triangle_count(tubes[kind]);
        left = (double)triangle_count - (double)*out_triangles;
    }
}

graze_status graze_mesh_create_aircraft(const graze_context *context, double length, size_t triangle_count,
                                        graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(length) || triangle_count == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_tube tubes[KINDS];
    uint64_t vertices, triangles;
    choose_tubes(triangle_count, tubes, &vertices, &triangles);
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, vertices, triangles);
    if (status != GRAZE_STATUS_OK)
        return status;
    aircraft_part body = {.tube = tubes[FUSELAGE], .length = length};
    grz_shape_tube(&shape, body.tube, fuselage_point, &body);
    const struct
    {
        int kind;
        const surface *surface;
    } surfaces[3] = {{WING, &wing}, {TAILPLANE, &tailplane}, {FIN, &fin}};
    for (int i = 0; i < 3; i++)
    {
        aircraft_part p = {.tube = tubes[surfaces[i].kind], .length = length, .surface = *surfaces[i].surface};
        grz_shape_tube(&shape, p.tube, surface_point, &p);
    }
    for (int i = 0; i < 4; i++)
        add_engine(&shape, length, engine_places[i], tubes[ENGINES], tubes[PYLONS]);
    return grz_shape_finish(&shape, NULL, out_mesh);
}
