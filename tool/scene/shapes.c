/* SPDX-License-Identifier: MIT */
/* The table of shapes; see shapes.h and graze/generate.h. */
#include "scene/shapes.h"

#include <math.h>
#include <string.h>

#include "graze/generate.h"
#include "scene/outline.h"
#include "scene/transform_mesh.h"
#include "shell/parse_numbers.h"
#include "text/suggestion.h"

static double real(const shape_values *values, shape_option option)
{
    return values->reals[option][0];
}

/* Bounds of the parameters keep these below 2^32. */
static uint32_t count(const shape_values *values, shape_option option)
{
    return (uint32_t)values->counts[option];
}

#define MAKER(name)                                                                                                    \
    static graze_status make_##name(const shape_values *values, graze_error *error, graze_mesh **out_mesh)

MAKER(box)
{
    (void)error;
    const double *size = values->reals[SHAPE_SIZE];
    return graze_mesh_create_box(NULL, size[0], size[1], size[2], count(values, SHAPE_SEGMENTS), out_mesh);
}

MAKER(sphere)
{
    (void)error;
    return graze_mesh_create_sphere(NULL, real(values, SHAPE_RADIUS), count(values, SHAPE_SEGMENTS),
                                    count(values, SHAPE_RINGS), out_mesh);
}

MAKER(geodesic)
{
    (void)error;
    return graze_mesh_create_geodesic_sphere(NULL, real(values, SHAPE_RADIUS), count(values, SHAPE_FREQUENCY),
                                             out_mesh);
}

MAKER(torus)
{
    (void)error;
    return graze_mesh_create_torus(NULL, real(values, SHAPE_RING_RADIUS), real(values, SHAPE_TUBE_RADIUS),
                                   count(values, SHAPE_SEGMENTS), count(values, SHAPE_SIDES), out_mesh);
}

MAKER(cylinder)
{
    (void)error;
    return graze_mesh_create_cylinder(NULL, real(values, SHAPE_RADIUS), real(values, SHAPE_HEIGHT),
                                      count(values, SHAPE_SEGMENTS), count(values, SHAPE_RINGS), out_mesh);
}

MAKER(cone)
{
    (void)error;
    return graze_mesh_create_cone(NULL, real(values, SHAPE_RADIUS), real(values, SHAPE_HEIGHT),
                                  count(values, SHAPE_SEGMENTS), count(values, SHAPE_RINGS), out_mesh);
}

MAKER(hyperboloid)
{
    (void)error;
    return graze_mesh_create_hyperboloid(NULL, real(values, SHAPE_WAIST_RADIUS), real(values, SHAPE_RIM_RADIUS),
                                         real(values, SHAPE_HEIGHT), count(values, SHAPE_SEGMENTS),
                                         count(values, SHAPE_RINGS), out_mesh);
}

MAKER(tetraflake)
{
    (void)error;
    return graze_mesh_create_tetraflake(NULL, real(values, SHAPE_SIZE), count(values, SHAPE_DEPTH), out_mesh);
}

/* Moves the gear beside one of `mate` teeth at the origin, on the x axis, with a gap where the other has a tooth. */
static graze_status place_beside(const shape_values *values, const graze_mesh *gear, graze_mesh **out_mesh)
{
    const double pi = 3.14159265358979323846, axis[3] = {0.0, 0.0, 1.0};
    double teeth = count(values, SHAPE_TEETH), mate = count(values, SHAPE_MATE);
    double centre[3] = {real(values, SHAPE_MODULE) * (teeth + mate) / 2.0, 0.0, 0.0};
    graze_pose pose;
    graze_status status = graze_pose_from_axis_angle(axis, pi - pi / teeth, centre, &pose);
    return status == GRAZE_STATUS_OK ? transform_mesh(gear, &pose, out_mesh) : status;
}

MAKER(gear)
{
    (void)error;
    graze_mesh *gear = NULL;
    graze_status status = graze_mesh_create_gear(NULL, count(values, SHAPE_TEETH), real(values, SHAPE_MODULE),
                                                 real(values, SHAPE_THICKNESS), real(values, SHAPE_BORE_RADIUS),
                                                 real(values, SHAPE_CLEARANCE), &gear);
    if (status == GRAZE_STATUS_OK && count(values, SHAPE_MATE) > 0)
    {
        status = place_beside(values, gear, out_mesh);
        graze_mesh_destroy(gear);
    }
    else if (status == GRAZE_STATUS_OK)
        *out_mesh = gear;
    return status;
}

MAKER(extrusion)
{
    tool_outline outline = {0};
    const char *path = values->texts[SHAPE_POINTS_FILE];
    graze_status status = path != NULL ? outline_from_file(path, error, &outline)
                                       : outline_from_text(values->texts[SHAPE_POINTS], error, &outline);
    if (status == GRAZE_STATUS_OK)
        status = graze_mesh_create_extrusion(NULL, outline.points, outline.loop_sizes, outline.loop_count,
                                             real(values, SHAPE_HEIGHT), error, out_mesh);
    outline_release(&outline);
    return status;
}

