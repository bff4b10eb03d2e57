/* SPDX-License-Identifier: MIT */
/*
 * The kernels themselves; included once by each kernels_<set>.c, which defines GRZ_KERNELS, the table's name, and
 * GRZ_KERNELS_NAME.
 *
 * Margins. In any rounding mode a float operation is off by at most 2^-23 of its result. What the map's margins must
 * cover for the box test is derived in pair/relative.c; for triangles it is derived here, in terms of the map's error_a
 * and error_b, so that a pair is dropped only when the real triangles surely do not meet.
 */
#include "simd/kernels.h"
#include "simd/lanes.h"

/* ---- boxes ---- */

/* Centres and half sizes of eight boxes. */
typedef struct centred
{
    lanes centre[3], half[3];
} centred;

static inline centred centre_boxes(const grz_boxes8 *boxes)
{
    centred c;
    lanes one_half = lanes_fill(0.5f);
    for (int k = 0; k < 3; k++)
    {
        lanes lower = lanes_load(boxes->lower[k]), upper = lanes_load(boxes->upper[k]);
        c.centre[k] = lanes_mul(one_half, lanes_add(lower, upper));
        c.half[k] = lanes_mul(one_half, lanes_sub(upper, lower));
    }
    return c;
}

/* The axis-parallel boxes, in the other frame, around eight boxes. */
static inline void map_boxes(const centred *c, const grz_float_map *map, lanes lower[3], lanes upper[3])
{
    for (int k = 0; k < 3; k++)
    {
        lanes centre = lanes_fill(map->offset[k]), half = lanes_fill(map->margin[k]);
        for (int j = 0; j < 3; j++)
        {
            lanes factor = lanes_fill(map->matrix[k][j]);
            centre = lanes_add(centre, lanes_mul(factor, c->centre[j]));
            half = lanes_add(half, lanes_mul(lanes_abs(factor), c->half[j]));
        }
        lower[k] = lanes_sub(centre, half);
        upper[k] = lanes_add(centre, half);
    }
}

/*
 * Whether slabs with unit normals n (rows), seen by the boxes and slabs of the lanes, may overlap. In the lanes' frame
 * the height n.x + const of a point y is w.y + n.offset with w = matrix^T n. For any number k, w.y = (w - k m).y + k
 * (m.y), where m.y lies in the lane's own slab and y in its box; k = w.m makes the first part small where the normals
 * are parallel.
 */
static inline truth slab_overlap(const lanes w[3], lanes lower, lanes upper, const lanes m[3], lanes m_lower,
                                 lanes m_upper, const centred *box)
{
    lanes k = lanes_dot(w, m);
    lanes rest[3], size[3];
    for (int i = 0; i < 3; i++)
    {
        rest[i] = lanes_sub(w[i], lanes_mul(k, m[i]));
        size[i] = lanes_abs(rest[i]);
    }
    lanes centre = lanes_dot(rest, box->centre), half = lanes_dot(size, box->half);
    lanes one = lanes_mul(k, m_lower), other = lanes_mul(k, m_upper);
    lanes lowest = lanes_sub(lanes_add(centre, lanes_min(one, other)), half);
    lanes highest = lanes_add(lanes_add(centre, lanes_max(one, other)), half);
    return truth_and(lanes_le(lowest, upper), lanes_le(lower, highest));
}

/* Row `row` of eight, in all lanes. */
static inline lanes spread(const float *rows, int row)
{
    return lanes_fill(rows[row]);
}

/* Eight slabs as seen from the other frame. There the height of a point y is w.y, shifted by a constant that goes into
   the interval, which is widened by the map's margin. */
typedef struct pulled_slabs
{
    lanes w[3], lower, upper;
} pulled_slabs;

