/* SPDX-License-Identifier: MIT */
/*
 * The dense assembly of docs/decisions/0006: 1,000 different parts of about 5,000 triangles (spheres, tori, cylinders,
 * stepped shafts) near the points of a grid, with random rotations, so that some 600 pairs cross among some 7,000 whose
 * AABBs meet. Times graze_clash_find with one thread, several times, by CPU time; everything after reading is in it.
 * Or writes the assembly as a scene with a binary PLY file per part, for `graze clash`.
 *
 *     graze-dense-assembly [PARTS] [REPEATS] [SPACING]
 *     graze-dense-assembly --write FOLDER [PARTS] [SPACING]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "graze/clash.h"
#include "graze/graze.h"
#include "graze/io.h"

enum
{
    SEED = 6006,
    KINDS = 4,
    SEGMENTS = 50, /* around a stepped shaft */
    BANDS = 50,    /* along it */
    STEP = 7       /* every so many rings the radius changes: a band of two rings at one height */
};

static const double usual_spacing = 1.645, jitter = 0.3, pi = 3.14159265358979323846;

/* Vertices are rounded to floats, as binary files have them. */
static double rounded(double x)
{
    return (double)(float)x;
}

/* ---- parts ---- */

/* The profile of a stepped shaft: radius and height of each ring. */
static void make_profile(grz_random *random, double scale, double radii[BANDS + 1], double heights[BANDS + 1])
{
    double radius = 0, z = -0.9 * scale;
    for (int ring = 0; ring <= BANDS; ring++)
    {
        if (ring % STEP == 0)
            radius = scale * grz_random_between(random, 0.2, 0.5);
        else
            z += 1.8 * scale / (BANDS - BANDS / STEP);
        radii[ring] = radius;
        heights[ring] = z;
    }
}

static graze_status make_shaft(grz_random *random, double scale, graze_mesh **out_mesh)
{
    static double vertices[(BANDS + 1) * SEGMENTS + 2][3];
    static uint32_t triangles[2 * SEGMENTS * (BANDS + 1)][3];
    double radii[BANDS + 1], heights[BANDS + 1];
    uint32_t count = 0, first_cap = (BANDS + 1) * SEGMENTS;
    make_profile(random, scale, radii, heights);
    for (uint32_t i = 0; i < first_cap; i++)
    {
        double angle = 2 * pi * (i % SEGMENTS) / SEGMENTS;
        vertices[i][0] = rounded(radii[i / SEGMENTS] * cos(angle));
        vertices[i][1] = rounded(radii[i / SEGMENTS] * sin(angle));
        vertices[i][2] = rounded(heights[i / SEGMENTS]);
    }
    for (uint32_t end = 0; end < 2; end++)
    {
        vertices[first_cap + end][0] = vertices[first_cap + end][1] = 0;
        vertices[first_cap + end][2] = rounded(heights[end * BANDS]);
    }
    for (uint32_t k = 0; k < SEGMENTS; k++)
    {
        uint32_t next = (k + 1) % SEGMENTS, last = BANDS * SEGMENTS;
        const uint32_t caps[2][3] = {{first_cap, next, k}, {first_cap + 1, last + k, last + next}};
        memcpy(triangles[count], caps, sizeof caps);
        count += 2;
        for (uint32_t band = 0; band < BANDS; band++, count += 2)
        {
            uint32_t low = band * SEGMENTS, high = low + SEGMENTS;
            const uint32_t both[2][3] = {{low + k, low + next, high + next}, {low + k, high + next, high + k}};
            memcpy(triangles[count], both, sizeof both);
        }
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = first_cap + 2;
    def.corners = triangles[0];
    def.corner_count = 3 * (size_t)count;
    return graze_mesh_create(NULL, &def, NULL, out_mesh);
}

static graze_status make_mesh(grz_random *random, size_t i, graze_mesh **out_mesh)
{
    double s = grz_random_between(random, 0.8, 1.2);
    switch (i % KINDS)
    {
    case 0:
        return graze_mesh_create_geodesic_sphere(NULL, 0.8 * s, 16, out_mesh);
    case 1:
        return graze_mesh_create_torus(NULL, 0.7 * s, grz_random_between(random, 0.1, 0.3) * s, 50, 50, out_mesh);
    case 2:
        return graze_mesh_create_cylinder(NULL, grz_random_between(random, 0.3, 0.5) * s, 1.8 * s, 50, 49, out_mesh);
    default:
        return make_shaft(random, s, out_mesh);
    }
}

static bool round_vertices(graze_mesh *mesh)
{
    size_t count = 3 * graze_mesh_vertex_count(mesh);
    double *vertices = malloc(count * sizeof *vertices);
    if (vertices == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        vertices[i] = rounded(graze_mesh_vertices(mesh)[i]);
    bool done = graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL) == GRAZE_STATUS_OK;
    free(vertices);
    return done;
}

static graze_pose random_pose(grz_random *random, const double at[3])
{
    double axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = grz_random_between(random, -1, 1);
    graze_pose pose = graze_pose_identity();
    graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), at, &pose);
    return pose;
}

/* The resolution as graze clash finds it for float coordinates. */
static double resolution_of(const graze_mesh *mesh, const graze_pose *pose)
{
    double most = 0;
    for (size_t i = 0; i < graze_mesh_vertex_count(mesh); i++)
    {
        double x[3];
        graze_pose_apply(pose, graze_mesh_vertices(mesh) + 3 * i, x);
        most = fmax(most, fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))));
    }
    return 0x1p-24 * most;
}

