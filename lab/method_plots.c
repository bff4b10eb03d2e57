/* SPDX-License-Identifier: MIT */
/*
 * graze-lab methods --plots FOLDER: the time of a query of every method against the size of the bodies, and the
 * engine's beside them. Surfaces: two tori in a cage, so that few of the frames collide; convex bodies: two geodesic
 * spheres, with a cache from frame to frame. CPU time, the least of some passes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "literature/cage.h"
#include "methods.h"
#include "plot.h"
#include "timing.h"

enum
{
    SIZES = 5,
    FRAMES = 150,
    PASSES = 3
};

/* Of one method: a time for each size, where it does not take too long. */
typedef struct method_curve
{
    const char *name;
    double x[SIZES], y[SIZES];
    size_t count;
} method_curve;

/* The flight's mean time of a query by a method, or by the engine; 0 after a failure. */
static double time_of(const cage_flight *flight, const char *method)
{
    graze_method_body *body = NULL;
    graze_tree *tree = NULL;
    double best = INFINITY;
    bool done = method != NULL
                    ? graze_method_body_create(NULL, method, flight->meshes[0], NULL, &body) == GRAZE_STATUS_OK
                    : graze_tree_create(NULL, flight->meshes[0], NULL, NULL, &tree) == GRAZE_STATUS_OK;
    for (int pass = 0; done && pass < PASSES; pass++)
    {
        graze_method_cache cache = {{0}};
        graze_method_options options = graze_method_options_default();
        options.cache = &cache;
        double from = lab_cpu_now();
        for (size_t f = 0; done && f < flight->frames; f++)
        {
            const graze_placed_method_body a = {body, *cage_pose(flight, f, 0)}, b = {body, *cage_pose(flight, f, 1)};
            const graze_placed_mesh placed[2] = {{flight->meshes[0], tree, a.pose}, {flight->meshes[1], tree, b.pose}};
            graze_method_answer answer;
            bool collide;
            done = method != NULL
                       ? graze_method_any(NULL, &a, &b, &options, &answer) == GRAZE_STATUS_OK
                       : graze_pair_any(NULL, &placed[0], &placed[1], NULL, &collide, NULL) == GRAZE_STATUS_OK;
        }
        best = fmin(best, (lab_cpu_now() - from) / (double)flight->frames);
    }
    graze_method_body_destroy(body);
    graze_tree_destroy(tree);
    return done ? best : 0;
}

/* Those whose cost grows with the square of the size, or that are variants of others. */
static bool is_plotted(const graze_method_info *method, bool convex)
{
    static const char *const left_out[] = {
        "all-pairs",           "edges-faces-relaxed", "edges-faces-boxes",  "kdop-14", "rapid-lite", "adb", "sat",
        "perceptron-weighted", "perceptron",          "perceptron-unbiased"};
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (strcmp(method->name, left_out[i]) == 0)
            return false;
    return convex ? method->mesh_class == GRAZE_METHOD_CLASS_CONVEX : method->subject == GRAZE_METHOD_SURFACES;
}

static bool add_times(method_curve *curves, size_t *out_count, bool convex, const graze_mesh *mesh)
{
    const graze_mesh *meshes[2] = {mesh, mesh};
    cage_flight flight;
    bool done = cage_record(meshes, 2, 2, convex ? 1.2 : 0.6, FRAMES, convex ? CAGE_BODIES : CAGE_SURFACES, &flight);
    size_t count = 0;
    for (size_t m = 0; done && m <= graze_method_count() && count < LAB_MOST_SERIES; m++)
    {
        const graze_method_info *method = m == 0 ? NULL : graze_method_at(m - 1);
        if (method != NULL && !is_plotted(method, convex))
            continue;
        method_curve *curve = &curves[count++];
        curve->name = method != NULL ? method->name : "graze";
        double ns = time_of(&flight, method != NULL ? method->name : NULL);
        curve->x[curve->count] = (double)graze_mesh_triangle_count(mesh);
        curve->y[curve->count] = ns;
        curve->count += ns > 0;
    }
    *out_count = count;
    cage_clear(&flight);
    return done;
}

static bool plot_sizes(bool convex, const char *folder)
{
    method_curve curves[LAB_MOST_SERIES];
    lab_series series[LAB_MOST_SERIES];
    size_t count = 0;
    bool done = true;
    memset(curves, 0, sizeof curves);
    for (uint32_t size = 0; done && size < SIZES; size++)
    {
        graze_mesh *mesh = NULL;
        uint32_t side = 8u << size;
        done = (convex ? graze_mesh_create_geodesic_sphere(NULL, 1, 1u << size, &mesh)
                       : graze_mesh_create_torus(NULL, 0.7, 0.3, side, side / 2, &mesh)) == GRAZE_STATUS_OK &&
               add_times(curves, &count, convex, mesh);
        graze_mesh_destroy(mesh);
    }
    for (size_t i = 0; i < count; i++)
        series[i] = (lab_series){curves[i].name, curves[i].x, curves[i].y, curves[i].count, false};
    const lab_plot plot = {.title = convex ? "Convex bodies: time of a query" : "Surfaces: time of a query",
                           .subtitle = convex ? "two geodesic spheres in a cage, each method with its cache"
                                              : "two tori in a cage: whether they meet",
                           .x_label = "triangles of each body",
                           .log_x = true,
                           .series = series,
                           .series_count = count};
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/plot-methods-%s.svg", folder, convex ? "convex" : "surfaces");
    return done && length > 0 && (size_t)length < sizeof path && lab_plot_write(&plot, path);
}

bool lab_plot_methods(const char *folder)
{
    return plot_sizes(false, folder) && plot_sizes(true, folder);
}
