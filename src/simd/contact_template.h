/* SPDX-License-Identifier: MIT */
/*
 * The contact of two triangles, eight pairs side by side, in doubles; part of kernels_template.h. Signs of
 * determinants (contact_signs_template.h) after Guigue and Devillers, as in exact/triangle_triangle.c; contact_bits.h
 * makes contacts of them, for eight groups of eight at once. A pair of which a sign is unknown is left undecided,
 * unless an axis in the plane of one of its triangles separates them.
 */
#include "simd/contact_signs_template.h"

#define MOST_IN_PLANE 0x1p240 /* the fourth power does not overflow */

/* One of three corners for each pair of a group. */
static inline void pick_corner(const f64x8 corners[3][3], const pair_bits which[3], unsigned group, f64x8 out[3])
{
    mask64x8 first = mask64x8_from_bits(group_of(which[0], group)),
             second = mask64x8_from_bits(group_of(which[1], group));
    for (int k = 0; k < 3; k++)
        out[k] = f64x8_select(first, corners[0][k], f64x8_select(second, corners[1][k], corners[2][k]));
}

/* Pairs in which A's apex or foot is B's. */
static inline pair_bits share_corner(const zero_proofs *z, const pair_bits apex_a[3], const pair_bits foot_a[3],
                                     const pair_bits apex_b[3], const pair_bits foot_b[3])
{
    pair_bits shared = 0;
    for (int i = 0; i < 3 && z->any_equal != 0; i++)
        for (int j = 0; j < 3; j++)
            shared |= z->equal[i][j] & (apex_a[i] | foot_a[i]) & (apex_b[j] | foot_b[j]);
    return shared;
}

/* The order of the ends of both intervals on the common line: B's upper end and A's lower one, B's lower end and A's
   upper one. */
typedef struct order_groups
{
    sign_groups up, down, rest_up, rest_down;
} order_groups;

/* The sign of the determinant that tells B's end from A's, for edges e of A and f of B. */
static inline void find_order(const contact_group *m, const f64x8 e[3], const f64x8 f[3], const f64x8 between[3],
                              unsigned group, sign_groups *out, sign_groups *out_rest)
{
    f64x8 w[3];
    contact_cross(e, f, w);
    f64x8 bound = find_rest_share(m, w, group, out_rest);
    compare_with_bound(m->frame, contact_dot(w, between), bound, group, out);
}

static inline void find_orders(const contact_group *m, const interval_bits *a, const interval_bits *b, unsigned group,
                               order_groups *out)
{
    f64x8 apex_a[3], apex_b[3], e[3], f[3], between[3];
    pick_corner(m->a, a->apex, group, apex_a);
    pick_corner(m->b, b->apex, group, apex_b);
    contact_subtract(apex_b, apex_a, between);
    pick_corner(m->a, a->lower, group, e);
    pick_corner(m->b, b->upper, group, f);
    contact_subtract(e, apex_a, e);
    contact_subtract(f, apex_b, f);
    find_order(m, e, f, between, group, &out->up, &out->rest_up);
    pick_corner(m->a, a->upper, group, e);
    pick_corner(m->b, b->lower, group, f);
    contact_subtract(e, apex_a, e);
    contact_subtract(f, apex_b, f);
    find_order(m, e, f, between, group, &out->down, &out->rest_down);
}

/* The pairs, of those given, whose planes cut each other in a line. Returns those decided. */
static pair_bits decide_on_line(const contact_group *groups, unsigned group_count, const zero_proofs *zeros,
                                const sign_bits of_a[3], const sign_bits of_b[3], pair_bits given, contact_bits *out)
{
    interval_bits a = find_interval_bits(of_a, false), b = find_interval_bits(of_b, true);
    order_groups orders;
    memset(&orders, 0, sizeof orders);
    for (unsigned g = 0; g < group_count; g++)
        if (group_of(given, g) != 0)
            find_orders(&groups[g], &a, &b, g, &orders);
    sign_bits up = join_signs(&orders.up, zeros, share_corner(zeros, a.apex, a.lower, b.apex, b.upper));
    sign_bits down = join_signs(&orders.down, zeros, share_corner(zeros, a.apex, a.upper, b.apex, b.lower));
    if (zeros->has_rest)
    {
        up = add_rest(up, &orders.rest_up, false);
        down = add_rest(down, &orders.rest_down, false);
    }
    up = sign_bits_flip(up, a.above ^ b.above);
    down = sign_bits_flip(down, a.above ^ b.above);
    pair_bits apart = given & (up.negative | down.positive);
    pair_bits meet = given & ~apart & sign_bits_known(up) & sign_bits_known(down);
    add_line_contacts(&a, &b, up.zero, down.zero, meet, out);
    return apart | meet;
}

/* The corners of both triangles projected along the axis on which B's normal is largest. */
typedef struct contact_projection
{
    f64x8 a[3][2], b[3][2], normal_a, normal_b;
} contact_projection;

