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
 * Whether slabs with unit normals n (rows), seen by the boxes and slabs of the lanes, may overlap. In the lanes' frame the height
 * n.x + const of a point y is w.y + n.offset with w = matrix^T n. For any number k, w.y = (w - k m).y + k (m.y), where m.y
 * lies in the lane's own slab and y in its box; k = w.m makes the first part small where the normals are parallel.
 */
static inline truth slab_overlap(const lanes w[3], lanes lower, lanes upper, const lanes m[3], lanes m_lower, lanes m_upper,
                                 const centred *box)
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

static void boxes_kernel(const grz_boxes8 *rows, unsigned row_mask, const grz_boxes8 *lane_boxes,
                         const grz_float_map *to_rows, const grz_float_map *to_lanes, uint8_t out[GRZ_LANES])
{
    centred row_centres = centre_boxes(rows), lane_centres = centre_boxes(lane_boxes);
    lanes lane_lower[3], lane_upper[3]; /* the lanes' boxes in the rows' frame */
    map_boxes(&lane_centres, to_rows, lane_lower, lane_upper);
    lanes mapped_lower[3], mapped_upper[3]; /* the rows' boxes in the lanes' frame */
    map_boxes(&row_centres, to_lanes, mapped_lower, mapped_upper);
    float row_lower[3][GRZ_LANES], row_upper[3][GRZ_LANES];
    float row_centre[3][GRZ_LANES], row_half[3][GRZ_LANES];
    lanes own_lower[3], own_upper[3], normal[3], pulled[3];
    for (int k = 0; k < 3; k++)
    {
        lanes_store(row_lower[k], mapped_lower[k]);
        lanes_store(row_upper[k], mapped_upper[k]);
        lanes_store(row_centre[k], row_centres.centre[k]);
        lanes_store(row_half[k], row_centres.half[k]);
        own_lower[k] = lanes_load(lane_boxes->lower[k]);
        own_upper[k] = lanes_load(lane_boxes->upper[k]);
        normal[k] = lanes_load(lane_boxes->normal[k]);
    }
    /* The lanes' normals, pulled into the rows' frame, and their slabs there. */
    for (int k = 0; k < 3; k++)
    {
        pulled[k] = lanes_mul(lanes_fill(to_lanes->matrix[0][k]), normal[0]);
        pulled[k] = lanes_add(pulled[k], lanes_mul(lanes_fill(to_lanes->matrix[1][k]), normal[1]));
        pulled[k] = lanes_add(pulled[k], lanes_mul(lanes_fill(to_lanes->matrix[2][k]), normal[2]));
    }
    lanes offset[3] = {lanes_fill(to_lanes->offset[0]), lanes_fill(to_lanes->offset[1]), lanes_fill(to_lanes->offset[2])};
    lanes shift = lanes_dot(normal, offset), slack = lanes_fill(to_lanes->slab_margin);
    lanes slab_lower = lanes_load(lane_boxes->slab_lower), slab_upper = lanes_load(lane_boxes->slab_upper);
    lanes shifted_lower = lanes_sub(lanes_sub(slab_lower, shift), slack);
    lanes shifted_upper = lanes_add(lanes_sub(slab_upper, shift), slack);

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
            meet = truth_and(meet, lanes_le(spread(row_lower[k], row), own_upper[k]));
            meet = truth_and(meet, lanes_le(own_lower[k], spread(row_upper[k], row)));
        }
        if (truth_bits(meet) == 0)
            continue;

        /* The row's slab against the lanes. */
        lanes n[3], w[3];
        for (int k = 0; k < 3; k++)
            n[k] = spread(rows->normal[k], row);
        float row_shift = 0;
        for (int k = 0; k < 3; k++)
        {
            float entry = 0;
            for (int j = 0; j < 3; j++)
                entry += to_rows->matrix[j][k] * rows->normal[j][row];
            w[k] = lanes_fill(entry);
            row_shift += to_rows->offset[k] * rows->normal[k][row];
        }
        lanes m_lower = spread(rows->slab_lower, row), m_upper = spread(rows->slab_upper, row);
        lanes lower = lanes_fill(rows->slab_lower[row] - row_shift - to_rows->slab_margin);
        lanes upper = lanes_fill(rows->slab_upper[row] - row_shift + to_rows->slab_margin);
        meet = truth_and(meet, slab_overlap(w, lower, upper, normal, slab_lower, slab_upper, &lane_centres));

        /* The lanes' slabs against the row. */
        centred box;
        for (int k = 0; k < 3; k++)
        {
            box.centre[k] = spread(row_centre[k], row);
            box.half[k] = spread(row_half[k], row);
        }
        meet = truth_and(meet, slab_overlap(pulled, shifted_lower, shifted_upper, n, m_lower, m_upper, &box));
        out[row] = (uint8_t)truth_bits(meet);
    }
}

/* ---- triangles ---- */

/* Eight triangles, or one in all lanes, with what their planes need. */
typedef struct facets
{
    lanes corners[3][3]; /* [corner][axis] */
    lanes lower[3], upper[3];
    lanes normal[3];
    lanes normal_sum; /* |n_x| + |n_y| + |n_z| */
    lanes edge;       /* largest coordinate of the two edges from corner 0, in magnitude */
} facets;

