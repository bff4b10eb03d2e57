/* SPDX-License-Identifier: MIT */
/*
 * The contact of two triangles, for eight pairs side by side, in doubles; part of kernels_template.h. Signs of
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
 *   product and partial sum of all determinants is an integer multiple of U, U^2 or U^3, below 12 M^3 < 2^52 U^3, and so
 *   a double: nothing is rounded. With 2^E <= M < 2^(E+1) we take U = 2^(E-15). For C = 1.5 2^(E+37) and |x| <=
 *   2^(E+36), x + C is rounded to a multiple of 2^(E+37-52) = U, so that (x + C) - C = x exactly for multiples of U. U^3
 *   is far above the denormals for M >= 2^-280.
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
    f64x8 size;                    /* M */
    f64x8 bound, area_bound;       /* error bounds of determinants and areas; 0 on a lattice */
    unsigned exact;                /* pairs whose coordinates have no error but the rest */
    unsigned lattice;              /* of these, pairs on a lattice */
    unsigned equal[3][3];          /* of the other exact ones: corner i of A is corner j of B */
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

/* Translates a coordinate; returns the pairs in which the sum is exact. */
static inline unsigned contact_translate(f64x8 x, double translation, f64x8 *out)
{
    f64x8 t = f64x8_splat(translation), sum = f64x8_add(x, t), back = f64x8_sub(sum, x);
    f64x8 error = f64x8_add(f64x8_sub(x, f64x8_sub(sum, back)), f64x8_sub(t, back));
    *out = sum;
    return f64x8_eq_bits(error, f64x8_splat(0));
}

/* Loads the corners, B's in A's frame. */
static inline void load_contact_pairs(contact_pairs *m, const grz_triangle_pairs8 *pairs)
{
    const double *pose = m->frame->pose;
    m->exact = m->frame->translates ? 0xff : 0;
    for (int c = 0; c < 3; c++)
    {
        f64x8 v[3];
        for (int k = 0; k < 3; k++)
        {
            m->a[c][k] = f64x8_load(pairs->a[c][k]);
            v[k] = f64x8_load(pairs->b[c][k]);
        }
        for (int k = 0; k < 3; k++)
        {
            const double *row = pose + 4 * k;
            if (m->frame->translates)
                m->exact &= contact_translate(v[k], row[3], &m->b[c][k]);
            else
                m->b[c][k] = f64x8_add(
                    f64x8_add(f64x8_mul(f64x8_splat(row[0]), v[0]), f64x8_mul(f64x8_splat(row[1]), v[1])),
                    f64x8_add(f64x8_mul(f64x8_splat(row[2]), v[2]), f64x8_splat(row[3])));
        }
    }
}

static inline f64x8 find_extent(const contact_pairs *m)
{
    f64x8 extent = f64x8_splat(0);
    for (int k = 0; k < 3; k++)
    {
        f64x8 lower = f64x8_min(m->a[0][k], m->b[0][k]), upper = f64x8_max(m->a[0][k], m->b[0][k]);
        for (int c = 1; c < 3; c++)
        {
            lower = f64x8_min(lower, f64x8_min(m->a[c][k], m->b[c][k]));
            upper = f64x8_max(upper, f64x8_max(m->a[c][k], m->b[c][k]));
        }
        extent = f64x8_max(extent, f64x8_sub(upper, lower));
    }
    return extent;
}

/* The pairs on a lattice that is coarse against their extent. */
static inline unsigned find_lattice(const contact_pairs *m, f64x8 extent)
{
    f64x8 power = f64x8_power(extent), limit = f64x8_mul(power, f64x8_splat(0x1p36));
    f64x8 shift = f64x8_mul(power, f64x8_splat(1.5 * 0x1p37)), largest = f64x8_splat(0);
    unsigned on = m->exact & f64x8_lt_bits(f64x8_splat(LEAST_LATTICE), power) &
                  f64x8_lt_bits(power, f64x8_splat(MOST_LATTICE));
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
        {
            f64x8 x = m->a[c][k], y = m->b[c][k];
            largest = f64x8_max(largest, f64x8_max(f64x8_abs(x), f64x8_abs(y)));
            /* shortcut: lattice-in-doubles */
            on &= f64x8_eq_bits(f64x8_sub(f64x8_add(x, shift), shift), x);
            on &= f64x8_eq_bits(f64x8_sub(f64x8_add(y, shift), shift), y);
        }
    return on & ~f64x8_lt_bits(limit, largest);
}

static inline void find_equal_corners(contact_pairs *m)
{
    unsigned given = m->exact & ~m->lattice;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            m->equal[i][j] = given;
            for (int k = 0; k < 3 && given != 0; k++)
                m->equal[i][j] &= f64x8_eq_bits(m->a[i][k], m->b[j][k]);
        }
}

