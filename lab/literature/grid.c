/* SPDX-License-Identifier: MIT */
/* 000 5.5: grids over a hundred flying boxes: time and bytes of three data structures, and oriented boxes entered into
 * the cells that they meet instead of those around them. Neighbours are compared with those of all boxes. */
#include <math.h>
#include <stdlib.h>

#include "literature/boxes_in_cage.h"
#include "literature/fixed_grid.h"
#include "literature/literature.h"
#include "timing.h"

static bool fly(const cage_flight *flight, uint32_t size, grid_way way, double *out_ns, double *out_bytes)
{
    fixed_grid grid;
    uint32_t others[CAGE_BOXES];
    bool done = grid_create(&grid, size, way, CAGE_BOXES);
    *out_ns = *out_bytes = 0;
    for (uint32_t i = 0; done && i < CAGE_BOXES; i++)
    {
        voxel_box box = lit_voxels(cage_pose(flight, 0, i), 10, size);
        grid_insert(&grid, i, &box);
    }
    for (size_t f = 1; done && f < flight->frames; f++)
    {
        double from = lab_cpu_now(), found = 0;
        for (uint32_t i = 0; i < CAGE_BOXES; i++)
        {
            voxel_box box = lit_voxels(cage_pose(flight, f, i), 10, size);
            grid_move(&grid, i, &box);
        }
        for (uint32_t i = 0; i < CAGE_BOXES; i++)
            found += grid_find_neighbours(&grid, i, others);
        *out_ns += (lab_cpu_now() - from) / (double)flight->frames;
        *out_bytes += grid_bytes(&grid) / (double)flight->frames;
        done = !grid.work.failed && found == 2 * lit_count_meeting(grid.boxes, CAGE_BOXES);
    }
    grid_destroy(&grid);
    return done;
}

static bool measure_ways(lit_run *run, const cage_flight *flight)
{
    static const char *const ways[] = {"simple", "simple, equal boxes first", "with indices"};
    bool done = true;
    for (uint32_t size = 4; done && size <= 64; size *= 2)
    {
        double ns[3], bytes[3];
        for (int way = 0; done && way < 3; way++)
        {
            done = fly(flight, size, (grid_way)way, &ns[way], &bytes[way]);
            lit_add(run, "000/grid-time", "the axes of Fig 5.20", ns[way] * 1e-3, "%u^3, %s, us a frame",
                    (unsigned)size, ways[way]);
        }
        if (!done)
            break;
        lit_measure(run, "000/grid-memory", bytes[GRID_SIMPLE] / 1024, "%u^3, simple, kB", (unsigned)size);
        if (size < 64)
            lit_measure(run, "000/grid-memory", bytes[GRID_INDEXED] / 1024, "%u^3, with indices, kB", (unsigned)size);
        if (size == 32)
            lit_measure(run, "000/grid-time", ns[GRID_INDEXED] / ns[GRID_SIMPLE], "32^3, with indices : simple");
    }
    return done;
}

/* Cells that an oriented box meets, and pairs of boxes that share one. */
typedef struct cell_list
{
    uint32_t *cells; /* of all boxes, one after the other */
    uint32_t starts[CAGE_BOXES + 1];
    uint8_t *marks;
} cell_list;

/* Whether a box of half side 1, its axes the columns of `rotation`, meets a cube of half side `half` around a middle
   that lies `offset` before it: by the 15 separating axes. */
static bool box_meets_cell(double rotation[3][3], const double offset[3], double half)
{
    for (int axis = 0; axis < 15; axis++)
    {
        double d[3] = {0, 0, 0}, distance = 0, reach = 0;
        if (axis < 3)
            d[axis] = 1;
        else if (axis < 6)
            for (int i = 0; i < 3; i++)
                d[i] = rotation[i][axis - 3];
        else
        {
            int i = (axis - 6) / 3, y = (i + 1) % 3, z = (i + 2) % 3; /* e_i x column */
            d[y] = -rotation[z][axis % 3];
            d[z] = rotation[y][axis % 3];
        }
        for (int i = 0; i < 3; i++)
        {
            distance += d[i] * offset[i];
            reach += half * fabs(d[i]) + fabs(d[0] * rotation[0][i] + d[1] * rotation[1][i] + d[2] * rotation[2][i]);
        }
        if (fabs(distance) > reach)
            return false;
    }
    return true;
}