MAKER(pipes)
{
    (void)error;
    return graze_mesh_create_pipes(NULL, real(values, SHAPE_SIZE), real(values, SHAPE_PIPE_RADIUS),
                                   count(values, SHAPE_SIDES), count(values, SHAPE_TRIANGLES),
                                   values->counts[SHAPE_SEED], out_mesh);
}

MAKER(stalagmites)
{
    (void)error;
    return graze_mesh_create_stalagmites(NULL, real(values, SHAPE_SIZE), count(values, SHAPE_COUNT),
                                         count(values, SHAPE_TRIANGLES), values->counts[SHAPE_SEED], out_mesh);
}

MAKER(tetrahedra)
{
    (void)error;
    return graze_mesh_create_tetrahedra(NULL, real(values, SHAPE_SIZE), count(values, SHAPE_COUNT),
                                        values->counts[SHAPE_SEED], out_mesh);
}

MAKER(bumpy_shell)
{
    (void)error;
    return graze_mesh_create_bumpy_shell(NULL, real(values, SHAPE_RADIUS), real(values, SHAPE_BUMP),
                                         count(values, SHAPE_FREQUENCY), values->counts[SHAPE_SEED], out_mesh);
}

MAKER(aircraft)
{
    (void)error;
    return graze_mesh_create_aircraft(NULL, real(values, SHAPE_LENGTH), count(values, SHAPE_TRIANGLES), out_mesh);
}

MAKER(hand)
{
    (void)error;
    return graze_mesh_create_hand(NULL, real(values, SHAPE_LENGTH), real(values, SHAPE_CURL),
                                  count(values, SHAPE_TRIANGLES), out_mesh);
}

#define PRIMITIVE(name) static graze_status primitive_##name(const shape_values *values, graze_shape **out_shape)

PRIMITIVE(box)
{
    return graze_shape_create_box(NULL, values->reals[SHAPE_SIZE], out_shape);
}

PRIMITIVE(sphere)
{
    return graze_shape_create_sphere(NULL, NULL, real(values, SHAPE_RADIUS), out_shape);
}

PRIMITIVE(cylinder)
{
    return graze_shape_create_cylinder(NULL, real(values, SHAPE_HEIGHT), real(values, SHAPE_RADIUS), out_shape);
}

PRIMITIVE(cone)
{
    return graze_shape_create_cone(NULL, real(values, SHAPE_HEIGHT), real(values, SHAPE_RADIUS), out_shape);
}

PRIMITIVE(capsule)
{
    double half = real(values, SHAPE_HEIGHT) / 2;
    const double ends[2][3] = {{0, 0, -half}, {0, 0, half}};
    return graze_shape_create_capsule(NULL, ends, real(values, SHAPE_RADIUS), out_shape);
}

PRIMITIVE(ellipsoid)
{
    const double *size = values->reals[SHAPE_SIZE];
    const double radii[3] = {size[0] / 2, size[1] / 2, size[2] / 2};
    return graze_shape_create_ellipsoid(NULL, radii, out_shape);
}

#define POSITIVE(option, fallback) SHAPE_##option, PARAMETER_POSITIVE, fallback, 0.0, 0.0
#define REAL(option, fallback, least, most) SHAPE_##option, PARAMETER_REAL, fallback, least, most
#define SIZES(option, fallback) SHAPE_##option, PARAMETER_SIZES, fallback, 0.0, 0.0
#define COUNT(option, fallback, least) SHAPE_##option, PARAMETER_COUNT, fallback, least, UINT32_MAX
#define SEED(fallback) SHAPE_SEED, PARAMETER_COUNT, fallback, 0.0, 0x1p64
#define TEXT(option, fallback) SHAPE_##option, PARAMETER_TEXT, fallback, 0.0, 0.0

