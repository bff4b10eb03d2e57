/* SPDX-License-Identifier: MIT */
/*
 * The intersection of two triangles in fixed point, as points; see fixed_point.h. The same points as those of
 * intersection.c, bit for bit: quotients of integers, each rounded once, but integers of fixed width.
 *
 * Coordinates are below 2^125 units in magnitude, so that 128-bit numbers hold them and not only their differences.
 * Weights are determinants below 2^378 (wide_integer.h), their sums below 2^379, products with coordinates and sums of
 * two of them below 2^505.
 */
#include "base/bits.h"
#include "exact/fixed_point.h"

enum
{
    WEIGHT_LIMBS = 6,
    PRODUCT_LIMBS = WEIGHT_LIMBS + 2
};

/* The corners of both triangles: 0, 1, 2 are those of A, 3, 4, 5 those of B. */
typedef struct fixed_corners
{
    grz_u128 at[6][3]; /* two's complement */
    int unit;
} fixed_corners;

static void take_corners(const grz_fixed_triangle *t, grz_u128 (*at)[3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            at[i][k] = (grz_u128)(uint64_t)t->high[i][k] << 64 | t->low[i][k];
}

static int count_limbs(const uint64_t *limbs, int count)
{
    while (count > 0 && limbs[count - 1] == 0)
        count--;
    return count;
}

static double round_quotient(uint64_t *numerator, bool negative, uint64_t *denominator, int unit)
{
    grz_integer n = {numerator, count_limbs(numerator, PRODUCT_LIMBS), negative ? -1 : 1};
    grz_integer d = {denominator, count_limbs(denominator, WEIGHT_LIMBS), 1};
    n.sign = n.count == 0 ? 0 : n.sign;
    return grz_integer_quotient(&n, &d, unit);
}

static double round_coordinate(grz_u128 coordinate, int unit)
{
    grz_wide_number number = grz_wide_make(coordinate);
    return grz_integer_round(number.magnitude, number.negative ? -1 : 1, unit);
}

/* A weight in two's complement becomes its magnitude. */
static void take_magnitude(uint64_t weight[WEIGHT_LIMBS])
{
    uint64_t flip = weight[WEIGHT_LIMBS - 1] >> 63 != 0 ? UINT64_MAX : 0, carry = flip & 1;
    for (int i = 0; i < WEIGHT_LIMBS; i++)
    {
        grz_u128 sum = (grz_u128)(weight[i] ^ flip) + carry;
        weight[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* The 128 bits of a number from bit `shift` on; shift may be negative. */
static grz_u128 bits_from(const uint64_t *limbs, int count, int shift)
{
    grz_u128 low = limbs[0] | (grz_u128)limbs[1] << 64;
    if (shift <= 0)
        return low << -shift;
    int limb = shift / 64, bit = shift % 64;
    uint64_t parts[3] = {0, 0, 0};
    for (int i = 0; i < 3 && limb + i < count; i++)
        parts[i] = limbs[limb + i];
    low = parts[0] | (grz_u128)parts[1] << 64;
    return bit == 0 ? low : low >> bit | (grz_u128)parts[2] << (128 - bit);
}

/* (rest 2^64) / divisor and what remains, for rest < divisor, where the highest bit of the divisor is set (Knuth, The
   Art of Computer Programming, volume 2, 4.3.1). */
static uint64_t divide_digit(grz_u128 *rest, grz_u128 divisor)
{
    uint64_t high = (uint64_t)(divisor >> 64), low = (uint64_t)divisor, top = (uint64_t)(*rest >> 64);
    grz_u128 digit = top == high ? UINT64_MAX : *rest / high, product_low = digit * low;
    /* The digit is at most 2 too large: what is to be taken away has three limbs. */
    uint64_t left = (uint64_t)(*rest - digit * high);
    bool carried = top == high && (*rest - digit * high) >> 64 != 0; /* then the digit is right */
    while (!carried && product_low > (grz_u128)left << 64)
    {
        digit--;
        product_low -= low;
        left += high;
        carried = left < high;
    }
    *rest = (*rest << 64) - digit * divisor; /* modulo 2^128: what remains is less than the divisor */
    return (uint64_t)digit;
}

/*
 * The share near / (near + far) to 128 bits after the point, less than 3 of its last digits too small or 2 too large; 0
 * where it is 0 or 1 to that precision.
 *
 * Both weights are cut to the 128 leading bits of their sum, s: near' = near / 2^k - a and s' = s / 2^k - b with a, b
 * in [0, 1). Then near / s - near' / s' = (a s' - b near') / (s' (s' + b)), which is less than 1 / s' <= 2^-127 in
 * magnitude; the quotient is rounded down.
 */
static grz_u128 find_share(const uint64_t near_weight[WEIGHT_LIMBS], const uint64_t sum[WEIGHT_LIMBS])
{
    int count = count_limbs(sum, WEIGHT_LIMBS);
    if (count == 0)
        return 0;
    int shift = 64 * (count - 2) - __builtin_clzll(sum[count - 1]);
    grz_u128 rest = bits_from(near_weight, WEIGHT_LIMBS, shift), divisor = bits_from(sum, WEIGHT_LIMBS, shift);
    if (rest == 0 || rest >= divisor)
        return 0;
    uint64_t high = divide_digit(&rest, divisor), low = divide_digit(&rest, divisor);
    return (grz_u128)high << 64 | low;
}

/* The 128 leading bits of a product of 256. */
static grz_u128 multiply_high(grz_u128 a, grz_u128 b)
{
    uint64_t a_low = (uint64_t)a, a_high = (uint64_t)(a >> 64), b_low = (uint64_t)b, b_high = (uint64_t)(b >> 64);
    grz_u128 low = (grz_u128)a_low * b_low, one = (grz_u128)a_high * b_low, two = (grz_u128)a_low * b_high;
    grz_u128 middle = (low >> 64) + (uint64_t)one + (uint64_t)two;
    return (grz_u128)a_high * b_high + (one >> 64) + (two >> 64) + (middle >> 64);
}

static int leading_zeros(grz_u128 a)
{
    uint64_t high = (uint64_t)(a >> 64);
    return high != 0 ? __builtin_clzll(high) : (uint64_t)a != 0 ? 64 + __builtin_clzll((uint64_t)a) : 128;
}

/*
 * p + share (q - p), rounded; false where the error of the share may matter, which is where the sum is 0 or very close
 * to a tie. Coordinates are scaled up to below 2^125, so that |q - p| < 2^126, and the error of the product is below
 * 3 / 4 for the share, and 1 for leading bits: two units are enough on either side.
 */
static bool round_between(grz_u128 p, grz_u128 q, grz_u128 share, int unit, double *out)
{
    grz_u128 from = grz_wide_make(p).magnitude, to = grz_wide_make(q).magnitude;
    int zeros = leading_zeros(from | to), scale = zeros > 3 ? zeros - 3 : 0;
    grz_wide_number step = grz_wide_make((q << scale) - (p << scale));
    grz_u128 part = multiply_high(step.magnitude, share);
    grz_u128 middle = (p << scale) + (step.negative ? -part : part);
    grz_wide_number ends[2] = {grz_wide_make(middle - 2), grz_wide_make(middle + 2)};
    if (ends[0].negative != ends[1].negative)
        return false;
    double values[2];
    for (int i = 0; i < 2; i++)
        values[i] = grz_integer_round(ends[i].magnitude, ends[i].negative ? -1 : 1, unit - scale);
    *out = values[0];
    return grz_bits(values[0]) == grz_bits(values[1]) && values[0] != 0;
}

/* The point of the segment e0 e1 whose distances from a plane or line are 0, given those of e0 (near_weight) and e1
   (far_weight), which are on different sides: (|far| e0 + |near| e1) / (|far| + |near|). */
static void construct_between(const fixed_corners *corners, int e0, int e1, uint64_t near_weight[WEIGHT_LIMBS],
                              uint64_t far_weight[WEIGHT_LIMBS], double out[3])
{
    uint64_t sum[WEIGHT_LIMBS] = {0};
    take_magnitude(near_weight);
    take_magnitude(far_weight);
    grz_wide_accumulate(sum, near_weight, false, WEIGHT_LIMBS);
    grz_wide_accumulate(sum, far_weight, false, WEIGHT_LIMBS);
    grz_u128 share = find_share(near_weight, sum);
    for (int k = 0; k < 3; k++)
    {
        grz_wide_number p = grz_wide_make(corners->at[e0][k]), q = grz_wide_make(corners->at[e1][k]);
        if (corners->at[e0][k] == corners->at[e1][k])
        {
            out[k] = round_coordinate(corners->at[e0][k], corners->unit);
            continue;
        }
        /* shortcut: short-shares */
        if (share != 0 && round_between(corners->at[e0][k], corners->at[e1][k], share, corners->unit, &out[k]))
            continue;
        uint64_t total[PRODUCT_LIMBS] = {0}, product[PRODUCT_LIMBS], numerator[PRODUCT_LIMBS] = {0};
        grz_wide_multiply(far_weight, WEIGHT_LIMBS, p.magnitude, product);
        grz_wide_accumulate(total, product, p.negative, PRODUCT_LIMBS);
        grz_wide_multiply(near_weight, WEIGHT_LIMBS, q.magnitude, product);
        grz_wide_accumulate(total, product, q.negative, PRODUCT_LIMBS);
        bool negative = total[PRODUCT_LIMBS - 1] >> 63 != 0;
        grz_wide_accumulate(numerator, total, negative, PRODUCT_LIMBS);
        out[k] = round_quotient(numerator, negative, sum, corners->unit);
    }
}

static void subtract(const fixed_corners *corners, int a, int b, grz_wide_number out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = grz_wide_make(corners->at[a][k] - corners->at[b][k]);
}

static void construct_piercing(const fixed_corners *corners, const int edge[2], int face, double out[3])
{
    grz_wide_number p[3], q[3], r[3];
    grz_wide_normal normal;
    uint64_t weights[2][WEIGHT_LIMBS];
    subtract(corners, face, face + 2, p);
    subtract(corners, face + 1, face + 2, q);
    grz_wide_normal_make(p, q, &normal);
    for (int i = 0; i < 2; i++)
    {
        subtract(corners, face + 2, edge[i], r);
        grz_wide_height(&normal, r, weights[i]);
    }
    construct_between(corners, edge[0], edge[1], weights[0], weights[1], out);
}

/* The area of b0, b1, point projected along an axis. */
static void find_area(const fixed_corners *corners, const int b[2], int point, int axis, uint64_t out[WEIGHT_LIMBS])
{
    grz_wide_number p[3], q[3];
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    subtract(corners, b[0], point, p);
    subtract(corners, b[1], point, q);
    grz_wide_cross(p[i], p[j], q[i], q[j], out);
    for (int limb = 4; limb < WEIGHT_LIMBS; limb++)
        out[limb] = out[3] >> 63 != 0 ? UINT64_MAX : 0;
}

static void construct_crossing(const fixed_corners *corners, const int a[2], const int b[2], double out[3])
{
    uint64_t near_weight[WEIGHT_LIMBS] = {0}, far_weight[WEIGHT_LIMBS] = {0};
    /* The corners of a lie on different sides of b's line in any projection that keeps their plane two-dimensional. */
    for (int axis = 0; axis < 3; axis++)
    {
        find_area(corners, b, a[0], axis, near_weight);
        if (grz_wide_sign(near_weight, WEIGHT_LIMBS) == 0)
            continue;
        find_area(corners, b, a[1], axis, far_weight);
        break;
    }
    construct_between(corners, a[0], a[1], near_weight, far_weight, out);
}

static bool is_corner(unsigned mask)
{
    return (mask & (mask - 1)) == 0;
}

static void construct_corner(const fixed_corners *corners, unsigned mask, int first, double out[3])
{
    int corner = first + (mask == 1 ? 0 : mask == 2 ? 1 : 2);
    for (int k = 0; k < 3; k++)
        out[k] = round_coordinate(corners->at[corner][k], corners->unit);
}

/* The two corners of an edge's mask. */
static void edge_corners(unsigned mask, int first, int corners[2])
{
    corners[0] = first + ((mask & 1) != 0 ? 0 : 1);
    corners[1] = first + ((mask & 4) != 0 ? 2 : 1);
}

static void construct(const fixed_corners *corners, unsigned mask_a, unsigned mask_b, double out[3])
{
    int edge_a[2], edge_b[2];
    edge_corners(mask_a, 0, edge_a);
    edge_corners(mask_b, 3, edge_b);
    if (is_corner(mask_a))
        construct_corner(corners, mask_a, 0, out);
    else if (is_corner(mask_b))
        construct_corner(corners, mask_b, 3, out);
    else if (mask_b == GRZ_WHOLE_TRIANGLE)
        construct_piercing(corners, edge_a, 3, out);
    else if (mask_a == GRZ_WHOLE_TRIANGLE)
        construct_piercing(corners, edge_b, 0, out);
    else
        construct_crossing(corners, edge_a, edge_b, out);
}

static unsigned bits_in(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1);
}

/* The mask of the corner of B at the place of a corner of A; 0 where there is none. */
static unsigned same_corner(const fixed_corners *corners, int corner)
{
    const grz_u128 *p = corners->at[corner];
    for (int j = 0; j < 3; j++)
    {
        const grz_u128 *q = corners->at[3 + j];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
            return 1u << j;
    }
    return 0;
}

/*
 * The points of a contact of known dimension d and features, where they follow without signs. A contact that is a point
 * has the name of its features. A contact in features of d + 1 corners each, whose corners coincide, is these features:
 * a common edge, or the whole of two triangles, as of mated faces with the same vertices.
 */
static bool find_known_points(const fixed_corners *corners, const graze_triangle_contact *known, grz_contact_set *set)
{
    unsigned mask_b = 0, count = (unsigned)known->dimension + 1;
    set->count = 0;
    /* shortcut: common-corners */
    if (count == 1)
    {
        grz_contact_add(set, known->mask_a, known->mask_b);
        return true;
    }
    if (bits_in(known->mask_a) != count || bits_in(known->mask_b) != count)
        return false;
    for (int i = 0; i < 3; i++)
    {
        if ((known->mask_a & 1u << i) == 0)
            continue;
        unsigned same = same_corner(corners, i);
        if (same == 0)
            return false;
        grz_contact_add(set, 1u << i, same);
        mask_b |= same;
    }
    return mask_b == known->mask_b;
}

bool grz_fixed_intersection(const grz_fixed_triangle *a, const grz_fixed_triangle *b, int unit,
                            const graze_triangle_contact *known, graze_intersection *out_intersection)
{
    grz_contact_set set;
    fixed_corners corners;
    /* shortcut: fixed-point-construction */
    if (!(a->exact && b->exact))
        return false;
    corners.unit = unit;
    take_corners(a, corners.at);
    take_corners(b, corners.at + 3);
    if (!(known != NULL && find_known_points(&corners, known, &set)) && !grz_fixed_contact_set(a, b, &set))
        return false;
    double found[GRZ_CONTACT_POINTS_MAX][3];
    for (int i = 0; i < set.count; i++)
        construct(&corners, set.mask_a[i], set.mask_b[i], found[i]);
    grz_intersection_order(&set, found, out_intersection);
    return true;
}