static inline contact_projection project_contacts(const contact_group *m)
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

/* Sides of the corners to the other's edges in all groups, of pairs in one plane. Zeros are not compared: on a lattice
   the error bound is 0, and what is on neither side is 0. */
typedef struct side_groups
{
    group_bits positive, negative;
} side_groups;

typedef struct plane_groups
{
    side_groups a_in_b[3][3], b_in_a[3][3], turn_a, turn_b; /* [corner][edge] */
} plane_groups;

static inline void compare_area(const contact_group *m, f64x8 area, unsigned group, side_groups *out)
{
    out->positive.groups[group] = (uint8_t)f64x8_lt_bits(m->area_bound, area);
    out->negative.groups[group] = (uint8_t)f64x8_lt_bits(area, f64x8_sub(f64x8_splat(0), m->area_bound));
}

static inline sign_bits join_sides(const side_groups *area, pair_bits lattice, pair_bits known_zero)
{
    sign_bits s = {join_groups(&area->positive), join_groups(&area->negative), 0};
    s.zero = (known_zero | lattice) & ~(s.positive | s.negative);
    return s;
}

static inline f64x8 find_area(const f64x8 p[2], const f64x8 q[2])
{
    return f64x8_sub(f64x8_mul(p[0], q[1]), f64x8_mul(p[1], q[0]));
}

/* All areas of a corner of one triangle and an edge of the other, from the nine differences of their corners. */
static inline void find_sides(const contact_group *m, unsigned group, plane_groups *out)
{
    contact_projection p = project_contacts(m);
    f64x8 d[3][3][2];
    compare_area(m, p.normal_a, group, &out->turn_a);
    compare_area(m, p.normal_b, group, &out->turn_b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++)
                d[i][j][k] = f64x8_sub(p.b[j][k], p.a[i][k]);
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            int next = (e + 1) % 3;
            compare_area(m, find_area(d[i][e], d[i][next]), group, &out->a_in_b[i][e]);
            compare_area(m, find_area(d[e][i], d[next][i]), group, &out->b_in_a[i][e]);
        }
}

/* The pairs, of those given, that lie in one plane. Returns those decided. */
static pair_bits decide_in_plane(const contact_group *groups, unsigned group_count, const zero_proofs *z,
                                 pair_bits given, contact_bits *out)
{
    plane_groups sides;
    side_bits a_in_b, b_in_a;
    memset(&sides, 0, sizeof sides);
    for (unsigned g = 0; g < group_count; g++)
        if (group_of(given, g) != 0)
            find_sides(&groups[g], g, &sides);
    sign_bits turn_a = join_sides(&sides.turn_a, z->lattice, 0), turn_b = join_sides(&sides.turn_b, z->lattice, 0);
    pair_bits known = given;
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
        {
            int next = (e + 1) % 3;
            sign_bits a = join_sides(&sides.a_in_b[i][e], z->lattice, z->equal[i][e] | z->equal[i][next]);
            sign_bits b = join_sides(&sides.b_in_a[i][e], z->lattice, z->equal[e][i] | z->equal[next][i]);
            known &= sign_bits_known(a) & sign_bits_known(b);
            a_in_b[i][e] = sign_bits_flip(a, turn_b.negative);
            b_in_a[i][e] = sign_bits_flip(b, turn_a.negative);
        }
    /* without area in the projection a triangle is degenerate, or its sign unknown */
    pair_bits has_area = given & (turn_a.positive | turn_a.negative) & (turn_b.positive | turn_b.negative);
    pair_bits apart = has_area & (find_separated_by_edge(a_in_b) | find_separated_by_edge(b_in_a));
    known &= has_area & ~apart;
    add_plane_contacts(a_in_b, b_in_a, known, out);
    return apart | known;
}

/* The pairs of a group whose triangle A certainly has area. */
static inline unsigned find_with_area(const contact_group *m)
{
    const f64x8 *n = m->normal_a;
    f64x8 largest = f64x8_max(f64x8_max(f64x8_abs(n[0]), f64x8_abs(n[1])), f64x8_abs(n[2]));
    return f64x8_lt_bits(m->area_bound, largest);
}

/* Takes from the flat pairs those that are one triangle twice, corner for corner, and certainly have area: each is the
   contact. Returns those decided. */
static inline pair_bits decide_identical(const contact_group *groups, unsigned group_count, const zero_proofs *z,
                                         pair_bits flat, contact_bits *out)
{
    group_bits with_area = {{0}};
    /* shortcut: identical-triangles */
    pair_bits identical = flat;
    for (int i = 0; i < 3; i++)
        identical &= z->equal[i][0] | z->equal[i][1] | z->equal[i][2];
    for (unsigned g = 0; g < group_count; g++)
        if (group_of(identical, g) != 0)
            with_area.groups[g] = (uint8_t)find_with_area(&groups[g]);
    identical &= join_groups(&with_area);
    for (int i = 0; i < 3; i++)
    {
        out->mask_a[i] |= identical;
        out->mask_b[i] |= identical;
    }
    out->dimension[1] |= identical;
    return identical;
}