static void list_cells(cell_list *list, const cage_flight *flight, size_t frame, uint32_t size, bool oriented)
{
    const double half = 10.0 / size;
    uint32_t count = 0;
    for (size_t b = 0; b < CAGE_BOXES; b++)
    {
        const graze_pose *pose = cage_pose(flight, frame, b);
        voxel_box around = lit_voxels(pose, 10, size);
        double rotation[3][3], offset[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                rotation[i][k] = pose->m[4 * i + k];
        list->starts[b] = count;
        for (int z = around.lower[2]; z <= around.upper[2]; z++)
            for (int y = around.lower[1]; y <= around.upper[1]; y++)
                for (int x = around.lower[0]; x <= around.upper[0]; x++)
                {
                    const int place[3] = {x, y, z};
                    for (int k = 0; k < 3; k++)
                        offset[k] = pose->m[4 * k + 3] + 10 - (2 * place[k] + 1) * half;
                    if (!oriented || box_meets_cell(rotation, offset, half))
                        list->cells[count++] = ((uint32_t)z * size + (uint32_t)y) * size + (uint32_t)x;
                }
    }
    list->starts[CAGE_BOXES] = count;
}

static double count_pairs(cell_list *list)
{
    double pairs = 0;
    for (uint32_t a = 0; a < CAGE_BOXES; a++)
    {
        for (uint32_t i = list->starts[a]; i < list->starts[a + 1]; i++)
            list->marks[list->cells[i]] = 1;
        for (uint32_t b = a + 1; b < CAGE_BOXES; b++)
            for (uint32_t i = list->starts[b]; i < list->starts[b + 1]; i++)
                if (list->marks[list->cells[i]] != 0)
                {
                    pairs++;
                    break;
                }
        for (uint32_t i = list->starts[a]; i < list->starts[a + 1]; i++)
            list->marks[list->cells[i]] = 0;
    }
    return pairs;
}

static bool measure_oriented(lit_run *run, const cage_flight *flight)
{
    static const char *const names[2] = {"aligned", "oriented"};
    size_t frames = flight->frames < 100 ? flight->frames : 100;
    bool done = true;
    for (uint32_t size = 4; done && size <= 32; size *= 2)
    {
        uint32_t most = size < 8 ? size : size * 4 / 10 + 2; /* cells on an axis: a box is at most sqrt(3) wide */
        cell_list list = {.cells = malloc((size_t)CAGE_BOXES * most * most * most * sizeof *list.cells),
                          .marks = calloc((size_t)size * size * size, 1)};
        done = list.cells != NULL && list.marks != NULL;
        for (int oriented = 0; done && oriented < 2; oriented++)
        {
            double cells = 0, pairs = 0, ns = 0;
            for (size_t f = 0; f < frames; f++)
            {
                double from = lab_cpu_now();
                list_cells(&list, flight, f, size, oriented == 1);
                ns += (lab_cpu_now() - from) / (double)frames;
                cells += list.starts[CAGE_BOXES] / (double)frames / CAGE_BOXES;
                pairs += count_pairs(&list) / (double)frames;
            }
            lit_add(run, "000/grid-oriented", "the axes of Fig 5.21", cells, "%u^3, %s, cells a box", (unsigned)size,
                    names[oriented]);
            lit_add(run, "000/grid-oriented", "the axes of Fig 5.21", pairs, "%u^3, %s, pairs a frame", (unsigned)size,
                    names[oriented]);
            lit_add(run, "000/grid-oriented", "the axes of Fig 5.21", ns * 1e-3, "%u^3, %s, us a frame", (unsigned)size,
                    names[oriented]);
        }
        free(list.cells);
        free(list.marks);
    }
    return done;
}

bool lit_grid(lit_run *run)
{
    const graze_mesh *meshes[CAGE_BOXES];
    graze_mesh *box = NULL;
    cage_flight flight;
    bool done = lit_record_boxes(run->quick ? 250 : 1000, &box, meshes, &flight) && measure_ways(run, &flight) &&
                measure_oriented(run, &flight);
    cage_clear(&flight);
    graze_mesh_destroy(box);
    return done;
}
