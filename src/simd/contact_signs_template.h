/* SPDX-License-Identifier: MIT */
/*
 * Signs of determinants of the corners of two triangles, eight pairs side by side, in doubles; part of
 * contact_template.h. Rounding is to nearest, and denormals are kept: the caller sees to that. u = 2^-53.
 *
 * Certain signs. Let e be the error bound of a coordinate of B (A's are exact), M the largest extent of all six corners
 * on an axis, enlarged to 1024 e. A determinant of three differences has an error of at most M^2 (196 e + 680 (2 u) M)
 * + 2^-600: pair/hit/triangle_filter.c derives it for smaller M and larger roundings. Areas, of coordinates without
 * error: each difference has an error of u M, so a product 2.1 u M^2 and one rounding more; two products and their
 * difference, of at most 2 M^2, less than 8.3 u M^2; 16 u M^2 is taken.
 *
 * Zeros are proved in two ways:
 * - On a lattice. If all 18 coordinates are multiples of some power of two U, and M < 2^16 U, then every difference,
 *   product and partial sum of all determinants is an integer multiple of U, U^2 or U^3, below 12 M^3 < 2^52 U^3, and
 * so a double: nothing is rounded. With 2^E <= M < 2^(E+1) we take U = 2^(E-15). For C = 1.5 2^(E+37) and |x| <=
 *   2^(E+36), x + C is rounded to a multiple of 2^(E+37-52) = U, so that (x + C) - C = x exactly for multiples of U.
 * U^3 is far above the denormals for M >= 2^-280. Where all coordinates of both meshes are on one lattice, and their
 * common extent is below 2^16 U (pair/hit/contact_frame.c), nothing is tested for each pair.
 * - By equal corners. A determinant with two equal points is 0.
 * Both need coordinates without error: B's pose in A's frame translates only, and the sum of a coordinate and the
 * translation is exact, by its error term (Knuth's TwoSum).
 *
 * The rest of a translation. Where both poses have the same rotation, B's corners in A's frame are v + t + r: t is
 * chosen such that sums with it are exact, and r, the rest, is some 1e-16 of it, known up to an error. All determinants
 * are linear in B's position: d + w . r, with w the normal or the product of two edges e and f. Where d exceeds |w|_1
 * |r| and its error bound, it gives the sign; where it is 0, w . r does, with an error of |w|_1 times that of r, 5.1 u
 * |w|_1 |r| for roundings, and that of w. As w . r is a determinant, errors of e cost u M |f x r|_1 <= 4 u M^2 |r| (its
 * largest value, at corners of cubes), those of f as much, six products 6 u M^2 |r|: 14.1 u M^2 |r|. Underflow costs
 * less than 2^-1000.
 */
#ifndef GRZ_SIMD_CONTACT_SIGNS_TEMPLATE_H
#define GRZ_SIMD_CONTACT_SIGNS_TEMPLATE_H

#include "simd/contact_bits.h"
#include "simd/f64x8_points.h"
#include "simd/kernels.h"

#define LEAST_LATTICE 0x1p-280
#define MOST_LATTICE 0x1p300

/* A group of eight pairs. */
typedef struct contact_group
{
    f64x8 a[3][3], b[3][3]; /* [corner][axis] */
    f64x8 normal_a[3], normal_b[3];
    f64x8 size;              /* M */
    f64x8 bound, area_bound; /* error bounds of determinants and areas; 0 on a lattice */
    unsigned exact;          /* pairs whose coordinates have no error but the rest */
    unsigned lattice;        /* of these, pairs on a lattice */
    const grz_contact_frame *frame;
} contact_group;

/* What proves zeros, of all groups. */
typedef struct zero_groups
{
    group_bits lattice;
    group_bits equal[3][3]; /* of the other exact pairs: corner i of A is corner j of B */
} zero_groups;

typedef struct zero_proofs
{
    pair_bits lattice, equal[3][3], any_equal;
    bool has_rest; /* of the translation */
} zero_proofs;

/* Comparisons of a number d in all groups: beyond its error bound, or 0. */
typedef struct sign_groups
{
    group_bits positive, negative, zero;
} sign_groups;

static inline void contact_subtract(const f64x8 a[3], const f64x8 b[3], f64x8 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = f64x8_sub(a[k], b[k]);
}

