/* SPDX-License-Identifier: MIT */
/*
 * The contact of two triangles, eight pairs side by side, in doubles; part of kernels_template.h. Signs of
 * determinants after Guigue and Devillers, as in exact/triangle_triangle.c; contact_bits.h makes contacts of them. A
 * pair of which a sign is unknown is left undecided. Rounding is to nearest, and denormals are kept: the caller sees to
 * that. u = 2^-53.
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
 * U^3 is far above the denormals for M >= 2^-280.
 * - By equal corners. A determinant with two equal points is 0.
 * Both need coordinates without error: B's pose in A's frame translates only, and the sum of a coordinate and the
 * translation is exact, by its error term (Knuth's TwoSum).
 *
 * The rest of a translation. Where both poses have the same rotation, B's corners in A's frame are v + t + r: t is
 * chosen such that sums with it are exact, and r, the rest, is some 1e-16 of it, known up to an error. All determinants
 * are linear in B's position: d + w . r, with w the normal or the product of two edges. Where d exceeds |w|_1 |r| and
 * its error bound, it gives the sign; where it is 0, w . r does. |w|_1 is computed with a relative error of 4 u, and
 * with an absolute one of at most 3 (4.2 u M^2) where nothing is exact; the error of w . r is at most |w|_1 times that
 * of r, 3.1 u |w|_1 |r| for roundings, and 13 u M^2 |r|. Underflow costs less than 2^-1000.
 */
#include "simd/contact_bits.h"
#include "simd/f64x8.h"
#include "simd/kernels.h"

#define LEAST_LATTICE 0x1p-280
#define MOST_LATTICE 0x1p300

typedef struct contact_pairs
{
    f64x8 a[3][3], b[3][3]; /* [corner][axis] */
    f64x8 normal_a[3], normal_b[3];
    f64x8 size;              /* M */
    f64x8 bound, area_bound; /* error bounds of determinants and areas; 0 on a lattice */
    unsigned exact;          /* pairs whose coordinates have no error but the rest */
    unsigned lattice;        /* of these, pairs on a lattice */
    unsigned equal[3][3];    /* of the other exact ones: corner i of A is corner j of B */
    const grz_contact_frame *frame;
} contact_pairs;

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
static inline void load_contact_pairs(contact_pairs *m, const grz_contact_pairs *pairs, unsigned first)
{
    const double *pose = m->frame->pose;
    mask64x8 exact = mask64x8_from_bits(m->frame->translates ? 0xff : 0);
    for (int c = 0; c < 3; c++)
    {
        f64x8 v[3];
        for (int k = 0; k < 3; k++)
        {
            m->a[c][k] = f64x8_load(pairs->a[c][k] + first);
            v[k] = f64x8_load(pairs->b[c][k] + first);
        }
        for (int k = 0; k < 3; k++)
            m->b[c][k] = m->frame->translates ? contact_translate(v[k], pose[4 * k + 3], &exact)
                                              : contact_transform(v, pose + 4 * k);
    }
    m->exact = mask64x8_bits(exact);
}

/* The largest extent on an axis, and the largest coordinate. */
static inline f64x8 find_extent(const contact_pairs *m, f64x8 *out_largest)
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
static inline unsigned find_lattice(const contact_pairs *m, f64x8 extent, f64x8 largest)
{
    f64x8 power = f64x8_power(extent), limit = f64x8_mul(power, f64x8_splat(0x1p36));
    f64x8 shift = f64x8_mul(power, f64x8_splat(1.5 * 0x1p37));
    mask64x8 on = mask64x8_and(f64x8_lt(f64x8_splat(LEAST_LATTICE), power), f64x8_lt(power, f64x8_splat(MOST_LATTICE)));
    on = mask64x8_and(on, f64x8_le(largest, limit));
    unsigned left = m->exact;
    for (int c = 0; c < 3 && left != 0; c++)
    {
        for (int k = 0; k < 3; k++)
        {
            f64x8 x = m->a[c][k], y = m->b[c][k];
            /* shortcut: lattice-in-doubles */
            on = mask64x8_and(on, f64x8_eq(f64x8_sub(f64x8_add(x, shift), shift), x));
            on = mask64x8_and(on, f64x8_eq(f64x8_sub(f64x8_add(y, shift), shift), y));
        }
        left &= mask64x8_bits(on);
    }
    return left;
}