const tool_shape all_shapes[] = {
    {"box", "A box centred at the origin.", {{SIZES(SIZE, "1")}, {COUNT(SEGMENTS, "1", 1)}}, make_box, primitive_box},
    {"sphere",
     "A sphere of bands and fields, like a globe.",
     {{POSITIVE(RADIUS, "1")}, {COUNT(SEGMENTS, "48", 3)}, {COUNT(RINGS, "24", 2)}},
     make_sphere,
     primitive_sphere},
    {"geodesic",
     "A sphere of nearly equal triangles, 20 times the square of the frequency.",
     {{POSITIVE(RADIUS, "1")}, {COUNT(FREQUENCY, "12", 1)}},
     make_geodesic,
     primitive_sphere},
    {"torus",
     "A ring around the z axis.",
     {{POSITIVE(RING_RADIUS, "1")},
      {POSITIVE(TUBE_RADIUS, "0.3")},
      {COUNT(SEGMENTS, "64", 3)},
      {COUNT(SIDES, "32", 3)}},
     make_torus,
     NULL},
    {"cylinder",
     "A cylinder along z, with lids.",
     {{POSITIVE(RADIUS, "0.5")}, {POSITIVE(HEIGHT, "1")}, {COUNT(SEGMENTS, "48", 3)}, {COUNT(RINGS, "1", 1)}},
     make_cylinder,
     primitive_cylinder},
    {"cone",
     "A cone along z, its tip upwards.",
     {{POSITIVE(RADIUS, "0.5")}, {POSITIVE(HEIGHT, "1")}, {COUNT(SEGMENTS, "48", 3)}, {COUNT(RINGS, "1", 1)}},
     make_cone,
     primitive_cone},
    {"hyperboloid",
     "A cooling tower along z, with lids.",
     {{POSITIVE(WAIST_RADIUS, "0.4")},
      {POSITIVE(RIM_RADIUS, "0.8")},
      {POSITIVE(HEIGHT, "2")},
      {COUNT(SEGMENTS, "48", 3)},
      {COUNT(RINGS, "16", 1)}},
     make_hyperboloid,
     NULL},
    {"tetraflake",
     "A tetrahedron on whose faces smaller ones grow, over and over.",
     {{POSITIVE(SIZE, "1")}, {COUNT(DEPTH, "4", 0)}},
     make_tetraflake,
     NULL},
    {"gear",
     "A spur gear with a bore, its axis z. With --mate N it stands so that its teeth engage with those of a "
     "gear of N teeth and the same module at the origin.",
     {{COUNT(TEETH, "24", 3)},
      {POSITIVE(MODULE, "0.1")},
      {POSITIVE(THICKNESS, "0.4")},
      {POSITIVE(BORE_RADIUS, "0.3")},
      {REAL(CLEARANCE, "0.01", 0.0, INFINITY)},
      {COUNT(MATE, "0", 0)}},
     make_gear,
     NULL},
    {"extrusion",
     "A polygon, possibly with holes, raised along z.",
     {{TEXT(POINTS, "0 0, 2 0, 2 1, 1 1, 1 2, 0 2")}, {TEXT(POINTS_FILE, NULL)}, {POSITIVE(HEIGHT, "1")}},
     make_extrusion,
     NULL},
    {"pipes",
     "Pipework in a box.",
     {{POSITIVE(SIZE, "1")},
      {POSITIVE(PIPE_RADIUS, "0.02")},
      {COUNT(SIDES, "8", 3)},
      {COUNT(TRIANGLES, "20000", 1)},
      {SEED("1")}},
     make_pipes,
     NULL},
    {"stalagmites",
     "A cave floor.",
     {{POSITIVE(SIZE, "1")}, {COUNT(COUNT, "60", 1)}, {COUNT(TRIANGLES, "20000", 1)}, {SEED("1")}},
     make_stalagmites,
     NULL},
    {"tetrahedra",
     "Random tetrahedra that do not touch each other.",
     {{POSITIVE(SIZE, "1")}, {COUNT(COUNT, "1000", 1)}, {SEED("1")}},
     make_tetrahedra,
     NULL},
    {"bumpy-shell",
     "A geodesic sphere with hills and valleys.",
     {{POSITIVE(RADIUS, "1")}, {REAL(BUMP, "0.1", 0.0, INFINITY)}, {COUNT(FREQUENCY, "32", 1)}, {SEED("1")}},
     make_bumpy_shell,
     NULL},
    {"aircraft",
     "Fuselage, wings, tail and engines.",
     {{POSITIVE(LENGTH, "1")}, {COUNT(TRIANGLES, "20000", 1)}},
     make_aircraft,
     NULL},
    {"hand",
     "A palm and five fingers.",
     {{POSITIVE(LENGTH, "1")}, {REAL(CURL, "0.3", 0.0, 1.0)}, {COUNT(TRIANGLES, "20000", 1)}},
     make_hand,
     NULL},
};
const size_t shape_count = COUNT_OF(all_shapes);

static bool same_shape_name(const char *typed, const char *name)
{
    for (;;)
    {
        typed += strspn(typed, "-_");
        name += strspn(name, "-_");
        if (*typed == '\0' || *name == '\0')
            return strcmp(typed, name) == 0 || strcmp(typed, "s") == 0 || strcmp(name, "s") == 0;
        if (*typed++ != *name++)
            return false;
    }
}

const tool_shape primitive_shapes[] = {
    {"capsule",
     "As a shape file only: a cylinder along z with round ends, whose centres are --height apart.",
     {{POSITIVE(RADIUS, "0.5")}, {POSITIVE(HEIGHT, "1")}},
     NULL,
     primitive_capsule},
    {"ellipsoid",
     "As a shape file only: an ellipsoid that fills a box of that size.",
     {{SIZES(SIZE, "1")}},
     NULL,
     primitive_ellipsoid},
};

const size_t primitive_shape_count = sizeof primitive_shapes / sizeof primitive_shapes[0];

const tool_shape *find_shape(const char *name)
{
    for (size_t i = 0; i < shape_count; i++)
        if (same_shape_name(name, all_shapes[i].name))
            return &all_shapes[i];
    return NULL;
}

const tool_shape *find_primitive(const char *name)
{
    for (size_t i = 0; i < primitive_shape_count; i++)
        if (same_shape_name(name, primitive_shapes[i].name))
            return &primitive_shapes[i];
    return NULL;
}
