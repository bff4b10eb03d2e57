/* SPDX-License-Identifier: MIT */
/* 000 5.5.2: what a grid of 8^3 cells before the exact tests is worth: among tetrahedra, among thirty bodies with
 * walls, and for one body among many that stay. */
#include <math.h>
#include <stdlib.h>

#include "literature/bodies.h"
#include "literature/boxes_in_cage.h"
#include "literature/fixed_grid.h"
#include "literature/literature.h"
#include "timing.h"

/* How pairs are found. */
typedef enum pair_search
{
    SEARCH_NONE,  /* every pair is tested exactly */
    SEARCH_BOXES, /* every pair whose boxes overlap */
    SEARCH_GRID   /* those of a common cell whose boxes overlap */
} pair_search;

typedef struct scene_cost
{
    double ns, pairs; /* a frame */
} scene_cost;

typedef struct scene_run
{
    const cage_flight *flight;
    const char *method;
    double half; /* of the cage */
    graze_method_body *bodies[CAGE_MOST_BODIES];
    graze_box boxes[CAGE_MOST_BODIES];
    fixed_grid grid;
    bool wrong;
} scene_run;

static voxel_box voxels_around(const scene_run *r, const graze_box *box)
{
    voxel_box out;
    double scale = r->grid.size / (2 * r->half);
    for (int k = 0; k < 3; k++)
    {
        out.lower[k] = (int)fmin(fmax(floor((box->lower[k] + r->half) * scale), 0), r->grid.size - 1.0);
        out.upper[k] = (int)fmin(fmax(floor((box->upper[k] + r->half) * scale), 0), r->grid.size - 1.0);
    }
    return out;
}

/* The box around a placed body, from the box of its mesh. */
static graze_box box_around(const graze_mesh *mesh, const graze_pose *pose)
{
    graze_box own = graze_mesh_bounds(mesh), out;
    for (int i = 0; i < 3; i++)
    {
        const double *row = pose->m + 4 * i;
        double middle = row[3], reach = 0;
        for (int k = 0; k < 3; k++)
        {
            middle += row[k] * (own.lower[k] + own.upper[k]) / 2;
            reach += fabs(row[k]) * (own.upper[k] - own.lower[k]) / 2;
        }
        out.lower[i] = middle - reach * 1.000001;
        out.upper[i] = middle + reach * 1.000001;
    }
    return out;
}

static bool boxes_overlap(const graze_box *a, const graze_box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->lower[k] > b->upper[k] || b->lower[k] > a->upper[k])
            return false;
    return true;
}

static bool test_pair(scene_run *r, size_t frame, size_t a, size_t b)
{
    const graze_placed_method_body placed[2] = {{r->bodies[a], *cage_pose(r->flight, frame, a)},
                                                {r->bodies[b], *cage_pose(r->flight, frame, b)}};
    graze_method_answer answer;
    if (graze_method_any(NULL, &placed[0], &placed[1], NULL, &answer) != GRAZE_STATUS_OK)
        return false;
    r->wrong = r->wrong || (answer.guess == GRAZE_VERDICT_YES) != cage_collide(r->flight, frame, a, b);
    return true;
}

static bool run_frame(scene_run *r, size_t frame, pair_search search, scene_cost *out)
{
    const cage_flight *flight = r->flight;
    uint32_t others[CAGE_MOST_BODIES];
    bool done = true;
    for (size_t i = 0; search != SEARCH_NONE && i < flight->bodies; i++)
    {
        if (frame > 0 && i >= flight->flying)
            break;
        r->boxes[i] = box_around(flight->meshes[i], cage_pose(flight, frame, i));
        voxel_box voxels = voxels_around(r, &r->boxes[i]);
        if (search == SEARCH_GRID && frame == 0)
            grid_insert(&r->grid, (uint32_t)i, &voxels);
        else if (search == SEARCH_GRID)
            grid_move(&r->grid, (uint32_t)i, &voxels);
    }
    for (size_t a = 0; done && a < flight->flying; a++)
    {
        uint32_t count = 0;
        if (search == SEARCH_GRID)
            count = grid_find_neighbours(&r->grid, (uint32_t)a, others);
        else
            for (size_t b = a + 1; b < flight->bodies; b++)
                others[count++] = (uint32_t)b;
        for (uint32_t i = 0; done && i < count; i++)
        {
            if (others[i] <= a)
                continue;
            bool overlap = search == SEARCH_NONE || boxes_overlap(&r->boxes[a], &r->boxes[others[i]]);
            out->pairs += overlap || search == SEARCH_GRID; /* those that the grid leaves */
            if (!overlap)
                continue;
            done = test_pair(r, frame, a, others[i]);
        }
    }
    return done;
}

/* A flight of which every colliding pair must be found. */
static bool run_scene(const cage_flight *flight, const char *method, double half, pair_search search, scene_cost *out)
{
    scene_run *r = calloc(1, sizeof *r);
    bool done = r != NULL && grid_create(&r->grid, 8, GRID_CHECKED, (uint32_t)flight->bodies);
    *out = (scene_cost){0, 0};
    if (r != NULL)
    {
        r->flight = flight;
        r->method = method;
        r->half = half;
    }
    for (size_t i = 0; done && i < flight->bodies; i++)
        done = graze_method_body_create(NULL, method, flight->meshes[i], NULL, &r->bodies[i]) == GRAZE_STATUS_OK;
    for (size_t f = 0; done && f < flight->frames; f++)
    {
        double from = lab_cpu_now();
        done = run_frame(r, f, search, out) && !r->wrong;
        out->ns += lab_cpu_now() - from;
    }
    out->ns /= (double)flight->frames;
    out->pairs /= (double)flight->frames;
    for (size_t i = 0; r != NULL && i < flight->bodies; i++)
        graze_method_body_destroy(r->bodies[i]);
    if (r != NULL)
        grid_destroy(&r->grid);
    free(r);
    return done;
}