static inline void contact_cross(const f64x8 a[3], const f64x8 b[3], f64x8 out[3])
{
    out[0] = f64x8_sub(f64x8_mul(a[1], b[2]), f64x8_mul(a[2], b[1]));
    out[1] = f64x8_sub(f64x8_mul(a[2], b[0]), f64x8_mul(a[0], b[2]));
    out[2] = f64x8_sub(f64x8_mul(a[0], b[1]), f64x8_mul(a[1], b[0]));
}

static inline f64x8 contact_dot(const f64x8 a[3], const f64x8 b[3])
{
    return f64x8_add(f64x8_add(f64x8_mul(a[0], b[0]), f64x8_mul(a[1], b[1])), f64x8_mul(a[2], b[2]));
}

/* Translates a coordinate; *exact loses the pairs in which the sum is rounded. */
static inline f64x8 contact_translate(f64x8 x, double translation, mask64x8 *exact)
{
    if (translation == 0)
        return x;
    f64x8 t = f64x8_splat(translation), sum = f64x8_add(x, t), back = f64x8_sub(sum, x);
    f64x8 error = f64x8_add(f64x8_sub(x, f64x8_sub(sum, back)), f64x8_sub(t, back));
    *exact = mask64x8_and(*exact, f64x8_eq(error, f64x8_splat(0)));
    return sum;
}

static inline f64x8 contact_transform(const f64x8 v[3], const double row[4])
{
    return f64x8_add(f64x8_add(f64x8_mul(f64x8_splat(row[0]), v[0]), f64x8_mul(f64x8_splat(row[1]), v[1])),
                     f64x8_add(f64x8_mul(f64x8_splat(row[2]), v[2]), f64x8_splat(row[3])));
}

/* Loads the corners, B's in A's frame. */
static inline void load_contact_group(contact_group *m, const grz_contact_pairs *pairs, unsigned first)
{
    const double *pose = m->frame->pose;
    mask64x8 exact = mask64x8_from_bits(m->frame->translates ? 0xff : 0);
    bool on_lattice = m->frame->lattice != 0;
    for (int c = 0; c < 3; c++)
    {
        f64x8 v[3];
        f64x8_load_points(pairs->a[c] + first, m->a[c]);
        f64x8_load_points(pairs->b[c] + first, v);
        for (int k = 0; k < 3 && on_lattice; k++)
            m->b[c][k] = f64x8_add(v[k], f64x8_splat(pose[4 * k + 3]));
        for (int k = 0; k < 3 && !on_lattice; k++)
            m->b[c][k] = m->frame->translates ? contact_translate(v[k], pose[4 * k + 3], &exact)
                                              : contact_transform(v, pose + 4 * k);
    }
    m->exact = mask64x8_bits(exact);
}

/* The largest extent on an axis, and the largest coordinate. */
static inline f64x8 find_extent(const contact_group *m, f64x8 *out_largest)
{
    f64x8 extent = f64x8_splat(0), largest = extent;
    for (int k = 0; k < 3; k++)
    {
        f64x8 lower = f64x8_min(m->a[0][k], m->b[0][k]), upper = f64x8_max(m->a[0][k], m->b[0][k]);
        for (int c = 1; c < 3; c++)
        {
            lower = f64x8_min(lower, f64x8_min(m->a[c][k], m->b[c][k]));
            upper = f64x8_max(upper, f64x8_max(m->a[c][k], m->b[c][k]));
        }
        extent = f64x8_max(extent, f64x8_sub(upper, lower));
        largest = f64x8_max(largest, f64x8_max(f64x8_sub(f64x8_splat(0), lower), upper));
    }
    *out_largest = largest;
    return extent;
}

/* The pairs, of the exact ones, on a lattice that is coarse against their extent. */
static inline unsigned find_lattice(const contact_group *m, f64x8 extent, f64x8 largest)
{
    f64x8 power = f64x8_power(extent), limit = f64x8_mul(power, f64x8_splat(0x1p36));
    f64x8 shift = f64x8_mul(power, f64x8_splat(1.5 * 0x1p37));
    mask64x8 on = mask64x8_and(f64x8_lt(f64x8_splat(LEAST_LATTICE), power), f64x8_lt(power, f64x8_splat(MOST_LATTICE)));
    on = mask64x8_and(on, f64x8_le(largest, limit));
    f64x8 zero = f64x8_splat(0), differing = zero;
    unsigned left = m->exact & mask64x8_bits(on);
    for (int c = 0; c < 3 && left != 0; c++)
    {
        for (int k = 0; k < 3; k++)
        {
            f64x8 x = m->a[c][k], y = m->b[c][k];
            /* shortcut: lattice-in-doubles */
            differing = f64x8_or_differing(differing, f64x8_sub(f64x8_add(x, shift), shift), x);
            differing = f64x8_or_differing(differing, f64x8_sub(f64x8_add(y, shift), shift), y);
        }
        left &= f64x8_eq_bits(differing, zero); /* -0: a coordinate was -0, which is 0 */
    }
    return left;
}