/* `map` leads from the other frame into the slabs' own. */
static inline pulled_slabs pull_slabs(const grz_boxes8 *boxes, const grz_float_map *map)
{
    pulled_slabs p;
    lanes normal[3], shift = lanes_fill(0.0f), margin = lanes_fill(map->slab_margin);
    for (int k = 0; k < 3; k++)
    {
        normal[k] = lanes_load(boxes->normal[k]);
        shift = lanes_add(shift, lanes_mul(normal[k], lanes_fill(map->offset[k])));
    }
    for (int k = 0; k < 3; k++)
    {
        p.w[k] = lanes_mul(lanes_fill(map->matrix[0][k]), normal[0]);
        p.w[k] = lanes_add(p.w[k], lanes_mul(lanes_fill(map->matrix[1][k]), normal[1]));
        p.w[k] = lanes_add(p.w[k], lanes_mul(lanes_fill(map->matrix[2][k]), normal[2]));
    }
    p.lower = lanes_sub(lanes_sub(lanes_load(boxes->slab_lower), shift), margin);
    p.upper = lanes_add(lanes_sub(lanes_load(boxes->slab_upper), shift), margin);
    return p;
}

/* What rows need to be spread one by one. */
typedef struct row_table
{
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];                      /* in the lanes' frame */
    float centre[3][GRZ_LANES], half[3][GRZ_LANES];                      /* in their own */
    float w[3][GRZ_LANES], slab_lower[GRZ_LANES], slab_upper[GRZ_LANES]; /* slabs in the lanes' frame */
} row_table;

static inline void fill_rows(const grz_boxes8 *rows, const grz_float_map *to_rows, const grz_float_map *to_lanes,
                             row_table *table)
{
    centred c = centre_boxes(rows);
    lanes lower[3], upper[3];
    map_boxes(&c, to_lanes, lower, upper);
    pulled_slabs slabs = pull_slabs(rows, to_rows);
    for (int k = 0; k < 3; k++)
    {
        lanes_store(table->lower[k], lower[k]);
        lanes_store(table->upper[k], upper[k]);
        lanes_store(table->centre[k], c.centre[k]);
        lanes_store(table->half[k], c.half[k]);
        lanes_store(table->w[k], slabs.w[k]);
    }
    lanes_store(table->slab_lower, slabs.lower);
    lanes_store(table->slab_upper, slabs.upper);
}

static void boxes_kernel(const grz_boxes8 *rows, unsigned row_mask, const grz_boxes8 *lane_boxes,
                         const grz_float_map *to_rows, const grz_float_map *to_lanes, uint8_t out[GRZ_LANES])
{
    row_table table;
    fill_rows(rows, to_rows, to_lanes, &table);
    centred lane_centres = centre_boxes(lane_boxes);
    lanes lane_lower[3], lane_upper[3]; /* in the rows' frame */
    map_boxes(&lane_centres, to_rows, lane_lower, lane_upper);
    pulled_slabs lane_slabs = pull_slabs(lane_boxes, to_lanes);
    lanes own_lower[3], own_upper[3], normal[3];
    for (int k = 0; k < 3; k++)
    {
        own_lower[k] = lanes_load(lane_boxes->lower[k]);
        own_upper[k] = lanes_load(lane_boxes->upper[k]);
        normal[k] = lanes_load(lane_boxes->normal[k]);
    }
    lanes slab_lower = lanes_load(lane_boxes->slab_lower), slab_upper = lanes_load(lane_boxes->slab_upper);
    for (int row = 0; row < GRZ_LANES; row++)
    {
        out[row] = 0;
        if ((row_mask >> row & 1) == 0)
            continue;
        truth meet = lanes_le(spread(rows->lower[0], row), lane_upper[0]);
        meet = truth_and(meet, lanes_le(lane_lower[0], spread(rows->upper[0], row)));
        for (int k = 1; k < 3; k++)
        {
            meet = truth_and(meet, lanes_le(spread(rows->lower[k], row), lane_upper[k]));
            meet = truth_and(meet, lanes_le(lane_lower[k], spread(rows->upper[k], row)));
        }
        for (int k = 0; k < 3; k++)
        {
            meet = truth_and(meet, lanes_le(spread(table.lower[k], row), own_upper[k]));
            meet = truth_and(meet, lanes_le(own_lower[k], spread(table.upper[k], row)));
        }
        if (truth_bits(meet) == 0)
            continue;
        lanes w[3], n[3];
        centred box;
        for (int k = 0; k < 3; k++)
            w[k] = spread(table.w[k], row);
        meet = truth_and(meet, slab_overlap(w, spread(table.slab_lower, row), spread(table.slab_upper, row), normal,
                                            slab_lower, slab_upper, &lane_centres));
        if (truth_bits(meet) == 0)
            continue;
        for (int k = 0; k < 3; k++)
        {
            n[k] = spread(rows->normal[k], row);
            box.centre[k] = spread(table.centre[k], row);
            box.half[k] = spread(table.half[k], row);
        }
        meet = truth_and(meet, slab_overlap(lane_slabs.w, lane_slabs.lower, lane_slabs.upper, n,
                                            spread(rows->slab_lower, row), spread(rows->slab_upper, row), &box));
        out[row] = (uint8_t)truth_bits(meet);
    }
}

