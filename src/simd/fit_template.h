/* SPDX-License-Identifier: MIT */
/*
 * The kernels of fit.h. A file that includes this defines GRZ_KERNELS, the name of the table, and GRZ_KERNELS_NAME.
 */
#include "base/strict_float.h"
#include "simd/fit.h"
#include "simd/fit_vectors.h"

/* ---- leaves ---- */

/* The corners of a leaf's triangles in tree coordinates, by axis. */
typedef struct grz_fit_corners
{
    f64x8 x[3][3];
} grz_fit_corners;

/* Scaling by a power of two is exact and the difference is rounded once: the error bound of coordinates is 2^-51,
   flushed denormals included. */
static inline void read_corners(const grz_fit_source *source, const uint32_t *order, uint32_t count,
                                grz_fit_corners *out)
{
    const uint32_t *triangles[GRZ_LANES];
    for (uint32_t lane = 0; lane < GRZ_LANES; lane++)
        triangles[lane] = source->triangles + 3 * (size_t)order[lane < count ? lane : 0];
    f64x8 scale = f64x8_splat(source->scale);
    for (int corner = 0; corner < 3; corner++)
    {
        const double *vertices[GRZ_LANES];
        for (int lane = 0; lane < GRZ_LANES; lane++)
            vertices[lane] = source->vertices + 3 * (size_t)triangles[lane][corner];
        v3x8 v = v3x8_of_vertices(vertices);
        out->x[corner][0] = f64x8_sub(f64x8_mul(v.x, scale), f64x8_splat(source->origin[0]));
        out->x[corner][1] = f64x8_sub(f64x8_mul(v.y, scale), f64x8_splat(source->origin[1]));
        out->x[corner][2] = f64x8_sub(f64x8_mul(v.z, scale), f64x8_splat(source->origin[2]));
    }
}

/* A power of two above x and not below 2^-60, and its inverse. */
static inline double power_above(double x, double *out_inverse)
{
    uint64_t bits;
    x = x >= 0x1p-61 ? x : 0x1p-61;
    memcpy(&bits, &x, sizeof bits);
    bits = ((bits >> 52) + 1) << 52;
    memcpy(&x, &bits, sizeof x);
    bits = (UINT64_C(2046) << 52) - bits; /* the exponent field is biased by 1023 */
    memcpy(out_inverse, &bits, sizeof bits);
    return x;
}

static inline double wider(double a, double b)
{
    return a > b ? a : b;
}

/*
 * The grid is 32766 units wide on each side of the centre of the box. A coordinate is rounded to the nearest grid
 * point, except for the rounding of the sum, 2^-36 of a unit: well within GRZ_QUANTIZATION_ERROR in any rounding mode.
 * In floats it would not be. The error of the corners relative to the centre is below 2^-50 in doubles, and the
 * conversion adds a relative 2^-23.
 */
static inline void write_corners(const grz_fit_corners *corners, double inverse, grz_triangles8 *grid,
                                 grz_fit_floats *floats, f32x8 out[3][3])
{
    f64x8 steps_of = f64x8_splat(inverse), half = f64x8_splat(32768.5);
    for (int axis = 0; axis < 3; axis++)
    {
        f64x8 middle = f64x8_splat(floats->centre[axis]);
        for (int corner = 0; corner < 3; corner++)
        {
            f64x8 offset = f64x8_sub(corners->x[corner][axis], middle);
            out[corner][axis] = f64x8_to_f32x8(offset);
            f32x8_store(floats->corners[corner][axis], out[corner][axis]);
            f64x8_store_i16(grid->corners[corner][axis], f64x8_add(f64x8_mul(offset, steps_of), half));
        }
    }
}