/* Pairs whose corners coincide, of the exact ones off lattices. */
static inline void find_equal_corners(const contact_group *m, unsigned group, zero_groups *out)
{
    unsigned given = m->exact & ~m->lattice;
    for (int i = 0; i < 3 && given != 0; i++)
        for (int j = 0; j < 3; j++)
        {
            mask64x8 equal = f64x8_eq(m->a[i][0], m->b[j][0]);
            equal = mask64x8_and(equal, f64x8_eq(m->a[i][1], m->b[j][1]));
            equal = mask64x8_and(equal, f64x8_eq(m->a[i][2], m->b[j][2]));
            out->equal[i][j].groups[group] = (uint8_t)(given & mask64x8_bits(equal));
        }
}

static inline void find_contact_bounds(contact_group *m)
{
    if (m->frame->lattice != 0)
    {
        m->lattice = m->exact;
        m->size = f64x8_splat(m->frame->lattice);
        m->bound = m->area_bound = f64x8_splat(0);
        return;
    }
    f64x8 largest, extent = find_extent(m, &largest), zero = f64x8_splat(0);
    f64x8 error = f64x8_select(mask64x8_from_bits(m->exact), zero, f64x8_splat(m->frame->error));
    m->lattice = find_lattice(m, extent, largest);
    mask64x8 lattice = mask64x8_from_bits(m->lattice);
    m->size = f64x8_mul(f64x8_max(extent, f64x8_mul(f64x8_splat(1024), error)), f64x8_splat(1 + 0x1p-48));
    f64x8 square = f64x8_mul(m->size, m->size), tiny = f64x8_splat(0x1p-600);
    f64x8 slope = f64x8_mul(f64x8_splat(680 * 0x1p-52), m->size);
    /* shortcut: contacts-in-doubles */
    f64x8 bound = f64x8_mul(square, f64x8_add(f64x8_mul(f64x8_splat(196), error), slope));
    m->bound = f64x8_select(lattice, zero, f64x8_add(bound, tiny));
    /* shortcut: areas-in-doubles */
    m->area_bound = f64x8_select(lattice, zero, f64x8_add(f64x8_mul(square, f64x8_splat(16 * 0x1p-53)), tiny));
}

/* The error bound of d in determinants d + w . r, the share w . r of the rest included; the sign of that share. */
static inline f64x8 find_rest_share(const contact_group *m, const f64x8 w[3], unsigned group, sign_groups *out)
{
    const grz_contact_frame *frame = m->frame;
    if (frame->rest_size == 0)
        return m->bound;
    f64x8 sum = f64x8_add(f64x8_add(f64x8_abs(w[0]), f64x8_abs(w[1])), f64x8_abs(w[2]));
    f64x8 square = f64x8_mul(m->size, m->size), r[3];
    for (int k = 0; k < 3; k++)
        r[k] = f64x8_splat(frame->rest[k]);
    f64x8 share = contact_dot(w, r), largest = f64x8_mul(f64x8_splat(frame->rest_size), f64x8_add(sum, square));
    f64x8 moved =
        f64x8_mul(f64x8_splat(frame->rest_size * 1.001), f64x8_add(sum, f64x8_mul(f64x8_splat(0x1p-40), square)));
    /* shortcut: rest-of-a-translation */
    f64x8 error = f64x8_add(f64x8_mul(f64x8_splat(1.001 * frame->rest_error), sum),
                            f64x8_mul(f64x8_splat(16 * 0x1p-53), largest));
    error = f64x8_add(error, f64x8_splat(0x1p-1000));
    out->positive.groups[group] = (uint8_t)f64x8_lt_bits(error, share);
    out->negative.groups[group] = (uint8_t)f64x8_lt_bits(share, f64x8_sub(f64x8_splat(0), error));
    return f64x8_add(m->bound, moved);
}