/* ---- triangles ---- */

/*
 * Eight triangles with what their planes need. Heights above a triangle's plane are n.x - n.c, n the cross product of
 * its edges from corner c. Let `own` bound what its corners' coordinates are off by, `both` what differences to the
 * other triangles' are off by; L the edges' largest coordinate, R and S the corners' largest coordinate in this and the
 * other triangle. A computed height is then off by at most |n|_1 both                                (x - c is off by
 * both),
 *   + 24 (L + own) own (R + S + both)           (n is a cross product of edges with coordinates off by 2 own),
 *   + 2^-23 * 64 (L + own)^2 (R + S + both)     (less than 10 roundings of six products of three numbers),
 * in all `base` + `slope` S.
 */
typedef struct facets
{
    lanes corners[3][3]; /* [corner][axis] */
    lanes lower[3], upper[3];
    lanes normal[3], level; /* n and n.c */
    lanes base, slope;
    lanes reach; /* R */
} facets;

static inline lanes max_abs3(const lanes a[3])
{
    return lanes_max(lanes_max(lanes_abs(a[0]), lanes_abs(a[1])), lanes_abs(a[2]));
}

static inline void finish_facets(facets *f, float own, float both)
{
    lanes e[3], g[3];
    for (int k = 0; k < 3; k++)
    {
        f->lower[k] = lanes_min(lanes_min(f->corners[0][k], f->corners[1][k]), f->corners[2][k]);
        f->upper[k] = lanes_max(lanes_max(f->corners[0][k], f->corners[1][k]), f->corners[2][k]);
        e[k] = lanes_sub(f->corners[1][k], f->corners[0][k]);
        g[k] = lanes_sub(f->corners[2][k], f->corners[0][k]);
    }
    lanes_cross(e, g, f->normal);
    f->level = lanes_dot(f->normal, f->corners[0]);
    f->reach = lanes_max(max_abs3(f->lower), max_abs3(f->upper));
    lanes sum = lanes_add(lanes_add(lanes_abs(f->normal[0]), lanes_abs(f->normal[1])), lanes_abs(f->normal[2]));
    lanes size = lanes_add(lanes_max(max_abs3(e), max_abs3(g)), lanes_fill(own));
    lanes per_size = lanes_add(lanes_fill(25 * own), lanes_mul(lanes_fill(72 * 0x1p-23f), size));
    f->slope = lanes_mul(size, per_size);
    f->base = lanes_add(lanes_mul(sum, lanes_fill(1.001f * both)),
                        lanes_mul(f->slope, lanes_add(f->reach, lanes_fill(both))));
}

/* Whether points at three heights may fail to lie strictly on one side, given what heights are off by. */
static inline truth may_straddle(const lanes heights[3], lanes bound)
{
    lanes lowest = lanes_min(lanes_min(heights[0], heights[1]), heights[2]);
    lanes highest = lanes_max(lanes_max(heights[0], heights[1]), heights[2]);
    return truth_and(lanes_le(lowest, bound), lanes_le(lanes_sub(lanes_fill(0.0f), bound), highest));
}

/* Grid coordinates in the leaf's own frame. */
static inline void load_corners(const grz_triangles8 *leaf, lanes corners[3][3])
{
    lanes unit = lanes_fill(leaf->unit);
    for (int c = 0; c < 3; c++)
    {
        for (int k = 0; k < 3; k++)
            corners[c][k] = lanes_mul(unit, lanes_load_short(leaf->corners[c][k]));
    }
}

static inline void map_corners(const grz_leaf_map *map, lanes corners[3][3])
{
    for (int c = 0; c < 3; c++)
    {
        lanes q[3] = {corners[c][0], corners[c][1], corners[c][2]};
        for (int k = 0; k < 3; k++)
        {
            lanes x = lanes_mul(lanes_fill(map->matrix[k][0]), q[0]);
            x = lanes_add(x, lanes_mul(lanes_fill(map->matrix[k][1]), q[1]));
            x = lanes_add(x, lanes_mul(lanes_fill(map->matrix[k][2]), q[2]));
            corners[c][k] = lanes_add(x, lanes_fill(map->offset[k]));
        }
    }
}

