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

/* Row `row` of eight, in all lanes. */
static inline lanes spread(const float *rows, unsigned row)
{
    return lanes_fill(rows[row]);
}

/*
 * Slabs: the height n.x of a point x = matrix y + offset along a unit normal n is w.y + n.offset with
 * w = matrix^T n. The constant and the margin go into the interval.
 */
static void map_kernel(const grz_boxes8 *boxes, const grz_float_map *there, const grz_float_map *back, grz_mapped8 *out)
{
    centred c = centre_boxes(boxes);
    lanes lower[3], upper[3], normal[3], shift = lanes_fill(0.0f), margin = lanes_fill(back->slab_margin);
    map_boxes(&c, there, lower, upper);
    for (int k = 0; k < 3; k++)
    {
        lanes_store(out->lower[k], lower[k]);
        lanes_store(out->upper[k], upper[k]);
        lanes_store(out->centre[k], c.centre[k]);
        lanes_store(out->half[k], c.half[k]);
        normal[k] = lanes_load(boxes->normal[k]);
        shift = lanes_add(shift, lanes_mul(normal[k], lanes_fill(back->offset[k])));
    }
    for (int k = 0; k < 3; k++)
    {
        lanes w = lanes_mul(lanes_fill(back->matrix[0][k]), normal[0]);
        w = lanes_add(w, lanes_mul(lanes_fill(back->matrix[1][k]), normal[1]));
        lanes_store(out->direction[k], lanes_add(w, lanes_mul(lanes_fill(back->matrix[2][k]), normal[2])));
    }
    lanes_store(out->slab_lower, lanes_sub(lanes_sub(lanes_load(boxes->slab_lower), shift), margin));
    lanes_store(out->slab_upper, lanes_add(lanes_sub(lanes_load(boxes->slab_upper), shift), margin));
}

/*
 * Whether slabs, given by a direction w and an interval in a frame, may overlap boxes with slabs m of that frame. For
 * any number k, w.y = (w - k m).y + k (m.y), where m.y lies in the box's own slab and y in the box; k = w.m makes the
 * first part small where the normals are parallel.
 */
static inline truth slab_overlap(const lanes w[3], lanes lower, lanes upper, const lanes m[3], lanes m_lower,
                                 lanes m_upper, const lanes box_centre[3], const lanes box_half[3])
{
    lanes k = lanes_dot(w, m);
    lanes rest[3], size[3];
    for (int i = 0; i < 3; i++)
    {
        rest[i] = lanes_sub(w[i], lanes_mul(k, m[i]));
        size[i] = lanes_abs(rest[i]);
    }
    lanes centre = lanes_dot(rest, box_centre), half = lanes_dot(size, box_half);
    lanes one = lanes_mul(k, m_lower), other = lanes_mul(k, m_upper);
    lanes lowest = lanes_sub(lanes_add(centre, lanes_min(one, other)), half);
    lanes highest = lanes_add(lanes_add(centre, lanes_max(one, other)), half);
    return truth_and(lanes_le(lowest, upper), lanes_le(lower, highest));
}

/* Row `row` of eight boxes given by their bounds, [3][GRZ_LANES] each, against those of the lanes. */
static inline truth bounds_overlap(const float *lower, const float *upper, unsigned row, const lanes other_lower[3],
                                   const lanes other_upper[3])
{
    truth meet =
        truth_and(lanes_le(lanes_fill(lower[row]), other_upper[0]), lanes_le(other_lower[0], lanes_fill(upper[row])));
    for (unsigned k = 1; k < 3; k++)
    {
        meet = truth_and(meet, lanes_le(lanes_fill(lower[k * GRZ_LANES + row]), other_upper[k]));
        meet = truth_and(meet, lanes_le(other_lower[k], lanes_fill(upper[k * GRZ_LANES + row])));
    }
    return meet;
}

static inline void load3(const float *table, lanes out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = lanes_load(table + k * GRZ_LANES);
}

static inline void spread3(const float *table, unsigned row, lanes out[3])
{
    for (unsigned k = 0; k < 3; k++)
        out[k] = lanes_fill(table[k * GRZ_LANES + row]);
}