static bool make_parts(graze_clash_part *parts, size_t count, double spacing)
{
    grz_random random = grz_random_make(SEED);
    size_t side = (size_t)ceil(cbrt((double)count) - 1e-9);
    for (size_t i = 0; i < count; i++)
    {
        const size_t cell[3] = {i % side, i / side % side, i / side / side};
        char *name = malloc(24);
        graze_mesh *mesh;
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = spacing * (double)cell[k] + grz_random_between(&random, -jitter, jitter);
        if (name == NULL || make_mesh(&random, grz_random_below(&random, KINDS), &mesh) != GRAZE_STATUS_OK ||
            !round_vertices(mesh))
        {
            free(name);
            return false;
        }
        snprintf(name, 24, "part_%04zu", i);
        parts[i] = (graze_clash_part){.name = name, .mesh = mesh, .pose = random_pose(&random, at)};
        parts[i].resolution = resolution_of(mesh, &parts[i].pose);
    }
    return true;
}

/* ---- files ---- */

static void write_object(FILE *scene, const graze_clash_part *part, bool is_last)
{
    fprintf(scene, "    {\"name\": \"%s\", \"mesh\": \"%s\", \"pose\": {\"matrix\": [", part->name, part->name);
    for (int i = 0; i < 12; i++)
        fprintf(scene, "%s%.17g", i > 0 ? ", " : "", part->pose.m[i]);
    fprintf(scene, "]}}%s\n", is_last ? "" : ",");
}

static bool write_assembly(const char *folder, const graze_clash_part *parts, size_t count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/assembly.json", folder);
    FILE *scene = fopen(path, "w");
    if (scene == NULL)
        return false;
    fprintf(scene, "{\n  \"graze\": \"scene\", \"version\": 1,\n  \"meshes\": {\n");
    for (size_t i = 0; i < count; i++)
        fprintf(scene, "    \"%s\": {\"file\": \"%s.ply\"}%s\n", parts[i].name, parts[i].name,
                i + 1 < count ? "," : "");
    fprintf(scene, "  },\n  \"objects\": [\n");
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
    {
        write_object(scene, &parts[i], i + 1 == count);
        snprintf(path, sizeof path, "%s/%s.ply", folder, parts[i].name);
        done =
            graze_mesh_write_file(NULL, parts[i].mesh, path, GRAZE_FORMAT_PLY_LITTLE_ENDIAN, NULL) == GRAZE_STATUS_OK;
    }
    fprintf(scene, "  ]\n}\n");
    return fclose(scene) == 0 && done;
}

/* ---- times ---- */

/* CPU time in seconds: the machine may be busy. */
static double cpu_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void print_report(const graze_clash_report *report)
{
    double depths[2] = {0, 0}, ways[2] = {0, 0}, volumes[2] = {0, 0};
    size_t crossings = 0, closed = 0, closed_ways = 0, volume_count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const graze_clash_finding *f = &report->findings[i];
        if (f->verdict != GRAZE_CLASH_CROSSES)
            continue;
        crossings++;
        closed += f->depth[1] <= 1.01 * f->depth[0];
        closed_ways += f->way_out[1] <= 1.01 * f->way_out[0];
        for (int k = 0; k < 2; k++)
        {
            depths[k] += f->depth[k];
            ways[k] += f->way_out[k];
        }
        if (f->details == NULL || !f->details->has_volume)
            continue;
        volume_count++;
        volumes[0] += f->details->volume;
        volumes[1] += f->details->volume_error;
    }
    printf("%zu parts, %llu triangles, %llu pairs whose AABBs meet, %zu findings, %zu crossings\n", report->part_count,
           (unsigned long long)report->counts.triangles,
           (unsigned long long)(report->counts.pairs_possible - report->counts.pairs_culled), report->finding_count,
           crossings);
    printf("depths closed to 1 %%: %zu, sums %.6f to %.6f; ways out closed to 1 %%: %zu, sums %.6f to %.6f\n", closed,
           depths[0], depths[1], closed_ways, ways[0], ways[1]);
    printf("%zu volumes, sum %.6f, errors %.3g\n", volume_count, volumes[0], volumes[1]);
}

static bool time_assembly(const graze_clash_part *parts, size_t count, size_t repeats)
{
    double best = INFINITY;
    for (size_t i = 0; i < repeats; i++)
    {
        graze_clash_report *report;
        double start = cpu_now();
        if (graze_clash_find(NULL, parts, count, NULL, NULL, &report) != GRAZE_STATUS_OK)
            return false;
        double seconds = cpu_now() - start;
        best = fmin(best, seconds);
        if (i == 0)
            print_report(report);
        printf("%.3f s\n", seconds);
        graze_clash_report_destroy(report);
    }
    printf("least: %.3f s\n", best);
    return true;
}

int main(int count, char **arguments)
{
    bool writes = count > 2 && strcmp(arguments[1], "--write") == 0;
    char **numbers = arguments + (writes ? 3 : 1), **end = arguments + count;
    size_t part_count = numbers < end ? (size_t)strtoul(numbers[0], NULL, 10) : 1000;
    size_t repeats = !writes && numbers + 1 < end ? (size_t)strtoul(numbers[1], NULL, 10) : 5;
    char **last = numbers + (writes ? 1 : 2);
    double spacing = last < end ? strtod(last[0], NULL) : usual_spacing;
    graze_clash_part *parts = calloc(part_count + 1, sizeof *parts);
    bool done = parts != NULL && make_parts(parts, part_count, spacing);
    if (done)
        done = writes ? write_assembly(arguments[2], parts, part_count) : time_assembly(parts, part_count, repeats);
    for (size_t i = 0; parts != NULL && i < part_count; i++)
    {
        graze_mesh_destroy((graze_mesh *)(uintptr_t)parts[i].mesh);
        free((void *)(uintptr_t)parts[i].name);
    }
    free(parts);
    return done ? 0 : 1;
}