/* Without a rest zeros are not compared: on a lattice the bound is 0, and what is on neither side of it is 0. */
static inline void compare_with_bound(const grz_contact_frame *frame, f64x8 d, f64x8 bound, unsigned group,
                                      sign_groups *out)
{
    f64x8 zero = f64x8_splat(0);
    out->positive.groups[group] = (uint8_t)f64x8_lt_bits(bound, d);
    out->negative.groups[group] = (uint8_t)f64x8_lt_bits(d, f64x8_sub(zero, bound));
    if (frame->rest_size != 0)
        out->zero.groups[group] = (uint8_t)f64x8_eq_bits(d, zero);
}

/* The signs of d in all groups; `known_zero` is given by equal corners. */
static inline sign_bits join_signs(const sign_groups *d, const zero_proofs *zeros, pair_bits known_zero)
{
    sign_bits s = {join_groups(&d->positive), join_groups(&d->negative), 0};
    /* shortcut: equal-corners */
    pair_bits on_lattice = zeros->has_rest ? zeros->lattice & join_groups(&d->zero) : zeros->lattice;
    s.zero = (known_zero | on_lattice) & ~(s.positive | s.negative);
    return s;
}

/* The signs of d + w . r; `flipped` where the share of w . r is to be subtracted. */
static inline sign_bits add_rest(sign_bits s, const sign_groups *share, bool flipped)
{
    pair_bits positive = join_groups(&share->positive), negative = join_groups(&share->negative);
    s.positive |= s.zero & (flipped ? negative : positive);
    s.negative |= s.zero & (flipped ? positive : negative);
    s.zero = 0;
    return s;
}

/* Heights of all corners above the other's plane, in all groups. */
typedef struct height_groups
{
    sign_groups of_a[3], of_b[3], rest_a, rest_b; /* the rest's share above A's plane, and above B's */
} height_groups;

static inline void find_heights(contact_group *m, unsigned group, height_groups *out)
{
    f64x8 between[3], e[3][3], f[3][3], zero = f64x8_splat(0);
    contact_subtract(m->b[0], m->a[0], between);
    for (int c = 1; c < 3; c++)
    {
        contact_subtract(m->a[c], m->a[0], e[c]);
        contact_subtract(m->b[c], m->b[0], f[c]);
    }
    contact_cross(e[1], e[2], m->normal_a);
    contact_cross(f[1], f[2], m->normal_b);
    f64x8 above_a = contact_dot(m->normal_a, between), above_b = f64x8_sub(zero, contact_dot(m->normal_b, between));
    f64x8 bound_a = find_rest_share(m, m->normal_a, group, &out->rest_a);
    f64x8 bound_b = find_rest_share(m, m->normal_b, group, &out->rest_b);
    for (int c = 0; c < 3; c++)
    {
        f64x8 height_b = c == 0 ? above_a : f64x8_add(contact_dot(m->normal_a, f[c]), above_a);
        f64x8 height_a = c == 0 ? above_b : f64x8_add(contact_dot(m->normal_b, e[c]), above_b);
        compare_with_bound(m->frame, height_b, bound_a, group, &out->of_b[c]);
        compare_with_bound(m->frame, height_a, bound_b, group, &out->of_a[c]);
    }
}

static inline void join_zero_proofs(const zero_groups *groups, bool has_rest, zero_proofs *out)
{
    out->has_rest = has_rest;
    out->lattice = join_groups(&groups->lattice);
    out->any_equal = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            out->equal[i][j] = join_groups(&groups->equal[i][j]);
            out->any_equal |= out->equal[i][j];
        }
}

static inline void join_heights(const height_groups *h, const zero_proofs *z, sign_bits of_a[3], sign_bits of_b[3])
{
    for (int c = 0; c < 3; c++)
    {
        of_b[c] = join_signs(&h->of_b[c], z, z->equal[0][c] | z->equal[1][c] | z->equal[2][c]);
        of_a[c] = join_signs(&h->of_a[c], z, z->equal[c][0] | z->equal[c][1] | z->equal[c][2]);
        if (z->has_rest)
        {
            of_b[c] = add_rest(of_b[c], &h->rest_a, false);
            of_a[c] = add_rest(of_a[c], &h->rest_b, true);
        }
    }
}

#endif