/* In the order of the lanes; unused ones add zeros. */
static inline void sum_normals(f32x8 corners[3][3], uint32_t count, double normal[3])
{
    static const float numbers[GRZ_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    mask32x8 valid = f32x8_lt(f32x8_load(numbers), f32x8_splat((float)count));
    float normals[3][GRZ_LANES];
    f32x8 q[3], r[3];
    for (int axis = 0; axis < 3; axis++)
    {
        q[axis] = f32x8_sub(corners[1][axis], corners[0][axis]);
        r[axis] = f32x8_sub(corners[2][axis], corners[0][axis]);
    }
    for (int axis = 0; axis < 3; axis++)
    {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        f32x8 product = f32x8_sub(f32x8_mul(q[next], r[last]), f32x8_mul(q[last], r[next]));
        f32x8_store(normals[axis], f32x8_select(valid, product, f32x8_splat(0)));
    }
    double x = 0, y = 0, z = 0;
    for (int lane = 0; lane < GRZ_LANES; lane++)
    {
        x += normals[0][lane];
        y += normals[1][lane];
        z += normals[2][lane];
    }
    normal[0] = x;
    normal[1] = y;
    normal[2] = z;
}

static void leaf_kernel(const grz_fit_source *source, const uint32_t *order, uint32_t count, grz_triangles8 *out_grid,
                        grz_fit_floats *out_floats, grz_fit_box *out_box)
{
    grz_fit_corners corners;
    double extent = 0;
    read_corners(source, order, count, &corners);
    for (int axis = 0; axis < 3; axis++)
    {
        f64x8 p = corners.x[0][axis], q = corners.x[1][axis], r = corners.x[2][axis];
        float lower = grz_fit_below(f64x8_reduce_min(f64x8_min(f64x8_min(p, q), r)));
        float upper = grz_fit_above(f64x8_reduce_max(f64x8_max(f64x8_max(p, q), r)));
        float centre = 0.5f * lower + 0.5f * upper;
        extent = wider(extent, wider((double)upper - centre, (double)centre - lower));
        out_box->lower[axis] = lower;
        out_box->upper[axis] = upper;
        out_floats->centre[axis] = out_grid->centre[axis] = centre;
    }
    double inverse;
    f32x8 floats[3][3];
    out_grid->unit = (float)power_above(extent / 32766.0, &inverse);
    write_corners(&corners, inverse, out_grid, out_floats, floats);
    sum_normals(floats, count, out_box->normal);
}

/* ---- slabs ---- */

static void span_kernel(const grz_fit_floats *leaves, uint32_t count, const float direction[3], float *out_lower,
                        float *out_upper)
{
    f32x8 x = f32x8_splat(direction[0]), y = f32x8_splat(direction[1]), z = f32x8_splat(direction[2]);
    f32x8 lower = f32x8_splat(INFINITY), upper = f32x8_splat(-INFINITY);
    for (uint32_t i = 0; i < count; i++)
    {
        double base = 0;
        for (int axis = 0; axis < 3; axis++)
            base += (double)direction[axis] * ((double)leaves[i].centre[axis] - leaves[0].centre[axis]);
        f32x8 low = f32x8_splat(INFINITY), high = f32x8_splat(-INFINITY), offset = f32x8_splat((float)base);
        for (int corner = 0; corner < 3; corner++)
        {
            const float(*p)[GRZ_LANES] = leaves[i].corners[corner];
            f32x8 height = f32x8_add(f32x8_add(f32x8_mul(x, f32x8_load(p[0])), f32x8_mul(y, f32x8_load(p[1]))),
                                     f32x8_mul(z, f32x8_load(p[2])));
            low = f32x8_min(low, height);
            high = f32x8_max(high, height);
        }
        lower = f32x8_min(lower, f32x8_add(low, offset));
        upper = f32x8_max(upper, f32x8_add(high, offset));
    }
    *out_lower = f32x8_reduce_min(lower);
    *out_upper = f32x8_reduce_max(upper);
}

const grz_fit_kernels GRZ_KERNELS = {.name = GRZ_KERNELS_NAME, .leaf = leaf_kernel, .span = span_kernel};