static inline void find_equal_corners(contact_pairs *m)
{
    unsigned given = m->exact & ~m->lattice;
    memset(m->equal, 0, sizeof m->equal);
    for (int i = 0; i < 3 && given != 0; i++)
        for (int j = 0; j < 3; j++)
        {
            mask64x8 equal = f64x8_eq(m->a[i][0], m->b[j][0]);
            equal = mask64x8_and(equal, f64x8_eq(m->a[i][1], m->b[j][1]));
            equal = mask64x8_and(equal, f64x8_eq(m->a[i][2], m->b[j][2]));
            m->equal[i][j] = given & mask64x8_bits(equal);
        }
}

static inline void find_contact_bounds(contact_pairs *m)
{
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
    find_equal_corners(m);
}

/* The share of the rest in determinants d + w . r: a bound on it, and its sign. */
typedef struct rest_signs
{
    f64x8 bound; /* that of d included */
    unsigned positive, negative;
} rest_signs;

static inline rest_signs find_rest_signs(const contact_pairs *m, const f64x8 w[3])
{
    const grz_contact_frame *frame = m->frame;
    if (frame->rest_size == 0)
        return (rest_signs){m->bound, 0, 0};
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
    return (rest_signs){f64x8_add(m->bound, moved), f64x8_lt_bits(error, share),
                        f64x8_lt_bits(share, f64x8_sub(f64x8_splat(0), error))};
}

/* The signs of d + w . r; `flipped` where the share of w . r is to be subtracted. */
static inline sign_bits find_signs(const contact_pairs *m, f64x8 d, const rest_signs *rest, bool flipped,
                                   unsigned known_zero)
{
    f64x8 zero = f64x8_splat(0);
    sign_bits s = {f64x8_lt_bits(rest->bound, d), f64x8_lt_bits(d, f64x8_sub(zero, rest->bound)), 0};
    /* shortcut: equal-corners */
    s.zero = (known_zero | (m->lattice & f64x8_eq_bits(d, zero))) & ~(s.positive | s.negative);
    if (m->frame->rest_size == 0)
        return s;
    s.positive |= s.zero & (flipped ? rest->negative : rest->positive);
    s.negative |= s.zero & (flipped ? rest->positive : rest->negative);
    s.zero = 0;
    return s;
}

/* Heights of all corners above the other's plane. */
static inline void find_heights_signs(contact_pairs *m, sign_bits of_a[3], sign_bits of_b[3])
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
    rest_signs rest_a = find_rest_signs(m, m->normal_a), rest_b = find_rest_signs(m, m->normal_b);
    for (int c = 0; c < 3; c++)
    {
        f64x8 height_b = c == 0 ? above_a : f64x8_add(contact_dot(m->normal_a, f[c]), above_a);
        f64x8 height_a = c == 0 ? above_b : f64x8_add(contact_dot(m->normal_b, e[c]), above_b);
        of_b[c] = find_signs(m, height_b, &rest_a, false, m->equal[0][c] | m->equal[1][c] | m->equal[2][c]);
        of_a[c] = find_signs(m, height_a, &rest_b, true, m->equal[c][0] | m->equal[c][1] | m->equal[c][2]);
    }
}

/* One of three corners for each pair. */
static inline void pick_corner(const f64x8 corners[3][3], const unsigned which[3], unsigned shift, f64x8 out[3])
{
    mask64x8 first = mask64x8_from_bits(which[0] >> shift & 0xff),
             second = mask64x8_from_bits(which[1] >> shift & 0xff);
    for (int k = 0; k < 3; k++)
        out[k] = f64x8_select(first, corners[0][k], f64x8_select(second, corners[1][k], corners[2][k]));
}

/* An end of each triangle's interval on the common line: the apexes and feet whose edges cut it. */
typedef struct interval_ends
{
    const unsigned *apex_a, *foot_a, *apex_b, *foot_b;
} interval_ends;

/* Pairs in which one of two corners of A is one of two of B. */
static inline unsigned share_corner(const contact_pairs *m, const interval_ends *ends, unsigned shift)
{
    unsigned shared = 0;
    for (int i = 0; i < 3 && (m->exact & ~m->lattice) != 0; i++)
        for (int j = 0; j < 3; j++)
            shared |= m->equal[i][j] & (ends->apex_a[i] | ends->foot_a[i]) >> shift &
                      (ends->apex_b[j] | ends->foot_b[j]) >> shift;
    return shared;
}