/* A's triangles, to be spread one by one. */
typedef struct facet_table
{
    float corners[3][3][GRZ_LANES];
    float lower[3][GRZ_LANES], upper[3][GRZ_LANES];
    float normal[3][GRZ_LANES], level[GRZ_LANES];
    float base[GRZ_LANES], slope[GRZ_LANES], reach[GRZ_LANES];
} facet_table;

static inline void store_facets(const facets *f, facet_table *table)
{
    for (int k = 0; k < 3; k++)
    {
        for (int c = 0; c < 3; c++)
            lanes_store(table->corners[c][k], f->corners[c][k]);
        lanes_store(table->lower[k], f->lower[k]);
        lanes_store(table->upper[k], f->upper[k]);
        lanes_store(table->normal[k], f->normal[k]);
    }
    lanes_store(table->level, f->level);
    lanes_store(table->base, f->base);
    lanes_store(table->slope, f->slope);
    lanes_store(table->reach, f->reach);
}

/* One triangle of A against eight of B. */
static inline truth row_meets(const facet_table *a, int row, const facets *b)
{
    lanes n[3], heights[3];
    for (int k = 0; k < 3; k++)
        n[k] = spread(a->normal[k], row);
    lanes level = spread(a->level, row);
    for (int c = 0; c < 3; c++)
        heights[c] = lanes_sub(lanes_dot(n, b->corners[c]), level);
    lanes bound = lanes_add(spread(a->base, row), lanes_mul(spread(a->slope, row), b->reach));
    truth meet = may_straddle(heights, bound);
    if (truth_bits(meet) == 0)
        return meet;
    for (int c = 0; c < 3; c++)
    {
        lanes corner[3] = {spread(a->corners[c][0], row), spread(a->corners[c][1], row), spread(a->corners[c][2], row)};
        heights[c] = lanes_sub(lanes_dot(b->normal, corner), b->level);
    }
    bound = lanes_add(b->base, lanes_mul(b->slope, spread(a->reach, row)));
    return truth_and(meet, may_straddle(heights, bound));
}

static void triangles_kernel(const grz_triangles8 *a, unsigned row_count, const grz_triangles8 *b, unsigned lane_mask,
                             const grz_leaf_map *map, uint8_t out[GRZ_LANES])
{
    float error_b = map->error_b[0] > map->error_b[1] ? map->error_b[0] : map->error_b[1];
    error_b = error_b > map->error_b[2] ? error_b : map->error_b[2];
    facets rows, lane;
    load_corners(b, lane.corners);
    map_corners(map, lane.corners);
    finish_facets(&lane, error_b, map->error_a + error_b);
    load_corners(a, rows.corners);
    finish_facets(&rows, map->error_a, map->error_a + error_b);
    facet_table table;
    store_facets(&rows, &table);
    lanes wide_lower[3], wide_upper[3];
    for (int k = 0; k < 3; k++)
    {
        lanes margin = lanes_fill(map->error_a + map->error_b[k]);
        wide_lower[k] = lanes_sub(lane.lower[k], margin);
        wide_upper[k] = lanes_add(lane.upper[k], margin);
    }
    for (unsigned row = 0; row < row_count; row++)
    {
        truth meet = lanes_le(spread(table.lower[0], (int)row), wide_upper[0]);
        meet = truth_and(meet, lanes_le(wide_lower[0], spread(table.upper[0], (int)row)));
        for (int k = 1; k < 3; k++)
        {
            meet = truth_and(meet, lanes_le(spread(table.lower[k], (int)row), wide_upper[k]));
            meet = truth_and(meet, lanes_le(wide_lower[k], spread(table.upper[k], (int)row)));
        }
        out[row] = 0;
        if ((truth_bits(meet) & lane_mask) != 0)
            out[row] = (uint8_t)(truth_bits(truth_and(meet, row_meets(&table, (int)row, &lane))) & lane_mask);
    }
}

const grz_kernels GRZ_KERNELS = {GRZ_KERNELS_NAME, boxes_kernel, triangles_kernel};
