/* SPDX-License-Identifier: MIT */
/*
 * Triangle against triangle by clipping: B, be it a triangle, a segment or a point, is an intersection of half-spaces;
 * A is a convex polygon of three, two or one corners; A clipped (Sutherland, Hodgman 1974) by all of them is exactly
 * the intersection. Features are determined from its corners.
 */
#include "support/oracle_internal.h"

/* A triangle as a set: its extreme corners, each the lowest-numbered of coincident ones. */
typedef struct shape
{
    int first;      /* of its three corners on the lattice */
    int count;      /* 3 a triangle, 2 a segment, 1 a point */
    int corners[3]; /* 0, 1, 2 */
} shape;

/* Of collinear points the extreme ones are the smallest and greatest by x, then y, then z. */
static int compare_points(vector3 a, vector3 b)
{
    for (int c = 0; c < 3; c++)
    {
        int order = mpz_cmp(a[c], b[c]);
        if (order != 0)
            return order;
    }
    return 0;
}

static shape shape_of(oracle *judge, int first)
{
    vector3 *x = &judge->grid->points[first];
    shape form = {first, 3, {0, 1, 2}};
    vector_subtract(judge->u, x[1], x[0]);
    vector_subtract(judge->v, x[2], x[0]);
    vector_cross(judge->w, judge->u, judge->v);
    if (!vector_is_zero(judge->w))
        return form;
    int least = 0, greatest = 0;
    for (int i = 1; i < 3; i++)
    {
        if (compare_points(x[i], x[least]) < 0)
            least = i;
        if (compare_points(x[i], x[greatest]) > 0)
            greatest = i;
    }
    form.corners[0] = least;
    form.corners[1] = greatest;
    form.count = least == greatest ? 1 : 2;
    return form;
}

/* The half-space of points x with normal . (x - through) >= 0. */
static void add_space(oracle *judge, vector3 normal, vector3 through)
{
    mpz_t *c = judge->spaces[judge->space_count++];
    for (int i = 0; i < 3; i++)
        mpz_set(c[i], normal[i]);
    vector_dot(c[3], normal, through);
    mpz_neg(c[3], c[3]);
}

/* The plane of points x with normal . (x - through) = 0, as two half-spaces. */
static void add_plane(oracle *judge, vector3 normal, vector3 through)
{
    for (int turn = 0; turn < 2; turn++)
    {
        add_space(judge, normal, through);
        for (int i = 0; i < 3; i++)
            mpz_neg(normal[i], normal[i]);
    }
}

static void describe_triangle(oracle *judge, vector3 *x)
{
    vector_subtract(judge->u, x[1], x[0]);
    vector_subtract(judge->v, x[2], x[0]);
    vector_cross(judge->normal, judge->u, judge->v);
    add_plane(judge, judge->normal, x[0]);
    for (int i = 0; i < 3; i++)
    {
        vector_subtract(judge->u, x[(i + 1) % 3], x[i]);
        vector_cross(judge->v, judge->normal, judge->u);
        add_space(judge, judge->v, x[i]);
    }
}

/* The unit vector along an axis. */
static void set_axis(vector3 v, int axis)
{
    for (int c = 0; c < 3; c++)
        mpz_set_ui(v[c], c == axis);
}

static void describe_segment(oracle *judge, vector3 from, vector3 to)
{
    vector_subtract(judge->u, to, from);
    for (int axis = 0; axis < 3; axis++)
    {
        set_axis(judge->v, axis);
        vector_cross(judge->w, judge->u, judge->v);
        add_plane(judge, judge->w, from);
    }
    add_space(judge, judge->u, from);
    vector_subtract(judge->u, from, to);
    add_space(judge, judge->u, to);
}

static void describe(oracle *judge, shape form)
{
    vector3 *x = &judge->grid->points[form.first];
    judge->space_count = 0;
    if (form.count == 3)
        describe_triangle(judge, x);
    if (form.count == 2)
        describe_segment(judge, x[form.corners[0]], x[form.corners[1]]);
    if (form.count == 1)
        for (int axis = 0; axis < 3; axis++)
        {
            set_axis(judge->u, axis);
            add_plane(judge, judge->u, x[form.corners[0]]);
        }
}

/* Adds the new corner, unless it exists already. */
static void keep_corner(polygon *out)
{
    mpz_t *corner = out->corners[out->count];
    for (int i = 0; i < out->count; i++)
    {
        int same = 1;
        for (int c = 0; c < 4; c++)
            same = same && mpz_cmp(out->corners[i][c], corner[c]) == 0;
        if (same)
            return;
    }
    out->count++;
}

/* Side of and scaled distance from the bounding plane of the half-space. */
static void evaluate(mpz_t out, mpz_t *space, mpz_t *corner)
{
    mpz_mul(out, space[0], corner[0]);
    for (int c = 1; c < 4; c++)
        mpz_addmul(out, space[c], corner[c]);
}

/* The intersection of the plane with the segment between two corners at heights s > 0 > t or s < 0 < t. */
static void cut_corner(oracle *judge, polygon *out, mpz_t *from, mpz_t *to)
{
    mpz_t *corner = out->corners[out->count];
    for (int c = 0; c < 4; c++)
    {
        mpz_mul(corner[c], judge->s, to[c]);
        mpz_submul(corner[c], judge->t, from[c]);
    }
    mpz_gcd(judge->p, corner[0], corner[1]);
    mpz_gcd(judge->p, judge->p, corner[2]);
    mpz_gcd(judge->p, judge->p, corner[3]);
    if (mpz_sgn(corner[3]) < 0)
        mpz_neg(judge->p, judge->p);
    for (int c = 0; c < 4; c++)
        mpz_divexact(corner[c], corner[c], judge->p);
    keep_corner(out);
}

