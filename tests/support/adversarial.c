/* SPDX-License-Identifier: MIT */
/* Meshes and poses that are hard for error bounds; see adversarial.h. */
#include "support/adversarial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/generators.h"
#include "support/unit.h"

/* Triangles that share no vertices. */
typedef struct soup
{
    int count; /* number of triangles */
    double (*corners)[3];
} soup;

static double random_power(test_random *random, double lowest, double highest)
{
    return pow(10, random_real(random, lowest, highest));
}

static void random_vector(test_random *random, double size, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = random_real(random, -size, size);
}

static void make_fan(test_random *random, soup *s)
{
    double off = random_power(random, -17, -3), slope[2] = {random_real(random, -1, 1), random_real(random, -1, 1)};
    for (int i = 0; i < 3 * s->count; i++)
    {
        double *p = s->corners[i], angle = 6.283185307179586 * (i / 3 + (i % 3 == 2)) / s->count;
        double radius = i % 3 == 0 ? 0 : random_real(random, 0.2, 1);
        p[0] = radius * cos(angle);
        p[1] = radius * sin(angle);
        p[2] = slope[0] * p[0] + slope[1] * p[1] + random_real(random, -off, off);
    }
}

/* One long edge, the third corner close to it; approximately through `centre` unless that is NULL. */
static void make_sliver(test_random *random, double width, const double *centre, double corners[3][3])
{
    double along[3], start[3], share = random_unit(random);
    random_vector(random, 1, along);
    random_vector(random, 0.5, start);
    for (int k = 0; k < 3; k++)
    {
        if (centre != NULL)
            start[k] = centre[k] - random_real(random, 0.4, 0.6) * along[k];
        corners[0][k] = start[k];
        corners[1][k] = start[k] + along[k];
        corners[2][k] = start[k] + share * along[k] + random_real(random, -width, width);
    }
}

static void make_slivers(test_random *random, soup *s, bool through_one_point)
{
    const double centre[3] = {0.1, 0.2, 0.3};
    double width = through_one_point ? random_power(random, -9, -2) : 1e-6;
    for (int i = 0; i < s->count; i++)
        make_sliver(random, width, through_one_point ? centre : NULL, s->corners + (size_t)3 * (size_t)i);
}

static void make_grid(test_random *random, soup *s)
{
    for (int i = 0; i < 3 * s->count; i++)
        for (int k = 0; k < 3; k++)
            s->corners[i][k] = random_below(random, 4) * 0.25;
}

static void make_flat(test_random *random, soup *s)
{
    for (int i = 0; i < s->count; i++)
    {
        double(*c)[3] = s->corners + (size_t)3 * (size_t)i;
        double size = random_power(random, -6, 0), share = random_below(random, 5) * 0.25;
        int kind = random_below(random, 4);
        random_vector(random, 0.5, c[0]);
        for (int k = 0; k < 3; k++)
        {
            c[1][k] = kind == 0 ? c[0][k] : c[0][k] + random_real(random, -size, size);
            c[2][k] = kind == 3 ? c[0][k] + random_real(random, -size, size) : c[0][k] + share * (c[1][k] - c[0][k]);
        }
    }
}

static void make_scales(test_random *random, soup *s)
{
    double about[3];
    random_vector(random, random_once_in(random, 2) ? 0 : 0.3, about);
    for (int i = 0; i < s->count; i++)
    {
        double size = random_power(random, -12, 0);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                s->corners[3 * i + c][k] = about[k] + random_real(random, -size, size);
    }
}

