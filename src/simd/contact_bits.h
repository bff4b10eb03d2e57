/* SPDX-License-Identifier: MIT */
/*
 * The contacts of up to 64 pairs of triangles from the signs of determinants, one pair to a bit: the logic of
 * exact/triangle_triangle.c and exact/line_interval.h, bit-sliced. Signs are those of heights above planes; a point
 * above a plane is on its negative side there.
 *
 * Part of contact_template.h; no vectors here.
 */
#ifndef GRZ_SIMD_CONTACT_BITS_H
#define GRZ_SIMD_CONTACT_BITS_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t pair_bits;

/* Pairs in which a number is certainly positive, negative, or 0; in none of them where that is unknown. */
typedef struct sign_bits
{
    pair_bits positive, negative, zero;
} sign_bits;

static inline pair_bits sign_bits_known(sign_bits s)
{
    return s.positive | s.negative | s.zero;
}

static inline sign_bits sign_bits_flip(sign_bits s, pair_bits flipped)
{
    return (sign_bits){(s.positive & ~flipped) | (s.negative & flipped),
                       (s.negative & ~flipped) | (s.positive & flipped), s.zero};
}

/* The same as masks of eight pairs each, which comparisons of vectors give. */
typedef struct group_bits
{
    uint8_t groups[8];
} group_bits;

static inline pair_bits join_groups(const group_bits *bits)
{
    pair_bits all = 0;
    for (int g = 0; g < 8; g++) /* a single load */
        all |= (pair_bits)bits->groups[g] << 8 * g;
    return all;
}

/* The mask of one group. */
static inline unsigned group_of(pair_bits bits, unsigned group)
{
    return (unsigned)(bits >> 8 * group & 0xff);
}

/* The contacts found: the corners of the smallest features, and the dimension in binary. */
typedef struct contact_bits
{
    pair_bits mask_a[3], mask_b[3], dimension[2];
} contact_bits;

/* The interval in which a triangle cuts the common line of two planes, as grz_line_interval: corners as one bit of
   three. */
typedef struct interval_bits
{
    pair_bits apex[3], lower[3], upper[3];
    pair_bits above;     /* whether the apex lies above the other's plane */
    pair_bits point;     /* lower and upper end are one corner */
    pair_bits straddles; /* corners on both sides of the other's plane */
    pair_bits lower_on, upper_on;
} interval_bits;

/* Heights of the corners, not all 0 and not all of one sign. `reversed` for the triangle B, whose ends are in the other
   order. */
static inline interval_bits find_interval_bits(const sign_bits h[3], bool reversed)
{
    interval_bits out = {.above = 0};
    pair_bits alone[3], next[3], last[3];
    for (int i = 0; i < 3; i++)
    {
        const sign_bits *s = &h[i], *t = &h[(i + 1) % 3], *r = &h[(i + 2) % 3];
        alone[i] = (s->positive & ~t->positive & ~r->positive) | (s->negative & ~t->negative & ~r->negative);
    }
    pair_bits any = alone[0] | alone[1] | alone[2];
    pair_bits off[2] = {h[0].positive | h[0].negative, h[1].positive | h[1].negative};
    out.point = ~any;
    out.apex[0] = alone[0] | (~any & off[0]);
    out.apex[1] = (~alone[0] & alone[1]) | (~any & ~off[0] & off[1]);
    out.apex[2] = ~(out.apex[0] | out.apex[1]);
    for (int i = 0; i < 3; i++)
    {
        out.above |= out.apex[i] & h[i].positive;
        next[i] = (any & out.apex[(i + 2) % 3]) | (~any & h[i].zero);
        last[i] = (any & out.apex[(i + 1) % 3]) | (~any & h[i].zero);
    }
    pair_bits in_order = reversed ? ~out.above : out.above;
    for (int i = 0; i < 3; i++)
    {
        out.lower[i] = (in_order & next[i]) | (~in_order & last[i]);
        out.upper[i] = (in_order & last[i]) | (~in_order & next[i]);
        out.lower_on |= out.lower[i] & h[i].zero;
        out.upper_on |= out.upper[i] & h[i].zero;
    }
    out.straddles = (h[0].positive | h[1].positive | h[2].positive) & (h[0].negative | h[1].negative | h[2].negative);
    return out;
}

/* The features at both ends of an interval and between, by corner. */
typedef struct interval_features
{
    pair_bits lower[3], upper[3], middle[3];
} interval_features;

static inline interval_features find_interval_features(const interval_bits *t)
{
    interval_features f;
    for (int i = 0; i < 3; i++)
    {
        f.lower[i] = t->lower[i] | (~t->lower_on & t->apex[i]);
        f.upper[i] = t->upper[i] | (~t->upper_on & t->apex[i]);
        f.middle[i] = t->straddles | t->lower[i] | t->upper[i];
    }
    return f;
}