/* The sign of the determinant that tells B's end from A's. */
static inline sign_bits find_order(const contact_pairs *m, const interval_ends *ends, unsigned shift)
{
    f64x8 apex_a[3], apex_b[3], e[3], f[3], between[3], w[3];
    pick_corner(m->a, ends->apex_a, shift, apex_a);
    pick_corner(m->b, ends->apex_b, shift, apex_b);
    pick_corner(m->a, ends->foot_a, shift, e);
    pick_corner(m->b, ends->foot_b, shift, f);
    contact_subtract(e, apex_a, e);
    contact_subtract(f, apex_b, f);
    contact_subtract(apex_b, apex_a, between);
    contact_cross(e, f, w);
    rest_signs rest = find_rest_signs(m, w);
    return find_signs(m, contact_dot(w, between), &rest, false, share_corner(m, ends, shift));
}

/* The pairs, of those given, whose planes cut each other in a line. Returns those decided. */
static unsigned decide_on_line(const contact_pairs *groups, unsigned group_count, const sign_bits of_a[3],
                               const sign_bits of_b[3], unsigned given, contact_bits *out)
{
    interval_bits a = find_interval_bits(of_a, false), b = find_interval_bits(of_b, true);
    const interval_ends low = {a.apex, a.lower, b.apex, b.upper}, high = {a.apex, a.upper, b.apex, b.lower};
    sign_bits up = {0, 0, 0}, down = {0, 0, 0};
    for (unsigned g = 0; g < group_count; g++)
    {
        if ((given >> GRZ_LANES * g & 0xff) == 0)
            continue;
        sign_bits_add(&up, find_order(&groups[g], &low, GRZ_LANES * g), GRZ_LANES * g);
        sign_bits_add(&down, find_order(&groups[g], &high, GRZ_LANES * g), GRZ_LANES * g);
    }
    up = sign_bits_flip(up, a.above ^ b.above);
    down = sign_bits_flip(down, a.above ^ b.above);
    unsigned apart = given & (up.negative | down.positive);
    unsigned meet = given & ~apart & sign_bits_known(up) & sign_bits_known(down);
    add_line_contacts(&a, &b, up.zero, down.zero, meet, out);
    return apart | meet;
}

/* The corners of both triangles projected along the axis on which B's normal is largest. */
typedef struct contact_projection
{
    f64x8 a[3][2], b[3][2], normal_a, normal_b;
} contact_projection;

static inline contact_projection project_contacts(const contact_pairs *m)
{
    contact_projection p;
    const f64x8 *n = m->normal_a, *o = m->normal_b;
    f64x8 x = f64x8_abs(o[0]), y = f64x8_abs(o[1]), z = f64x8_abs(o[2]);
    mask64x8 is_y = f64x8_lt(x, y), is_z = f64x8_lt(f64x8_max(x, y), z);
    p.normal_a = f64x8_select(is_z, n[2], f64x8_select(is_y, n[1], n[0]));
    p.normal_b = f64x8_select(is_z, o[2], f64x8_select(is_y, o[1], o[0]));
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 2; k++)
        {
            p.a[c][k] = f64x8_select(is_z, m->a[c][k], f64x8_select(is_y, m->a[c][(k + 2) % 3], m->a[c][k + 1]));
            p.b[c][k] = f64x8_select(is_z, m->b[c][k], f64x8_select(is_y, m->b[c][(k + 2) % 3], m->b[c][k + 1]));
        }
    return p;
}

static inline sign_bits find_area_signs(const contact_pairs *m, f64x8 area, unsigned known_zero)
{
    rest_signs bound = {m->area_bound, 0, 0};
    return find_signs(m, area, &bound, false, known_zero);
}

static inline f64x8 find_area(const f64x8 a[2], const f64x8 b[2], const f64x8 c[2])
{
    f64x8 left = f64x8_mul(f64x8_sub(a[0], c[0]), f64x8_sub(b[1], c[1]));
    return f64x8_sub(left, f64x8_mul(f64x8_sub(a[1], c[1]), f64x8_sub(b[0], c[0])));
}

/* Sides of the corners to the other's edges, of pairs in one plane. */
typedef struct plane_signs
{
    side_bits a_in_b, b_in_a;
    sign_bits turn_a, turn_b;
} plane_signs;

static inline void add_plane_signs(const contact_pairs *m, unsigned shift, plane_signs *out)
{
    contact_projection p = project_contacts(m);
    sign_bits_add(&out->turn_a, find_area_signs(m, p.normal_a, 0), shift);
    sign_bits_add(&out->turn_b, find_area_signs(m, p.normal_b, 0), shift);
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            int next = (e + 1) % 3;
            f64x8 a = find_area(p.b[e], p.b[next], p.a[i]), b = find_area(p.a[e], p.a[next], p.b[i]);
            unsigned a_on = m->equal[i][e] | m->equal[i][next], b_on = m->equal[e][i] | m->equal[next][i];
            sign_bits_add(&out->a_in_b[i][e], find_area_signs(m, a, a_on), shift);
            sign_bits_add(&out->b_in_a[i][e], find_area_signs(m, b, b_on), shift);
        }
}

