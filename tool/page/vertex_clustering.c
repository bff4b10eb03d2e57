/* SPDX-License-Identifier: MIT */
/* Mesh simplification by vertex clustering; see vertex_clustering.h. */
#include "page/vertex_clustering.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FINEST = 1 << 20, /* cells along the longest side: three cell indices fit into one key */
    TRIES = 6         /* resolutions that are tried */
};

/* A mesh in a grid. Cells are numbered in the order in which triangles use them. */
typedef struct grid
{
    const double *vertices;
    const uint32_t *corners;
    size_t vertex_count, triangle_count;
    double lower[3], side; /* of the AABB, and its longest side, halved so that nothing overflows */
    uint32_t *cell_of;     /* by vertex: number + 1, or 0 */
    uint64_t *keys;        /* hash table: key + 1, or 0 where free */
    uint32_t *numbers;
    size_t table_size; /* a power of two, above twice the vertex count */
    size_t cell_count;
} grid;

static void release_grid(grid *g)
{
    free(g->cell_of);
    free(g->keys);
    free(g->numbers);
}

static bool open_grid(const graze_mesh *mesh, grid *g)
{
    graze_box box = graze_mesh_bounds(mesh);
    *g = (grid){.vertices = graze_mesh_vertices(mesh),
                .corners = graze_mesh_triangles(mesh),
                .vertex_count = graze_mesh_vertex_count(mesh),
                .triangle_count = graze_mesh_triangle_count(mesh),
                .table_size = 64};
    for (int axis = 0; axis < 3; axis++)
    {
        g->lower[axis] = box.lower[axis];
        g->side = fmax(g->side, 0.5 * box.upper[axis] - 0.5 * box.lower[axis]);
    }
    while (g->table_size <= 2 * g->vertex_count)
        g->table_size *= 2;
    g->cell_of = calloc(g->vertex_count + 1, sizeof *g->cell_of);
    g->keys = calloc(g->table_size, sizeof *g->keys);
    g->numbers = calloc(g->table_size, sizeof *g->numbers);
    return g->cell_of != NULL && g->keys != NULL && g->numbers != NULL;
}

static uint64_t key_of(const grid *g, uint32_t vertex, uint32_t resolution)
{
    uint64_t key = 0;
    for (size_t axis = 0; axis < 3; axis++)
    {
        double share = (0.5 * g->vertices[3 * (size_t)vertex + axis] - 0.5 * g->lower[axis]) / g->side;
        double at = floor(share * resolution);
        at = at >= 0 ? at : 0; /* also when the side is zero */
        at = at < resolution ? at : resolution - 1;
        key = key << 21 | (uint64_t)at;
    }
    return key;
}

static uint32_t cell_at(grid *g, uint32_t vertex, uint32_t resolution)
{
    if (g->cell_of[vertex] != 0)
        return g->cell_of[vertex] - 1;
    uint64_t key = key_of(g, vertex, resolution) + 1;
    size_t mask = g->table_size - 1, slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (g->keys[slot] != 0 && g->keys[slot] != key)
        slot = (slot + 1) & mask;
    if (g->keys[slot] == 0)
    {
        g->keys[slot] = key;
        g->numbers[slot] = (uint32_t)g->cell_count++;
    }
    g->cell_of[vertex] = g->numbers[slot] + 1;
    return g->numbers[slot];
}

/* Assigns vertices to cells and returns how many triangles are left. Their corners are written to `out` unless it is
 * NULL. */
static size_t cluster(grid *g, uint32_t resolution, uint32_t *out)
{
    size_t left = 0;
    memset(g->cell_of, 0, g->vertex_count * sizeof *g->cell_of);
    memset(g->keys, 0, g->table_size * sizeof *g->keys);
    g->cell_count = 0;
    for (size_t t = 0; t < g->triangle_count; t++)
    {
        uint32_t cells[3];
        for (size_t k = 0; k < 3; k++)
            cells[k] = cell_at(g, g->corners[3 * t + k], resolution);
        if (cells[0] == cells[1] || cells[1] == cells[2] || cells[2] == cells[0])
            continue;
        if (out != NULL)
            memcpy(out + 3 * left, cells, sizeof cells);
        left++;
    }
    return left;
}

/* The finest resolution found that leaves at most `most` triangles; the number of cells that a surface meets grows with
 * its square. */
static uint32_t find_resolution(grid *g, size_t most, size_t *out_left)
{
    uint32_t best = 1, worst = FINEST;
    double guess = fmin(sqrt((double)most / 6) + 1, FINEST - 1);
    *out_left = 0;
    for (int i = 0; i < TRIES && worst - best > 1; i++)
    {
        uint32_t now = guess > best ? (uint32_t)fmin(guess, worst - 1) : best + 1;
        size_t left = cluster(g, now, NULL);
        if (left <= most)
        {
            best = now;
            *out_left = left;
        }
        else
            worst = now;
        if (left <= most && 10 * left > 9 * most)
            break;
        guess = left > 0 ? now * sqrt(0.95 * (double)most / (double)left) : 4.0 * now;
        if (guess >= worst)
            guess = 0.5 * best + 0.5 * worst;
    }
    return best;
}

/* Each cell is represented by the mean of its vertices. */
static double *cell_positions(const grid *g)
{
    double *positions = calloc(3 * g->cell_count + 1, sizeof *positions);
    uint32_t *counts = calloc(g->cell_count + 1, sizeof *counts);
    for (size_t v = 0; v < g->vertex_count && positions != NULL && counts != NULL; v++)
        if (g->cell_of[v] != 0)
            counts[g->cell_of[v] - 1]++;
    for (size_t v = 0; v < g->vertex_count && positions != NULL && counts != NULL; v++)
        for (size_t axis = 0; g->cell_of[v] != 0 && axis < 3; axis++)
        {
            size_t cell = g->cell_of[v] - 1;
            positions[3 * cell + axis] += g->vertices[3 * v + axis] / counts[cell];
        }
    if (counts == NULL)
    {
        free(positions);
        positions = NULL;
    }
    free(counts);
    return positions;
}

static bool make_mesh(grid *g, uint32_t resolution, size_t left, graze_mesh **out_mesh)
{
    uint32_t *corners = malloc(3 * left * sizeof *corners + 1);
    double *positions = NULL;
    if (corners != NULL)
    {
        cluster(g, resolution, corners);
        positions = cell_positions(g);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = positions;
    def.vertex_count = left > 0 ? g->cell_count : 0;
    def.corners = corners;
    def.corner_count = 3 * left;
    bool done = positions != NULL && graze_mesh_create(NULL, &def, NULL, out_mesh) == GRAZE_STATUS_OK;
    free(corners);
    free(positions);
    return done;
}

bool cluster_vertices(const graze_mesh *mesh, size_t most, graze_mesh **out_mesh)
{
    grid g;
    bool done = open_grid(mesh, &g);
    if (done)
    {
        size_t left = 0;
        uint32_t resolution = find_resolution(&g, most, &left);
        done = make_mesh(&g, resolution, left, out_mesh);
    }
    release_grid(&g);
    return done;
}