/* As grz_contact_on_line, for the pairs in `meet`: `up` is the sign of B's upper end minus A's lower one, not negative,
   `down` that of B's lower end minus A's upper one, not positive. */
static inline void add_line_contacts(const interval_bits *a, const interval_bits *b, pair_bits up_zero,
                                     pair_bits down_zero, pair_bits meet, contact_bits *out)
{
    interval_features of_a = find_interval_features(a), of_b = find_interval_features(b);
    pair_bits ends = up_zero | down_zero, segment = ~(ends | a->point | b->point);
    pair_bits first = up_zero, second = ~up_zero & down_zero, inside = ~(ends | segment);
    for (int i = 0; i < 3; i++)
    {
        out->mask_a[i] |= meet & ((segment & of_a.middle[i]) | (first & of_a.lower[i]) | (second & of_a.upper[i]) |
                                  (inside & ((a->point & of_a.lower[i]) | (~a->point & of_a.middle[i]))));
        out->mask_b[i] |= meet & ((segment & of_b.middle[i]) | (first & of_b.upper[i]) | (second & of_b.lower[i]) |
                                  (inside & ((b->point & of_b.lower[i]) | (~b->point & of_b.middle[i]))));
    }
    out->dimension[0] |= meet & segment;
}

/* Signs of the three edges of one triangle at the three corners of the other, positive inside: [corner][edge]. */
typedef sign_bits side_bits[3][3];

/* Pairs in which all corners lie strictly outside of one edge. */
static inline pair_bits find_separated_by_edge(side_bits sides)
{
    pair_bits separated = 0;
    for (int e = 0; e < 3; e++)
        separated |= sides[0][e].negative & sides[1][e].negative & sides[2][e].negative;
    return separated;
}

/* Corners of one triangle in the other: where each lies, and which are not at a corner. */
typedef struct corner_bits
{
    pair_bits inside[3], at_corner[3];
    pair_bits mask[3]; /* corners of the features that they lie in, of all together */
} corner_bits;

static inline corner_bits find_corner_bits(side_bits sides)
{
    corner_bits out = {{0}, {0}, {0}};
    for (int i = 0; i < 3; i++)
    {
        const sign_bits *s = sides[i];
        pair_bits z0 = s[0].zero, z1 = s[1].zero, z2 = s[2].zero;
        out.inside[i] = ~(s[0].negative | s[1].negative | s[2].negative);
        out.at_corner[i] = (z0 & z1) | (z1 & z2) | (z2 & z0);
        out.mask[2] |= out.inside[i] & ~z0;
        out.mask[0] |= out.inside[i] & ~z1;
        out.mask[1] |= out.inside[i] & ~z2;
    }
    return out;
}

static inline pair_bits changes_sign(sign_bits s, sign_bits t)
{
    return (s.positive & t.negative) | (s.negative & t.positive);
}

/* Numbers of points found, up to three. */
typedef struct count_bits
{
    pair_bits one, two, three; /* at least as many */
} count_bits;

static inline void count_point(count_bits *count, pair_bits found)
{
    count->three |= count->two & found;
    count->two |= count->one & found;
    count->one |= found;
}

/* As grz_contact_in_plane, for the pairs in `given`. */
static inline void add_plane_contacts(side_bits a_in_b, side_bits b_in_a, pair_bits given, contact_bits *out)
{
    corner_bits of_a = find_corner_bits(a_in_b), of_b = find_corner_bits(b_in_a);
    pair_bits mask_a[3], mask_b[3];
    count_bits count = {0, 0, 0};
    for (int i = 0; i < 3; i++)
    {
        mask_a[i] = of_b.mask[i] | of_a.inside[i];
        mask_b[i] = of_a.mask[i] | of_b.inside[i];
        count_point(&count, of_a.inside[i]);
        count_point(&count, of_b.inside[i] & ~of_b.at_corner[i]);
    }
    for (int i = 0; i < 3; i++)
    {
        int i1 = (i + 1) % 3;
        for (int j = 0; j < 3; j++)
        {
            int j1 = (j + 1) % 3;
            pair_bits crossed = changes_sign(a_in_b[i][j], a_in_b[i1][j]) & changes_sign(b_in_a[j][i], b_in_a[j1][i]);
            mask_a[i] |= crossed;
            mask_a[i1] |= crossed;
            mask_b[j] |= crossed;
            mask_b[j1] |= crossed;
            count_point(&count, crossed);
        }
    }
    pair_bits meet = given & count.one;
    for (int i = 0; i < 3; i++)
    {
        out->mask_a[i] |= meet & mask_a[i];
        out->mask_b[i] |= meet & mask_b[i];
    }
    out->dimension[0] |= meet & count.two & ~count.three;
    out->dimension[1] |= meet & count.three;
}

#endif