/* The pairs, of those given, that lie in one plane. Returns those decided. */
static unsigned decide_in_plane(const contact_pairs *groups, unsigned group_count, unsigned given, contact_bits *out)
{
    plane_signs s;
    memset(&s, 0, sizeof s);
    for (unsigned g = 0; g < group_count; g++)
        if ((given >> GRZ_LANES * g & 0xff) != 0)
            add_plane_signs(&groups[g], GRZ_LANES * g, &s);
    unsigned known = given;
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            known &= sign_bits_known(s.a_in_b[i][e]) & sign_bits_known(s.b_in_a[i][e]);
            s.a_in_b[i][e] = sign_bits_flip(s.a_in_b[i][e], s.turn_b.negative);
            s.b_in_a[i][e] = sign_bits_flip(s.b_in_a[i][e], s.turn_a.negative);
        }
    /* without area in the projection a triangle is degenerate, or its sign unknown */
    unsigned has_area = given & (s.turn_a.positive | s.turn_a.negative) & (s.turn_b.positive | s.turn_b.negative);
    unsigned apart = has_area & (find_separated_by_edge(s.a_in_b) | find_separated_by_edge(s.b_in_a));
    known &= has_area & ~apart;
    add_plane_contacts(s.a_in_b, s.b_in_a, known, out);
    return apart | known;
}

/* The pairs of one group that are one triangle twice, corner for corner, and certainly have area: each is the contact.
 */
static inline unsigned find_identical(const contact_pairs *m)
{
    unsigned identical = 0xff;
    for (int i = 0; i < 3; i++)
        identical &= m->equal[i][0] | m->equal[i][1] | m->equal[i][2];
    if (identical == 0)
        return 0;
    const f64x8 *n = m->normal_a;
    f64x8 largest = f64x8_max(f64x8_max(f64x8_abs(n[0]), f64x8_abs(n[1])), f64x8_abs(n[2]));
    return identical & f64x8_lt_bits(m->area_bound, largest);
}

/* Takes identical triangles from the flat pairs: whole triangles meet. Returns those decided. */
static inline unsigned decide_identical(const contact_pairs *groups, unsigned group_count, unsigned flat,
                                        contact_bits *out)
{
    unsigned identical = 0;
    for (unsigned g = 0; g < group_count; g++)
        identical |= find_identical(&groups[g]) << GRZ_LANES * g;
    /* shortcut: identical-triangles */
    identical &= flat;
    for (int i = 0; i < 3; i++)
    {
        out->mask_a[i] |= identical;
        out->mask_b[i] |= identical;
    }
    out->dimension[1] |= identical;
    return identical;
}

/* Whether the intervals of both triangles along w are disjoint: simd/triangle_sat_template.h has the error bound, with
   14 roundings of positions and products; coordinates are relative to A's first corner. */
static inline unsigned is_separated_along_axis(const contact_pairs *m, const f64x8 w[3], f64x8 error)
{
    f64x8 zero = f64x8_splat(0), lower_a = zero, upper_a = zero, lower_b = zero, upper_b = zero, x[3];
    for (int c = 0; c < 3; c++)
    {
        contact_subtract(m->b[c], m->a[0], x);
        f64x8 at_b = contact_dot(w, x);
        lower_b = c == 0 ? at_b : f64x8_min(lower_b, at_b);
        upper_b = c == 0 ? at_b : f64x8_max(upper_b, at_b);
        contact_subtract(m->a[c], m->a[0], x);
        f64x8 at_a = contact_dot(w, x);
        lower_a = f64x8_min(lower_a, at_a);
        upper_a = f64x8_max(upper_a, at_a);
    }
    f64x8 sum = f64x8_add(f64x8_add(f64x8_abs(w[0]), f64x8_abs(w[1])), f64x8_abs(w[2]));
    /* shortcut: in-plane-axes-in-doubles */
    f64x8 bound = f64x8_add(f64x8_mul(sum, error), f64x8_splat(0x1p-600));
    return f64x8_lt_bits(f64x8_add(upper_b, bound), lower_a) | f64x8_lt_bits(f64x8_add(upper_a, bound), lower_b);
}