static void clip(oracle *judge, mpz_t *space, polygon *in, polygon *out)
{
    out->count = 0;
    for (int i = 0; i < in->count; i++)
    {
        mpz_t *from = in->corners[i], *to = in->corners[(i + 1) % in->count];
        evaluate(judge->s, space, from);
        evaluate(judge->t, space, to);
        if (mpz_sgn(judge->s) >= 0)
        {
            for (int c = 0; c < 4; c++)
                mpz_set(out->corners[out->count][c], from[c]);
            keep_corner(out);
        }
        if (mpz_sgn(judge->s) * mpz_sgn(judge->t) < 0)
            cut_corner(judge, out, from, to);
    }
}

polygon *oracle_clip(oracle *judge)
{
    polygon *in = &judge->polygons[0], *out = &judge->polygons[1];
    shape a = shape_of(judge, 0);
    in->count = a.count;
    for (int i = 0; i < a.count; i++)
    {
        for (int c = 0; c < 3; c++)
            mpz_set(in->corners[i][c], judge->grid->points[a.corners[i]][c]);
        mpz_set_ui(in->corners[i][3], 1);
    }
    describe(judge, shape_of(judge, 3));
    for (int i = 0; i < judge->space_count && in->count > 0; i++)
    {
        clip(judge, judge->spaces[i], in, out);
        polygon *swap = in;
        in = out;
        out = swap;
    }
    return in;
}

/* Whether the shared polygon lies on the line through two points (or, if they coincide, at that point). */
static bool all_on_line(oracle *judge, const polygon *shared, vector3 from, vector3 to)
{
    vector_subtract(judge->v, to, from);
    bool point = vector_is_zero(judge->v);
    for (int i = 0; i < shared->count; i++)
    {
        for (int c = 0; c < 3; c++)
        {
            mpz_set(judge->u[c], shared->corners[i][c]);
            mpz_submul(judge->u[c], from[c], shared->corners[i][3]);
        }
        vector_cross(judge->w, judge->u, judge->v);
        if (!vector_is_zero(point ? judge->u : judge->w))
            return false;
    }
    return true;
}

/* The smallest feature of a triangle that contains all of the shared polygon. */
static graze_feature smallest_feature(oracle *judge, const polygon *shared, shape form, unsigned char *mask)
{
    vector3 *x = &judge->grid->points[form.first];
    for (int i = 0; i < form.count; i++)
        if (all_on_line(judge, shared, x[form.corners[i]], x[form.corners[i]]))
        {
            *mask = (unsigned char)(1 << form.corners[i]);
            return GRAZE_FEATURE_VERTEX;
        }
    for (int i = 0; i < form.count; i++)
    {
        int from = form.corners[i], to = form.corners[(i + 1) % form.count];
        if (all_on_line(judge, shared, x[from], x[to]))
        {
            *mask = (unsigned char)(1 << from | 1 << to);
            return GRAZE_FEATURE_EDGE;
        }
    }
    *mask = 7;
    return GRAZE_FEATURE_FACE;
}

graze_triangle_contact oracle_classify(oracle *judge, const polygon *shared)
{
    graze_triangle_contact contact = {0};
    if (shared->count == 0)
        return contact;
    contact.found = true;
    contact.dimension = (unsigned char)(shared->count > 2 ? 2 : shared->count - 1);
    contact.coplanar = contact.dimension == 2;
    contact.feature_a = smallest_feature(judge, shared, shape_of(judge, 0), &contact.mask_a);
    contact.feature_b = smallest_feature(judge, shared, shape_of(judge, 3), &contact.mask_b);
    /* A convex set that no edge contains has a point off all edges: in the interior of both triangles. */
    contact.crossing =
        !contact.coplanar && contact.feature_a == GRAZE_FEATURE_FACE && contact.feature_b == GRAZE_FEATURE_FACE;
    return contact;
}

static polygon *clip_triangles(oracle *judge, const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    lattice_begin(judge->grid);
    for (int i = 0; i < 3; i++)
        lattice_add(judge->grid, a->corners[i], a->pose);
    for (int i = 0; i < 3; i++)
        lattice_add(judge->grid, b->corners[i], b->pose);
    lattice_align(judge->grid);
    return oracle_clip(judge);
}

graze_triangle_contact oracle_triangle_triangle(oracle *judge, const graze_placed_triangle *a,
                                                const graze_placed_triangle *b)
{
    return oracle_classify(judge, clip_triangles(judge, a, b));
}

bool oracle_is_flat(oracle *judge, const graze_placed_triangle *triangle)
{
    lattice_begin(judge->grid);
    for (int i = 0; i < 3; i++)
        lattice_add(judge->grid, triangle->corners[i], triangle->pose);
    lattice_align(judge->grid);
    return shape_of(judge, 0).count < 3;
}

graze_intersection oracle_intersection(oracle *judge, const graze_placed_triangle *a, const graze_placed_triangle *b)
{
    graze_intersection result = {0};
    const polygon *shared = clip_triangles(judge, a, b);
    result.count = shared->count;
    for (int i = 0; i < shared->count && i < 6; i++)
        for (int c = 0; c < 3; c++)
            result.points[i][c] = nearest_double(shared->corners[i][c], shared->corners[i][3], judge->grid->exponent);
    return result;
}