/* Whether the intervals of both triangles along w are disjoint: simd/triangle_sat_template.h has the error bound, with
   14 roundings of positions and products; coordinates are relative to A's first corner. Sums are below 12 M^4. */
static inline unsigned is_separated_along_axis(const contact_group *m, const f64x8 w[3], f64x8 error)
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
static __attribute__((noinline)) unsigned separate_in_plane(const contact_group *m)
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
    return separated & f64x8_lt_bits(m->size, f64x8_splat(MOST_IN_PLANE));
}

static inline pair_bits all_three(pair_bits a, pair_bits b, pair_bits c)
{
    return a & b & c;
}

/* Pairs separated by the plane whose heights these are. */
static inline pair_bits is_separated(const sign_bits h[3])
{
    return all_three(h[0].positive, h[1].positive, h[2].positive) |
           all_three(h[0].negative, h[1].negative, h[2].negative);
}

static pair_bits separate_undecided(const contact_group *groups, unsigned group_count, pair_bits undecided)
{
    pair_bits separated = 0;
    for (unsigned g = 0; g < group_count; g++)
        if (group_of(undecided, g) != 0)
            separated |= (pair_bits)separate_in_plane(&groups[g]) << GRZ_LANES * g;
    return undecided & separated;
}

static void write_contacts(const contact_bits *found, const sign_bits of_a[3], const sign_bits of_b[3],
                           pair_bits decided, grz_contacts *out)
{
    out->decided = decided;
    out->zeros = 0;
    for (int i = 0; i < 3; i++)
    {
        out->facts[i] = found->mask_a[i];
        out->facts[i + 3] = found->mask_b[i];
        out->zeros += (unsigned)__builtin_popcountll(of_a[i].zero & decided) +
                      (unsigned)__builtin_popcountll(of_b[i].zero & decided);
    }
    out->facts[6] = found->dimension[0];
    out->facts[7] = found->dimension[1];
}

/* Loads all groups and finds the heights of their corners. */
static void prepare_groups(const grz_contact_pairs *pairs, unsigned group_count, const grz_contact_frame *frame,
                           contact_group *groups, zero_proofs *zeros, sign_bits of_a[3], sign_bits of_b[3])
{
    height_groups heights;
    zero_groups proofs;
    memset(&heights, 0, sizeof heights);
    memset(&proofs, 0, sizeof proofs);
    for (unsigned g = 0; g < group_count; g++)
    {
        groups[g].frame = frame;
        load_contact_group(&groups[g], pairs, GRZ_LANES * g);
        find_contact_bounds(&groups[g]);
        find_equal_corners(&groups[g], g, &proofs);
        find_heights(&groups[g], g, &heights);
        proofs.lattice.groups[g] = (uint8_t)groups[g].lattice;
    }
    join_zero_proofs(&proofs, frame->rest_size != 0, zeros);
    join_heights(&heights, zeros, of_a, of_b);
}

static void contacts_kernel(const grz_contact_pairs *pairs, unsigned count, const grz_contact_frame *frame,
                            grz_contacts *out)
{
    contact_group groups[GRZ_CONTACT_PAIRS / GRZ_LANES];
    zero_proofs zeros;
    sign_bits of_a[3], of_b[3];
    contact_bits found = {{0}, {0}, {0}};
    unsigned group_count = (count + GRZ_LANES - 1) / GRZ_LANES;
    pair_bits given = count < GRZ_CONTACT_PAIRS ? ((pair_bits)1 << count) - 1 : UINT64_MAX, left = given;
    prepare_groups(pairs, group_count, frame, groups, &zeros, of_a, of_b);
    pair_bits decided = given & (is_separated(of_a) | is_separated(of_b));
    for (int i = 0; i < 3; i++)
        left &= sign_bits_known(of_a[i]) & sign_bits_known(of_b[i]);
    left &= ~decided;
    pair_bits flat = left & (all_three(of_a[0].zero, of_a[1].zero, of_a[2].zero) |
                             all_three(of_b[0].zero, of_b[1].zero, of_b[2].zero));
    if ((left & ~flat) != 0)
        decided |= decide_on_line(groups, group_count, &zeros, of_a, of_b, left & ~flat, &found);
    if (flat != 0 && zeros.any_equal != 0)
    {
        pair_bits identical = decide_identical(groups, group_count, &zeros, flat, &found);
        decided |= identical;
        flat &= ~identical;
    }
    if (flat != 0)
        decided |= decide_in_plane(groups, group_count, &zeros, flat, &found);
    if (decided != given)
        decided |= separate_undecided(groups, group_count, given & ~decided);
    write_contacts(&found, of_a, of_b, decided, out);
}
