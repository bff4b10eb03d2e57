/* SPDX-License-Identifier: MIT */
/* 000 4.1.3: finding all edges of a body from its faces' corners; has an edge been seen? A search of the list of edges
 * against lists of neighbours at each vertex. 1,220 edges: a torus of 61 x 10 quadrangles. */
#include <stdlib.h>

#include "literature/literature.h"
#include "timing.h"

enum
{
    BANDS = 61,
    SEGMENTS = 10,
    FACES = BANDS * SEGMENTS,
    EDGES = 2 * FACES,
    ROUNDS = 20
};

typedef struct edge_list
{
    uint32_t edges[EDGES][2];
    size_t count;
    double looks;
} edge_list;

static uint32_t corner_of(uint32_t face, uint32_t corner)
{
    static const uint32_t steps[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    uint32_t band = (face / SEGMENTS + steps[corner][0]) % BANDS, segment = (face + steps[corner][1]) % SEGMENTS;
    return band * SEGMENTS + segment;
}

static bool search(edge_list *list, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < list->count; i++)
    {
        list->looks++;
        if (list->edges[i][0] == a && list->edges[i][1] == b)
            return true;
    }
    return false;
}

static bool add(edge_list *list, uint32_t a, uint32_t b)
{
    if (list->count == EDGES)
        return false;
    list->edges[list->count][0] = a;
    list->edges[list->count++][1] = b;
    return true;
}

/* Each edge belongs to its lower vertex. */
static bool find_by_search(edge_list *list)
{
    for (uint32_t face = 0; face < FACES; face++)
        for (uint32_t i = 0; i < 4; i++)
        {
            uint32_t a = corner_of(face, i), b = corner_of(face, (i + 1) % 4);
            if (!search(list, a < b ? a : b, a < b ? b : a) && !add(list, a < b ? a : b, a < b ? b : a))
                return false;
        }
    return true;
}

static bool find_by_neighbours(edge_list *list)
{
    static uint32_t neighbours[FACES][4];
    uint32_t counts[FACES] = {0};
    for (uint32_t face = 0; face < FACES; face++)
        for (uint32_t i = 0; i < 4; i++)
        {
            uint32_t a = corner_of(face, i), b = corner_of(face, (i + 1) % 4);
            uint32_t lower = a < b ? a : b, upper = a < b ? b : a;
            bool known = false;
            for (uint32_t k = 0; k < counts[lower] && !known; k++)
            {
                list->looks++;
                known = neighbours[lower][k] == upper;
            }
            if (known)
                continue;
            if (counts[lower] == 4 || !add(list, lower, upper))
                return false;
            neighbours[lower][counts[lower]++] = upper;
        }
    return true;
}

bool lit_edge_list(lit_run *run)
{
    static bool (*const ways[2])(edge_list *) = {find_by_search, find_by_neighbours};
    double times[2] = {0, 0}, looks[2] = {0, 0};
    edge_list *list = malloc(sizeof *list);
    bool done = list != NULL;
    for (int way = 0; done && way < 2; way++)
        for (int round = 0; done && round < ROUNDS; round++)
        {
            list->count = 0;
            list->looks = 0;
            double from = lab_cpu_now(), ns;
            done = ways[way](list) && list->count == EDGES;
            ns = lab_cpu_now() - from;
            times[way] = round == 0 || ns < times[way] ? ns : times[way];
            looks[way] = list->looks;
        }
    free(list);
    if (!done)
        return false;
    lit_measure(run, "000/edge-list", times[0] / times[1], "searching : neighbour lists");
    lit_add(run, "000/edge-list", "not printed", looks[0], "look-ups, searching");
    lit_add(run, "000/edge-list", "not printed", looks[1], "look-ups, neighbour lists");
    return true;
}