/* Undecided pairs that an axis in the plane of one triangle, across one of its edges, separates. */
static __attribute__((noinline)) unsigned separate_in_plane(const contact_pairs *m)
{
    f64x8 slope = f64x8_mul(m->size, f64x8_splat(20 * 0x1p-53));
    f64x8 moved = f64x8_splat(1.001 * (m->frame->translates ? m->frame->rest_size : 0));
    f64x8 off = f64x8_select(mask64x8_from_bits(m->exact), moved, f64x8_splat(1.001 * m->frame->error));
    f64x8 error = f64x8_add(slope, off);
    unsigned separated = 0;
    for (int i = 0; i < 3; i++)
    {
        f64x8 edge[3], w[3];
        contact_subtract(m->a[(i + 1) % 3], m->a[i], edge);
        contact_cross(m->normal_a, edge, w);
        separated |= is_separated_along_axis(m, w, error);
        contact_subtract(m->b[(i + 1) % 3], m->b[i], edge);
        contact_cross(m->normal_b, edge, w);
        separated |= is_separated_along_axis(m, w, error);
    }
    return separated;
}

static inline unsigned all_three(unsigned a, unsigned b, unsigned c)
{
    return a & b & c;
}

/* Pairs separated by the plane whose heights these are. */
static inline unsigned is_separated(const sign_bits h[3])
{
    return all_three(h[0].positive, h[1].positive, h[2].positive) |
           all_three(h[0].negative, h[1].negative, h[2].negative);
}

static unsigned separate_undecided(const contact_pairs *groups, unsigned group_count, unsigned undecided)
{
    unsigned separated = 0;
    for (unsigned g = 0; g < group_count; g++)
        if ((undecided >> GRZ_LANES * g & 0xff) != 0)
            separated |= separate_in_plane(&groups[g]) << GRZ_LANES * g;
    return undecided & separated;
}

static void write_contacts(const contact_bits *found, const sign_bits of_a[3], const sign_bits of_b[3],
                           unsigned decided, grz_contacts *out)
{
    out->decided = decided;
    out->zeros = 0;
    for (int i = 0; i < 3; i++)
    {
        out->facts[i] = found->mask_a[i];
        out->facts[i + 3] = found->mask_b[i];
        out->zeros +=
            (unsigned)__builtin_popcount(of_a[i].zero & decided) + (unsigned)__builtin_popcount(of_b[i].zero & decided);
    }
    out->facts[6] = found->dimension[0];
    out->facts[7] = found->dimension[1];
}

static void contacts_kernel(const grz_contact_pairs *pairs, unsigned count, const grz_contact_frame *frame,
                            grz_contacts *out)
{
    contact_pairs groups[GRZ_CONTACT_PAIRS / GRZ_LANES];
    sign_bits of_a[3] = {{0}, {0}, {0}}, of_b[3] = {{0}, {0}, {0}};
    contact_bits found = {{0}, {0}, {0}};
    unsigned group_count = (count + GRZ_LANES - 1) / GRZ_LANES;
    unsigned given = count < 32 ? (1u << count) - 1 : UINT32_MAX, left = given;
    for (unsigned g = 0; g < group_count; g++)
    {
        sign_bits a[3], b[3];
        groups[g].frame = frame;
        load_contact_pairs(&groups[g], pairs, GRZ_LANES * g);
        find_contact_bounds(&groups[g]);
        find_heights_signs(&groups[g], a, b);
        for (int i = 0; i < 3; i++)
        {
            sign_bits_add(&of_a[i], a[i], GRZ_LANES * g);
            sign_bits_add(&of_b[i], b[i], GRZ_LANES * g);
        }
    }
    unsigned decided = given & (is_separated(of_a) | is_separated(of_b));
    for (int i = 0; i < 3; i++)
        left &= sign_bits_known(of_a[i]) & sign_bits_known(of_b[i]);
    left &= ~decided;
    unsigned flat = left & (all_three(of_a[0].zero, of_a[1].zero, of_a[2].zero) |
                            all_three(of_b[0].zero, of_b[1].zero, of_b[2].zero));
    if ((left & ~flat) != 0)
        decided |= decide_on_line(groups, group_count, of_a, of_b, left & ~flat, &found);
    if (flat != 0)
    {
        unsigned identical = decide_identical(groups, group_count, flat, &found);
        decided |= identical;
        flat &= ~identical;
    }
    if (flat != 0)
        decided |= decide_in_plane(groups, group_count, flat, &found);
    if (decided != given)
        decided |= separate_undecided(groups, group_count, given & ~decided);
    write_contacts(&found, of_a, of_b, decided, out);
}