static inline lanes max_abs3(const lanes a[3])
{
    return lanes_max(lanes_max(lanes_abs(a[0]), lanes_abs(a[1])), lanes_abs(a[2]));
}

static inline void finish_facets(facets *f)
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
    f->normal_sum = lanes_add(lanes_add(lanes_abs(f->normal[0]), lanes_abs(f->normal[1])), lanes_abs(f->normal[2]));
    f->edge = lanes_max(max_abs3(e), max_abs3(g));
}

/*
 * Whether the corners of `other` may fail to lie strictly on one side of `plane`. Let own and both bound what coordinates of the plane's
 * triangle, and differences between the two triangles, are off by. The height n.d of a corner, d its difference from corner 0,
 * is off by at most
 *     |n|_1 both                      (d is off by both),
 *   + 24 (L + own) own (D + both)     (n is a cross product of edges of size L, each coordinate off by 2 own),
 *   + 2^-23 * 60 L^2 D                (roundings: 6 products of three, at most 8 roundings each, with room),
 * where D is the largest coordinate of d.
 */
static inline truth may_straddle(const facets *plane, const facets *other, lanes own, lanes both)
{
    lanes d[3][3], heights[3], reach = lanes_fill(0.0f);
    for (int c = 0; c < 3; c++)
    {
        for (int k = 0; k < 3; k++)
            d[c][k] = lanes_sub(other->corners[c][k], plane->corners[0][k]);
        heights[c] = lanes_dot(plane->normal, d[c]);
        reach = lanes_max(reach, max_abs3(d[c]));
    }
    lanes spread_reach = lanes_add(reach, both);
    lanes size = lanes_add(plane->edge, own);
    lanes bound = lanes_mul(plane->normal_sum, both);
    bound = lanes_add(bound, lanes_mul(lanes_fill(25.0f), lanes_mul(lanes_mul(size, own), spread_reach)));
    bound = lanes_add(bound, lanes_mul(lanes_fill(64 * 0x1p-23f), lanes_mul(lanes_mul(size, size), spread_reach)));
    lanes lowest = lanes_min(lanes_min(heights[0], heights[1]), heights[2]);
    lanes highest = lanes_max(lanes_max(heights[0], heights[1]), heights[2]);
    return truth_and(lanes_le(lowest, bound), lanes_le(lanes_sub(lanes_fill(0.0f), bound), highest));
}

static void triangles_kernel(const grz_triangles8 *a, unsigned row_count, const grz_triangles8 *b, unsigned lane_mask,
                             const grz_leaf_map *map, uint8_t out[GRZ_LANES])
{
    facets lane;
    lanes b_unit = lanes_fill(b->unit);
    for (int c = 0; c < 3; c++)
    {
        lanes q[3];
        for (int k = 0; k < 3; k++)
            q[k] = lanes_mul(b_unit, lanes_load_short(b->corners[c][k]));
        for (int k = 0; k < 3; k++)
        {
            lanes x = lanes_mul(lanes_fill(map->matrix[k][0]), q[0]);
            x = lanes_add(x, lanes_mul(lanes_fill(map->matrix[k][1]), q[1]));
            x = lanes_add(x, lanes_mul(lanes_fill(map->matrix[k][2]), q[2]));
            lane.corners[c][k] = lanes_add(x, lanes_fill(map->offset[k]));
        }
    }
    finish_facets(&lane);
    float error_b = map->error_b[0] > map->error_b[1] ? map->error_b[0] : map->error_b[1];
    error_b = error_b > map->error_b[2] ? error_b : map->error_b[2];
    lanes own_a = lanes_fill(map->error_a), own_b = lanes_fill(error_b), both = lanes_fill(map->error_a + error_b);
    lanes wide_lower[3], wide_upper[3];
    for (int k = 0; k < 3; k++)
    {
        lanes margin = lanes_fill(map->error_a + map->error_b[k]);
        wide_lower[k] = lanes_sub(lane.lower[k], margin);
        wide_upper[k] = lanes_add(lane.upper[k], margin);
    }
    for (unsigned row = 0; row < row_count; row++)
    {
        facets single;
        for (int c = 0; c < 3; c++)
        {
            for (int k = 0; k < 3; k++)
                single.corners[c][k] = lanes_fill(a->unit * (float)a->corners[c][k][row]);
        }
        truth meet;
        for (int k = 0; k < 3; k++)
        {
            lanes lower = lanes_min(lanes_min(single.corners[0][k], single.corners[1][k]), single.corners[2][k]);
            lanes upper = lanes_max(lanes_max(single.corners[0][k], single.corners[1][k]), single.corners[2][k]);
            truth along = truth_and(lanes_le(lower, wide_upper[k]), lanes_le(wide_lower[k], upper));
            meet = k == 0 ? along : truth_and(meet, along);
        }
        out[row] = 0;
        if ((truth_bits(meet) & lane_mask) == 0)
            continue;
        finish_facets(&single);
        meet = truth_and(meet, may_straddle(&single, &lane, own_a, both));
        meet = truth_and(meet, may_straddle(&lane, &single, own_b, both));
        out[row] = (uint8_t)(truth_bits(meet) & lane_mask);
    }
}

const grz_kernels GRZ_KERNELS = {GRZ_KERNELS_NAME, boxes_kernel, triangles_kernel};