static inline void find_contact_bounds(contact_pairs *m)
{
    f64x8 extent = find_extent(m), zero = f64x8_splat(0);
    f64x8 error = f64x8_select(mask64x8_from_bits(m->exact), zero, f64x8_splat(m->frame->error));
    m->lattice = find_lattice(m, extent);
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
    f64x8 moved = f64x8_mul(f64x8_splat(frame->rest_size * 1.001),
                            f64x8_add(sum, f64x8_mul(f64x8_splat(0x1p-40), square)));
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
static inline void pick_corner(const f64x8 corners[3][3], const unsigned which[3], f64x8 out[3])
{
    mask64x8 first = mask64x8_from_bits(which[0] & 0xff), second = mask64x8_from_bits(which[1] & 0xff);
    for (int k = 0; k < 3; k++)
        out[k] = f64x8_select(first, corners[0][k], f64x8_select(second, corners[1][k], corners[2][k]));
}

/* Pairs in which one of two corners of A is one of two of B. */
static inline unsigned share_corner(const contact_pairs *m, const interval_bits *a, const unsigned foot_a[3],
                                    const interval_bits *b, const unsigned foot_b[3])
{
    unsigned shared = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            shared |= m->equal[i][j] & (a->apex[i] | foot_a[i]) & (b->apex[j] | foot_b[j]);
    return shared;
}

/* The sign of B's end minus A's on the common line, by their apexes and feet. */
static inline sign_bits find_order(const contact_pairs *m, const interval_bits *a, const unsigned foot_a[3],
                                   const interval_bits *b, const unsigned foot_b[3])
{
    f64x8 apex_a[3], apex_b[3], e[3], f[3], between[3], w[3];
    pick_corner(m->a, a->apex, apex_a);
    pick_corner(m->b, b->apex, apex_b);
    pick_corner(m->a, foot_a, e);
    pick_corner(m->b, foot_b, f);
    contact_subtract(e, apex_a, e);
    contact_subtract(f, apex_b, f);
    contact_subtract(apex_b, apex_a, between);
    contact_cross(e, f, w);
    rest_signs rest = find_rest_signs(m, w);
    sign_bits s = find_signs(m, contact_dot(w, between), &rest, false, share_corner(m, a, foot_a, b, foot_b));
    return sign_bits_flip(s, a->above ^ b->above);
}

/* The pairs, of those given, whose planes cut each other in a line. Returns those decided. */
static unsigned decide_on_line(const contact_pairs *m, const sign_bits of_a[3], const sign_bits of_b[3], unsigned given,
                               contact_bits *out)
{
    interval_bits a = find_interval_bits(of_a, false), b = find_interval_bits(of_b, true);
    sign_bits up = find_order(m, &a, a.lower, &b, b.upper), down = find_order(m, &a, a.upper, &b, b.lower);
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

/* The pairs, of those given, that lie in one plane. Returns those decided. */
static unsigned decide_in_plane(const contact_pairs *m, unsigned given, contact_bits *out)
{
    contact_projection p = project_contacts(m);
    side_bits a_in_b, b_in_a;
    sign_bits turn_a = find_area_signs(m, p.normal_a, 0), turn_b = find_area_signs(m, p.normal_b, 0);
    unsigned known = given;
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            int next = (e + 1) % 3;
            sign_bits a = find_area_signs(m, find_area(p.b[e], p.b[next], p.a[i]), m->equal[i][e] | m->equal[i][next]);
            sign_bits b = find_area_signs(m, find_area(p.a[e], p.a[next], p.b[i]), m->equal[e][i] | m->equal[next][i]);
            a_in_b[i][e] = sign_bits_flip(a, turn_b.negative);
            b_in_a[i][e] = sign_bits_flip(b, turn_a.negative);
            known &= sign_bits_known(a) & sign_bits_known(b);
        }
    /* without area in the projection a triangle is degenerate, or its sign unknown */
    unsigned has_area = given & (turn_a.positive | turn_a.negative) & (turn_b.positive | turn_b.negative);
    unsigned apart = has_area & (find_separated_by_edge(a_in_b) | find_separated_by_edge(b_in_a));
    known &= has_area & ~apart;
    add_plane_contacts(a_in_b, b_in_a, known, out);
    return apart | known;
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

static void contacts_kernel(const grz_triangle_pairs8 *pairs, const grz_contact_frame *frame, grz_contacts8 *out)
{
    contact_pairs m;
    sign_bits of_a[3], of_b[3];
    contact_bits found = {{0}, {0}, {0}};
    m.frame = frame;
    load_contact_pairs(&m, pairs);
    find_contact_bounds(&m);
    find_heights_signs(&m, of_a, of_b);
    unsigned separated = is_separated(of_a) | is_separated(of_b);
    unsigned left = ~separated & 0xff;
    for (int i = 0; i < 3; i++)
        left &= sign_bits_known(of_a[i]) & sign_bits_known(of_b[i]);
    unsigned flat = left & (all_three(of_a[0].zero, of_a[1].zero, of_a[2].zero) |
                            all_three(of_b[0].zero, of_b[1].zero, of_b[2].zero));
    unsigned decided = separated & 0xff;
    if ((left & ~flat) != 0)
        decided |= decide_on_line(&m, of_a, of_b, left & ~flat, &found);
    if (flat != 0)
        decided |= decide_in_plane(&m, flat, &found);
    out->zeros = 0;
    for (int i = 0; i < 3; i++)
        out->zeros += (unsigned)__builtin_popcount(of_a[i].zero & decided) +
                      (unsigned)__builtin_popcount(of_b[i].zero & decided);
    out->contacts = pack_contact_bits(&found);
    out->decided = decided;
}