static void make_sheet(test_random *random, soup *s)
{
    static const int steps[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    int side = (int)sqrt(s->count / 2.0);
    double wave = random_power(random, -6, -1), phase = random_real(random, 0, 6);
    s->count = 2 * side * side;
    for (int i = 0; i < 3 * s->count; i++)
    {
        int square = i / 6;
        double x = (double)(square % side + steps[i % 6][0]) / side,
               y = (double)(square / side + steps[i % 6][1]) / side;
        s->corners[i][0] = x - 0.5;
        s->corners[i][1] = y - 0.5;
        s->corners[i][2] = wave * (sin(9 * x + phase) + cos(7 * y));
    }
}

static void make_kind(test_random *random, adversarial_kind kind, soup *s)
{
    switch (kind)
    {
    case ADVERSARIAL_FAN:
        make_fan(random, s);
        break;
    case ADVERSARIAL_SLIVERS:
        make_slivers(random, s, false);
        break;
    case ADVERSARIAL_NEEDLES:
        make_slivers(random, s, true);
        break;
    case ADVERSARIAL_GRID:
        make_grid(random, s);
        break;
    case ADVERSARIAL_FLAT:
        make_flat(random, s);
        break;
    case ADVERSARIAL_SCALES:
        make_scales(random, s);
        break;
    default:
        make_sheet(random, s);
        break;
    }
}

static void copy_nudged(test_random *random, const soup *from, bool by_ulp, soup *s)
{
    double size = random_power(random, -15, -5);
    s->count = from->count;
    for (int i = 0; i < 3 * s->count; i++)
        for (int k = 0; k < 3; k++)
        {
            double x = from->corners[i][k];
            int step = random_between(random, -1, 1);
            if (by_ulp)
                s->corners[i][k] = step == 0 ? x : nextafter(x, step * HUGE_VAL);
            else
                s->corners[i][k] = x + random_real(random, -size, size);
        }
}

static void share_corners(test_random *random, const soup *from, soup *s)
{
    for (int i = 0; i < s->count; i++)
    {
        int base = random_below(random, from->count);
        for (int c = 0; c < 3; c++)
        {
            int corner = random_once_in(random, 3) ? random_below(random, 3 * from->count) : 3 * base + c;
            memcpy(s->corners[3 * i + c], from->corners[corner], sizeof s->corners[0]);
        }
    }
}

/* Shrinks a mesh to a point of the other. */
static void shrink_onto(test_random *random, const soup *other, soup *s)
{
    const double(*t)[3] = (const double(*)[3])(other->corners + (size_t)3 * (size_t)random_below(random, other->count));
    double size = random_power(random, -11, -1), u = random_unit(random), v = (1 - u) * random_unit(random);
    for (int i = 0; i < 3 * s->count; i++)
        for (int k = 0; k < 3; k++)
            s->corners[i][k] = t[0][k] + u * (t[1][k] - t[0][k]) + v * (t[2][k] - t[0][k]) + size * s->corners[i][k];
}

/* Moves corner 0 to a point of a triangle of the other mesh, sometimes on its edges, and rounds it. */
static void point_at(test_random *random, const soup *from, soup *s)
{
    for (int i = 0; i < s->count; i++)
    {
        const double(*t)[3] =
            (const double(*)[3])(from->corners + (size_t)3 * (size_t)random_below(random, from->count));
        double u = random_once_in(random, 3) ? 0 : random_unit(random), v = (1 - u) * random_unit(random);
        double size = random_power(random, -5, 0);
        for (int k = 0; k < 3; k++)
        {
            double foot = t[0][k] + u * (t[1][k] - t[0][k]) + v * (t[2][k] - t[0][k]);
            s->corners[3 * i][k] = foot;
            s->corners[3 * i + 1][k] = foot + random_real(random, -size, size);
            s->corners[3 * i + 2][k] = foot + random_real(random, -size, size);
        }
    }
}

static graze_mesh *create(const soup *s, double scale, const double shift[3])
{
    size_t count = (size_t)3 * (size_t)s->count;
    uint32_t *corners = malloc(count * sizeof *corners);
    assert_non_null(corners);
    for (size_t i = 0; i < count; i++)
    {
        corners[i] = (uint32_t)i;
        for (int k = 0; k < 3; k++)
            s->corners[i][k] = s->corners[i][k] * scale + shift[k];
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = (const double(*)[3])s->corners;
    def.vertex_count = count;
    def.corners = corners;
    def.corner_count = count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(corners);
    return mesh;
}

static graze_pose pose_of(test_random *random, bool sheared, double extent)
{
    graze_pose pose = random_rotation(random);
    for (int row = 0; row < 3; row++)
    {
        for (int k = 0; k < 3 && sheared; k++)
            pose.m[4 * row + k] += random_real(random, -0.5, 0.5);
        pose.m[4 * row + 3] = random_real(random, -extent, extent);
    }
    return pose;
}

static void choose_poses(test_random *random, adversarial_placing placing, graze_pose poses[2])
{
    double extent = placing == ADVERSARIAL_REMOTE ? random_power(random, 2, 12) : 0.2;
    bool sheared = placing == ADVERSARIAL_SHEARED || random_once_in(random, 4);
    poses[0] = pose_of(random, sheared, extent);
    poses[1] = poses[0];
    if (placing == ADVERSARIAL_NOWHERE || placing == ADVERSARIAL_SCALED)
        poses[0] = poses[1] = graze_pose_identity();
    if (placing == ADVERSARIAL_ALMOST || placing == ADVERSARIAL_REMOTE)
    {
        double off = random_power(random, -16, -5);
        for (int i = 0; i < 12; i++)
            poses[1].m[i] += poses[1].m[i] * random_real(random, -off, off);
    }
    if (placing == ADVERSARIAL_RIGID || placing == ADVERSARIAL_SHEARED || placing == ADVERSARIAL_MIRRORED)
        poses[1] = pose_of(random, sheared, extent);
    int mirrored = random_below(random, 2), column = random_below(random, 3);
    for (int row = 0; row < 3 && placing == ADVERSARIAL_MIRRORED; row++)
        poses[mirrored].m[4 * row + column] *= -1;
}

/* Scales one mesh, or both alike, and compensates by the poses if asked for. */
static void create_both(test_random *random, soup soups[2], adversarial_pair *out)
{
    double common = random_once_in(random, 2) ? 1 : random_power(random, -12, 12), scales[2] = {common, common};
    double shift[3] = {0, 0, 0};
    if (random_once_in(random, 4))
        random_vector(random, common * random_power(random, 0, 14), shift);
    for (int side = 0; side < 2; side++)
    {
        for (int row = 0; row < 3; row++)
            out->poses[side].m[4 * row + 3] *= common;
    }
    if (out->placing == ADVERSARIAL_SCALED)
    {
        int side = random_below(random, 2);
        double factor = random_power(random, -9, 9);
        scales[side] *= factor;
        for (int row = 0; row < 3; row++)
            out->poses[side].m[4 * row + row] /= factor;
        memset(shift, 0, sizeof shift);
    }
    for (int side = 0; side < 2; side++)
        out->meshes[side] = create(&soups[side], scales[side], shift);
}

void adversarial_make(test_random *random, int most_triangles, adversarial_pair *out)
{
    soup soups[2];
    for (int side = 0; side < 2; side++)
    {
        soups[side].count = random_between(random, most_triangles / 4, most_triangles);
        soups[side].corners = malloc((size_t)3 * (size_t)most_triangles * sizeof *soups[side].corners);
        assert_non_null(soups[side].corners);
    }
    out->kind = (adversarial_kind)random_below(random, ADVERSARIAL_KINDS);
    out->other_kind = (adversarial_kind)random_below(random, ADVERSARIAL_KINDS);
    out->relation = (adversarial_relation)random_below(random, ADVERSARIAL_RELATIONS);
    out->placing = (adversarial_placing)random_below(random, ADVERSARIAL_PLACINGS);
    make_kind(random, out->kind, &soups[0]);
    if (out->relation == ADVERSARIAL_APART || out->relation == ADVERSARIAL_TINY)
        make_kind(random, out->other_kind, &soups[1]);
    if (out->relation == ADVERSARIAL_TINY)
        shrink_onto(random, &soups[0], &soups[1]);
    else if (out->relation == ADVERSARIAL_SHARED)
        share_corners(random, &soups[0], &soups[1]);
    else if (out->relation == ADVERSARIAL_POINTED)
        point_at(random, &soups[0], &soups[1]);
    else if (out->relation == ADVERSARIAL_ULP || out->relation == ADVERSARIAL_NUDGED)
        copy_nudged(random, &soups[0], out->relation == ADVERSARIAL_ULP, &soups[1]);
    if (random_once_in(random, 2))
    {
        soup swap = soups[0];
        soups[0] = soups[1];
        soups[1] = swap;
    }
    choose_poses(random, out->placing, out->poses);
    create_both(random, soups, out);
    free(soups[0].corners);
    free(soups[1].corners);
}

void adversarial_print(const adversarial_pair *pair)
{
    static const char *const kinds[] = {"fan", "slivers", "needles", "grid", "flat", "scales", "sheet"};
    static const char *const relations[] = {"apart", "ulp", "nudged", "shared", "tiny", "pointed"};
    static const char *const placings[] = {"nowhere", "together", "almost", "rigid",
                                           "sheared", "mirrored", "scaled", "remote"};
    printf("%s against %s, %s, %s; %zu and %zu triangles\n", kinds[pair->kind], kinds[pair->other_kind],
           relations[pair->relation], placings[pair->placing], graze_mesh_triangle_count(pair->meshes[0]),
           graze_mesh_triangle_count(pair->meshes[1]));
}