/* One row's slab against the lanes, then the lanes' slabs against the row. */
static inline truth slabs_meet(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row,
                               const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes)
{
    lanes w[3], m[3], centre[3], half[3];
    spread3(mapped_rows->direction[0], row, w);
    load3(lane_boxes->normal[0], m);
    load3(mapped_lanes->centre[0], centre);
    load3(mapped_lanes->half[0], half);
    truth meet = slab_overlap(w, spread(mapped_rows->slab_lower, row), spread(mapped_rows->slab_upper, row), m,
                              lanes_load(lane_boxes->slab_lower), lanes_load(lane_boxes->slab_upper), centre, half);
    if (truth_bits(meet) == 0)
        return meet;
    load3(mapped_lanes->direction[0], w);
    spread3(rows->normal[0], row, m);
    spread3(mapped_rows->centre[0], row, centre);
    spread3(mapped_rows->half[0], row, half);
    return truth_and(meet, slab_overlap(w, lanes_load(mapped_lanes->slab_lower), lanes_load(mapped_lanes->slab_upper),
                                        m, spread(rows->slab_lower, row), spread(rows->slab_upper, row), centre, half));
}

static void boxes_kernel(const grz_boxes8 *rows, const grz_mapped8 *mapped_rows, unsigned row_mask,
                         const grz_boxes8 *lane_boxes, const grz_mapped8 *mapped_lanes, uint8_t out[GRZ_LANES])
{
    lanes own_lower[3], own_upper[3], seen_lower[3], seen_upper[3];
    load3(lane_boxes->lower[0], own_lower);
    load3(lane_boxes->upper[0], own_upper);
    load3(mapped_lanes->lower[0], seen_lower);
    load3(mapped_lanes->upper[0], seen_upper);
    memset(out, 0, GRZ_LANES);
    for (unsigned left = row_mask; left != 0; left &= left - 1)
    {
        unsigned row = (unsigned)__builtin_ctz(left);
        truth meet = bounds_overlap(mapped_rows->lower[0], mapped_rows->upper[0], row, own_lower, own_upper);
        meet = truth_and(meet, bounds_overlap(rows->lower[0], rows->upper[0], row, seen_lower, seen_upper));
        if (truth_bits(meet) != 0)
            out[row] =
                (uint8_t)truth_bits(truth_and(meet, slabs_meet(rows, mapped_rows, row, lane_boxes, mapped_lanes)));
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
 * in all `base` + `slope` S. Products of three numbers may underflow, each costing less than 2^-126 times the other
 * factors, which are below 4; for the few dozen of them 2^-118 is added, so that nothing is concluded from numbers that
 * small.
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
    lanes absolute = lanes_add(lanes_mul(sum, lanes_fill(1.001f * both)), lanes_fill(0x1p-118f));
    f->base = lanes_add(absolute, lanes_mul(f->slope, lanes_add(f->reach, lanes_fill(both))));
}

/* Whether points at three heights surely lie strictly on one side, given what heights are off by. */
static inline truth on_one_side(const lanes heights[3], lanes bound)
{
    lanes lowest = lanes_min(lanes_min(heights[0], heights[1]), heights[2]);
    lanes highest = lanes_max(lanes_max(heights[0], heights[1]), heights[2]);
    return truth_or(lanes_lt(bound, lowest), lanes_lt(highest, lanes_sub(lanes_fill(0.0f), bound)));
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

/* The lanes of B that may meet one triangle of A, of those given. */
static inline unsigned row_meets(const facet_table *a, unsigned row, const facets *b, unsigned given)
{
    lanes n[3], heights[3];
    spread3(a->normal[0], row, n);
    lanes level = spread(a->level, row);
    for (int c = 0; c < 3; c++)
        heights[c] = lanes_sub(lanes_dot(n, b->corners[c]), level);
    lanes bound = lanes_add(spread(a->base, row), lanes_mul(spread(a->slope, row), b->reach));
    given &= ~truth_bits(on_one_side(heights, bound));
    if (given == 0)
        return 0;
    for (int c = 0; c < 3; c++)
    {
        lanes corner[3];
        spread3(a->corners[c][0], row, corner);
        heights[c] = lanes_sub(lanes_dot(b->normal, corner), b->level);
    }
    bound = lanes_add(b->base, lanes_mul(b->slope, spread(a->reach, row)));
    return given & ~truth_bits(on_one_side(heights, bound));
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
        truth meet = lanes_le(spread(table.lower[0], row), wide_upper[0]);
        meet = truth_and(meet, lanes_le(wide_lower[0], spread(table.upper[0], row)));
        for (int k = 1; k < 3; k++)
        {
            meet = truth_and(meet, lanes_le(spread(table.lower[k], row), wide_upper[k]));
            meet = truth_and(meet, lanes_le(wide_lower[k], spread(table.upper[k], row)));
        }
        out[row] = 0;
        unsigned given = truth_bits(meet) & lane_mask;
        if (given != 0)
            out[row] = (uint8_t)row_meets(&table, row, &lane, given);
    }
}

const grz_kernels GRZ_KERNELS = {GRZ_KERNELS_NAME, map_kernel, boxes_kernel, triangles_kernel};
