/* SPDX-License-Identifier: MIT */
/* The counts of graze_mesh_examine on random soups over small grids, against counting by brute force in integers. */
#include <stdlib.h>
#include <string.h>

#include "graze/topology.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    MOST_VERTICES = 40,
    MOST_TRIANGLES = 60
};

/* The soup with merged vertices, as plain numbers. */
typedef struct plain_soup
{
    int places[MOST_VERTICES][3];
    int triangles[MOST_TRIANGLES][3];
    int vertex_count, triangle_count;
    bool degenerate[MOST_TRIANGLES];
} plain_soup;

static plain_soup flatten(const graze_mesh *mesh)
{
    plain_soup soup = {.triangle_count = (int)graze_mesh_triangle_count(mesh)};
    int merged[MOST_VERTICES];
    for (size_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
    {
        int place[3];
        for (size_t i = 0; i < 3; i++)
            place[i] = (int)graze_mesh_vertices(mesh)[3 * v + i];
        int m = 0;
        while (m < soup.vertex_count && memcmp(soup.places[m], place, sizeof place) != 0)
            m++;
        memcpy(soup.places[m], place, sizeof place);
        soup.vertex_count += m == soup.vertex_count;
        merged[v] = m;
    }
    for (int t = 0; t < soup.triangle_count; t++)
    {
        int *corners = soup.triangles[t];
        for (int i = 0; i < 3; i++)
            corners[i] = merged[graze_mesh_triangles(mesh)[3 * t + i]];
        soup.degenerate[t] = corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
    }
    return soup;
}

static bool collinear(const int a[3], const int b[3], const int c[3])
{
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3;
        if ((b[i] - a[i]) * (c[j] - a[j]) != (b[j] - a[j]) * (c[i] - a[i]))
            return false;
    }
    return true;
}

static bool strictly_inside(const int a[3], const int b[3], const int p[3])
{
    int product = 0;
    for (int i = 0; i < 3; i++)
        product += (p[i] - a[i]) * (b[i] - p[i]);
    return collinear(a, b, p) && product > 0;
}

/* How many half-edges run from a to b. */
static int uses(const plain_soup *soup, int a, int b)
{
    int count = 0;
    for (int t = 0; t < soup->triangle_count; t++)
        for (int i = 0; i < 3 && !soup->degenerate[t]; i++)
            count += soup->triangles[t][i] == a && soup->triangles[t][(i + 1) % 3] == b;
    return count;
}

static bool has_vertex(const plain_soup *soup, int t, int v)
{
    return soup->triangles[t][0] == v || soup->triangles[t][1] == v || soup->triangles[t][2] == v;
}

static void count_edges(const plain_soup *soup, graze_mesh_facts *facts)
{
    for (int a = 0; a < soup->vertex_count; a++)
        for (int b = 0; b < a; b++)
        {
            int there = uses(soup, a, b), back = uses(soup, b, a);
            if (there + back == 0)
                continue;
            facts->edges++;
            facts->boundary_edges += there + back == 1;
            facts->nonmanifold_edges += there + back > 2;
            facts->misoriented_edges += there + back == 2 && there != 1;
            bool inside = false;
            for (int v = 0; v < soup->vertex_count; v++)
            {
                bool used = false;
                for (int t = 0; t < soup->triangle_count; t++)
                    used = used || has_vertex(soup, t, v);
                inside = inside || (used && strictly_inside(soup->places[a], soup->places[b], soup->places[v]));
            }
            facts->t_junctions += inside;
        }
    facts->closed = facts->edges > 0 && facts->boundary_edges == 0 && facts->nonmanifold_edges == 0;
    facts->manifold = facts->nonmanifold_edges == 0;
    facts->oriented = facts->misoriented_edges == 0;
}

static void count_triangles(const plain_soup *soup, graze_mesh_facts *facts)
{
    for (int t = 0; t < soup->triangle_count; t++)
    {
        const int *c = soup->triangles[t];
        facts->degenerate += soup->degenerate[t];
        facts->zero_area += collinear(soup->places[c[0]], soup->places[c[1]], soup->places[c[2]]);
        bool repeated = false;
        for (int s = 0; s < t && !soup->degenerate[t]; s++)
            repeated = repeated || (!soup->degenerate[s] && has_vertex(soup, s, c[0]) && has_vertex(soup, s, c[1]) &&
                                    has_vertex(soup, s, c[2]));
        facts->duplicates += repeated;
    }
}