bool lit_grid_tetrahedra(lit_run *run)
{
    static const size_t counts[] = {10, 25, 50, 100};
    static const char *const names[] = {"no check", "boxes", "grid 8^3"};
    const graze_mesh *meshes[100];
    graze_mesh *tetrahedron = NULL;
    bool done = lit_make_body(LIT_FLAKE, 4, &tetrahedron);
    for (int i = 0; i < 100; i++)
        meshes[i] = tetrahedron;
    for (int c = 0; done && c < 4; c++)
    {
        cage_flight flight;
        done = cage_record(meshes, counts[c], counts[c], 4, run->quick ? 20 : 500, CAGE_BODIES, &flight);
        for (int s = 0; done && s < 3; s++)
        {
            scene_cost cost;
            done = run_scene(&flight, "cyrus-beck", 5, (pair_search)s, &cost);
            lit_add(run, "000/grid-tetrahedra", "the axes of Fig 5.22", cost.ns * 1e-3, "%zu, %s, us a frame",
                    counts[c], names[s]);
            lit_add(run, "000/grid-tetrahedra", "the axes of Fig 5.22", cost.pairs, "%zu, %s, pairs left", counts[c],
                    names[s]);
        }
        cage_clear(&flight);
    }
    graze_mesh_destroy(tetrahedron);
    return done;
}

/* Thirty bodies and six walls of about 4,758 faces in all, in a cage of side 5. */
bool lit_grid_exact(lit_run *run)
{
    static const uint32_t faces[] = {56, 90, 182, 52};
    static const lit_shape shapes[] = {LIT_SPHERE, LIT_TORUS, LIT_HYPERBOLOID, LIT_FLAKE};
    static const char *const id = "000/grid-exact";
    graze_mesh *meshes[36] = {NULL};
    cage_flight flight = {0};
    scene_cost none, trees, grid;
    bool done = true;
    for (int i = 0; done && i < 30; i++)
        done = lit_make_body(shapes[i % 4], i < 4 ? 4 * faces[i] : faces[i % 4] * (i % 3 == 0 ? 2 : 1), &meshes[i]);
    done = done && lit_make_walls(5, 1, meshes + 30) &&
           cage_record((const graze_mesh **)meshes, 36, 30, 4, run->quick ? 20 : 500, CAGE_SURFACES, &flight) &&
           run_scene(&flight, "edges-faces", 5, SEARCH_NONE, &none) &&
           run_scene(&flight, "box-tree", 5, SEARCH_NONE, &trees) &&
           run_scene(&flight, "box-tree", 5, SEARCH_GRID, &grid);
    double all = 0;
    for (int i = 0; done && i < 36; i++)
        all += (double)graze_mesh_face_count(meshes[i]);
    if (done)
    {
        lit_measure(run, id, none.pairs, "pairs without a grid");
        lit_measure(run, id, grid.pairs, "pairs with a grid of 8^3");
        lit_measure(run, id, trees.ns / none.ns, "box-trees : no box-trees");
        lit_measure(run, id, grid.ns / none.ns, "grid and box-trees : neither");
        lit_measure(run, id, all, "faces");
    }
    cage_clear(&flight);
    lit_destroy(meshes, 36);
    return done;
}

/* A body of 20 faces among 500 flakes of 52 that stay, in a cage where they leave it room. */
bool lit_grid_one_mover(lit_run *run)
{
    const graze_mesh *meshes[501];
    graze_mesh *made[2] = {NULL, NULL};
    cage_flight flight = {0};
    scene_cost costs[3];
    const double half = 12;
    bool done = lit_make_body(LIT_SPHERE, 20, &made[0]) && lit_make_body(LIT_FLAKE, 52, &made[1]);
    meshes[0] = made[0];
    for (int i = 1; i < 501; i++)
        meshes[i] = made[1];
    done = done && cage_record(meshes, 501, 1, half - 1, run->quick ? 200 : 2000, CAGE_NOTHING, &flight);
    grz_random random = grz_random_make(3);
    for (size_t i = 1; done && i < 501; i++)
        for (size_t f = 0; f < flight.frames; f++)
        {
            graze_pose *pose = &flight.poses[f * 501 + i];
            for (int k = 0; k < 3; k++)
                pose->m[4 * k + 3] =
                    f == 0 ? grz_random_between(&random, 1 - half, half - 1) : cage_pose(&flight, 0, i)->m[4 * k + 3];
        }
    done = done && cage_answer(&flight, CAGE_SURFACES);
    for (int s = 0; done && s < 3; s++)
        done = run_scene(&flight, "edges-faces", half, (pair_search)s, &costs[s]);
    if (done)
    {
        lit_measure(run, "000/grid-one-mover", costs[SEARCH_BOXES].ns / costs[SEARCH_GRID].ns, "no grid : 8^3");
        lit_add(run, "000/grid-one-mover", "not printed", costs[SEARCH_NONE].ns / costs[SEARCH_GRID].ns,
                "neither grid nor boxes : 8^3");
    }
    cage_clear(&flight);
    lit_destroy(made, 2);
    return done;
}
