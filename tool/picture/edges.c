/* SPDX-License-Identifier: MIT */
/* Edges worth drawing; see edges.h. Sides of triangles are sorted by their lower vertex, then neighbours are compared.
 */
#include "picture/edges.h"

#include <stdlib.h>

/* A side of a triangle, by its higher vertex; the lower one is that of its bucket. */
typedef struct triangle_side
{
    uint32_t high, triangle;
} triangle_side;

typedef struct side_table
{
    uint32_t *same;   /* by vertex: the first one at this point */
    uint32_t *starts; /* by vertex; one more than there are vertices */
    triangle_side *sides;
} side_table;

static const double crease_cosine = 0.87; /* 30 degrees */

static double dot(eye_point a, eye_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static uint64_t hash_of(const eye_point *p)
{
    uint64_t words[3], hash = 0;
    memcpy(words, p, sizeof words);
    for (int i = 0; i < 3; i++)
        hash = (hash ^ words[i] ^ hash >> 29) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 32;
}

/* Finds vertices at the same point, with a table of open addressing. False when out of memory. */
static bool weld(const eye_mesh *mesh, uint32_t *out_same)
{
    size_t size = 16;
    while (size < 2 * mesh->vertex_count)
        size *= 2;
    uint32_t *table = malloc(size * sizeof *table);
    if (table == NULL)
        return false;
    memset(table, 0xff, size * sizeof *table);
    for (size_t i = 0; i < mesh->vertex_count; i++)
    {
        size_t at = hash_of(&mesh->vertices[i]) & (size - 1);
        while (table[at] != UINT32_MAX &&
               memcmp(&mesh->vertices[table[at]], &mesh->vertices[i], sizeof(eye_point)) != 0)
            at = (at + 1) & (size - 1);
        if (table[at] == UINT32_MAX)
            table[at] = (uint32_t)i;
        out_same[i] = table[at];
    }
    free(table);
    return true;
}

static void side_of(const eye_mesh *mesh, const side_table *table, size_t corner, uint32_t out_ends[2])
{
    uint32_t p = table->same[mesh->triangles[corner]];
    uint32_t q = table->same[mesh->triangles[corner % 3 == 2 ? corner - 2 : corner + 1]];
    out_ends[0] = p < q ? p : q;
    out_ends[1] = p < q ? q : p;
}

/* Buckets of sides by their lower vertex, each sorted by the higher one. */
static void sort_sides(const eye_mesh *mesh, side_table *table)
{
    uint32_t *starts = table->starts;
    size_t side_count = 3 * mesh->triangle_count;
    for (size_t i = 0; i < side_count; i++)
    {
        uint32_t ends[2];
        side_of(mesh, table, i, ends);
        starts[ends[0] + 1]++;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++)
        starts[i + 1] += starts[i];
    for (size_t i = side_count; i-- > 0;)
    {
        uint32_t ends[2];
        side_of(mesh, table, i, ends);
        table->sides[starts[ends[0]]++] = (triangle_side){ends[1], (uint32_t)(i / 3)};
    }
    for (size_t i = mesh->vertex_count; i > 0; i--) /* each start has moved to the next one */
        starts[i] = starts[i - 1];
    starts[0] = 0;
}

static int compare_sides(const void *left, const void *right)
{
    const triangle_side *one = left, *other = right;
    if (one->high != other->high)
        return one->high < other->high ? -1 : 1;
    return one->triangle < other->triangle ? -1 : one->triangle > other->triangle;
}

static void sort_bucket(triangle_side *sides, size_t count)
{
    if (count > 32)
    {
        qsort(sides, count, sizeof *sides, compare_sides);
        return;
    }
    for (size_t i = 1; i < count; i++)
    {
        triangle_side side = sides[i];
        size_t at = i;
        for (; at > 0 && compare_sides(&side, &sides[at - 1]) < 0; at--)
            sides[at] = sides[at - 1];
        sides[at] = side;
    }
}

static bool is_front(const eye_mesh *mesh, uint32_t triangle)
{
    return dot(mesh->normals[triangle], mesh->vertices[mesh->triangles[3 * (size_t)triangle]]) < 0;
}

/* Whether an edge with these triangles is worth drawing. */
static bool is_feature(const eye_mesh *mesh, const triangle_side *sides, size_t count)
{
    if (count != 2)
        return true;
    uint32_t s = sides[0].triangle, t = sides[1].triangle;
    return dot(mesh->normals[s], mesh->normals[t]) < crease_cosine || is_front(mesh, s) != is_front(mesh, t);
}

static void collect(const eye_mesh *mesh, side_table *table, feature_edges *out)
{
    for (size_t vertex = 0; vertex < mesh->vertex_count; vertex++)
    {
        triangle_side *sides = table->sides + table->starts[vertex];
        size_t count = table->starts[vertex + 1] - table->starts[vertex];
        sort_bucket(sides, count);
        for (size_t first = 0, end; first < count; first = end)
        {
            for (end = first + 1; end < count && sides[end].high == sides[first].high;)
                end++;
            if (!is_feature(mesh, sides + first, end - first))
                continue;
            out->ends[out->count][0] = (uint32_t)vertex;
            out->ends[out->count++][1] = sides[first].high;
        }
    }
}

bool feature_edges_find(const eye_mesh *mesh, feature_edges *out_edges)
{
    *out_edges = (feature_edges){.ends = malloc((3 * mesh->triangle_count + 1) * sizeof *out_edges->ends)};
    side_table table = {malloc((mesh->vertex_count + 1) * sizeof *table.same),
                        calloc(mesh->vertex_count + 2, sizeof *table.starts),
                        malloc((3 * mesh->triangle_count + 1) * sizeof *table.sides)};
    bool fits = out_edges->ends != NULL && table.same != NULL && table.starts != NULL && table.sides != NULL &&
                weld(mesh, table.same);
    if (fits)
    {
        sort_sides(mesh, &table);
        collect(mesh, &table, out_edges);
    }
    free(table.same);
    free(table.starts);
    free(table.sides);
    return fits;
}

void feature_edges_release(feature_edges *edges)
{
    free(edges->ends);
}