/* Spreads labels until nothing changes: over triangles for components, over edges of two triangles for fans. */
static void count_components(const plain_soup *soup, graze_mesh_facts *facts)
{
    int labels[MOST_VERTICES];
    for (int v = 0; v < soup->vertex_count; v++)
        labels[v] = v;
    for (bool changed = true; changed;)
    {
        changed = false;
        for (int t = 0; t < soup->triangle_count; t++)
            for (int i = 0; i < 3 && !soup->degenerate[t]; i++)
            {
                int *a = &labels[soup->triangles[t][i]], *b = &labels[soup->triangles[t][(i + 1) % 3]];
                changed = changed || *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
    }
    for (int v = 0; v < soup->vertex_count; v++)
    {
        bool used = false;
        for (int t = 0; t < soup->triangle_count; t++)
            used = used || has_vertex(soup, t, v);
        facts->components += used && labels[v] == v;
    }
}

static void count_fans(const plain_soup *soup, graze_mesh_facts *facts)
{
    for (int v = 0; v < soup->vertex_count; v++)
    {
        int labels[MOST_TRIANGLES], fans = 0;
        for (int t = 0; t < soup->triangle_count; t++)
            labels[t] = has_vertex(soup, t, v) && !soup->degenerate[t] ? t : -1;
        for (bool changed = true; changed;)
        {
            changed = false;
            for (int s = 0; s < soup->triangle_count; s++)
                for (int t = 0; t < soup->triangle_count; t++)
                    for (int i = 0; i < 3 && labels[s] >= 0 && labels[t] >= 0; i++)
                    {
                        int w = soup->triangles[s][i];
                        if (w == v || !has_vertex(soup, t, w) || uses(soup, v, w) + uses(soup, w, v) != 2)
                            continue;
                        changed = changed || labels[s] != labels[t];
                        labels[s] = labels[t] = labels[s] < labels[t] ? labels[s] : labels[t];
                    }
        }
        for (int t = 0; t < soup->triangle_count; t++)
            fans += labels[t] == t;
        facts->nonmanifold_vertices += fans > 1;
    }
}

static void all_counts_are_those_of_brute_force(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 41);
    uint64_t junctions = 0, fans = 0, misoriented = 0, duplicates = 0;
    for (int round = 0; round < 8000; round++)
    {
        graze_mesh *mesh = body_soup(&random, random_between(&random, 1, 5),
                                     (size_t)random_between(&random, 3, round % 2 == 0 ? MOST_VERTICES : 8),
                                     (size_t)random_between(&random, 1, round % 4 == 0 ? MOST_TRIANGLES : 12));
        graze_mesh_facts facts, expected = {0};
        assert_int_equal(graze_mesh_examine(NULL, mesh, NULL, NULL, &facts), GRAZE_STATUS_OK);
        plain_soup soup = flatten(mesh);
        count_edges(&soup, &expected);
        count_triangles(&soup, &expected);
        count_components(&soup, &expected);
        count_fans(&soup, &expected);
        assert_int_equal(facts.distinct_vertices, soup.vertex_count);
        assert_int_equal(facts.edges, expected.edges);
        assert_int_equal(facts.boundary_edges, expected.boundary_edges);
        assert_int_equal(facts.nonmanifold_edges, expected.nonmanifold_edges);
        assert_int_equal(facts.misoriented_edges, expected.misoriented_edges);
        assert_int_equal(facts.nonmanifold_vertices, expected.nonmanifold_vertices);
        assert_int_equal(facts.components, expected.components);
        assert_int_equal(facts.degenerate, expected.degenerate);
        assert_int_equal(facts.zero_area, expected.zero_area);
        assert_int_equal(facts.duplicates, expected.duplicates);
        assert_int_equal(facts.t_junctions, expected.t_junctions);
        assert_true(facts.closed == expected.closed && facts.manifold == expected.manifold &&
                    facts.oriented == expected.oriented);
        junctions += facts.t_junctions;
        fans += facts.nonmanifold_vertices;
        misoriented += facts.misoriented_edges;
        duplicates += facts.duplicates;
        graze_mesh_destroy(mesh);
    }
    print_message("%d junctions, %d pinched vertices, %d disagreements, %d duplicates\n", (int)junctions, (int)fans,
                  (int)misoriented, (int)duplicates);
    assert_true(junctions > 300 && fans > 300 && misoriented > 300 && duplicates > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_counts_are_those_of_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
