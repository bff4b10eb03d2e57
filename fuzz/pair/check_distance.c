/* SPDX-License-Identifier: MIT */
/* Distances lie in their intervals, and tolerance queries report exactly the pairs that the rational distance does. */
#include <math.h>
#include <string.h>

#include "pair_case.h"
#include "support/oracle_distance.h"

enum
{
    MOST_DISTANCES = 36, /* pairs: a rational distance is slow */
    MANY = 64            /* triangles, for which distance queries have another way */
};

/* The squared distances of all pairs; allocated once. */
static mpq_t squares[MOST_DISTANCES];

/* Whether there are few enough pairs. out_least is -1 if a mesh is empty. */
static bool judge_distances(const pair_case *c, mpq_t out_least)
{
    static bool ready;
    size_t count = (size_t)c->sides[0].shape.triangle_count * c->sides[1].shape.triangle_count, next = 0;
    if (count > MOST_DISTANCES)
        return false;
    for (int i = 0; i < MOST_DISTANCES && !ready; i++)
        mpq_init(squares[i]);
    ready = true;
    mpq_set_si(out_least, -1, 1);
    for (uint32_t i = 0; i < c->sides[0].shape.triangle_count; i++)
        for (uint32_t j = 0; j < c->sides[1].shape.triangle_count; j++)
        {
            graze_placed_triangle first = placed_triangle(&c->sides[0], &c->a.pose, i);
            graze_placed_triangle second = placed_triangle(&c->sides[1], &c->b.pose, j);
            oracle_distance_sq(c->judge, &first, &second, squares[next]);
            if (mpq_sgn(out_least) < 0 || mpq_cmp(squares[next], out_least) < 0)
                mpq_set(out_least, squares[next]);
            next++;
        }
    return true;
}

/* A number near the distance, or any. */
static double take_length(fuzz_bytes *bytes, const mpq_t least)
{
    uint8_t form = take_byte(bytes);
    double length = fabs(take_coordinate(bytes));
    if ((form & 1) != 0 && mpq_sgn(least) >= 0)
        length = sqrt(mpq_get_d(least));
    if ((form & 2) != 0)
        length = nextafter(length, INFINITY);
    if ((form & 4) != 0 && length > 0)
        length = nextafter(length, 0);
    return isfinite(length) ? length : 1;
}

static void expect_within(const graze_distance *d, const mpq_t least, const char *query)
{
    EXPECT(oracle_compare_distance(d->lower, least) <= 0, "%s: lower %.17g is too large", query, d->lower);
    EXPECT(oracle_compare_distance(d->upper, least) >= 0, "%s: upper %.17g is too small", query, d->upper);
    EXPECT((d->distance == 0) == (mpq_sgn(least) == 0), "%s: %.17g", query, d->distance);
    EXPECT(d->lower <= d->distance && d->distance <= d->upper, "%s: %.17g is not in [%.17g, %.17g]", query, d->distance,
           d->lower, d->upper);
}

/* B with copies of its triangles after the last. */
static graze_mesh *make_many(const pair_case *c)
{
    const small_mesh *shape = &c->sides[1].shape;
    uint32_t corners[MANY][3];
    for (uint32_t i = 0; i < MANY; i++)
        memcpy(corners[i], shape->triangles[i % shape->triangle_count], sizeof corners[i]);
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    def.vertices = shape->vertices;
    def.vertex_count = shape->vertex_count;
    def.corners = corners[0];
    def.corner_count = 3 * MANY;
    EXPECT_OK(graze_mesh_create(&c->context, &def, NULL, &mesh));
    return mesh;
}

/* A around its origin: with a box that reaches as far up as down. */
static graze_mesh *make_centred(const pair_case *c)
{
    small_mesh shape = c->sides[0].shape;
    graze_box box = graze_mesh_bounds(c->sides[0].mesh);
    for (uint32_t i = 0; i < 3 * shape.vertex_count; i++)
    {
        double *x = &shape.vertices[i / 3][i % 3], lower = box.lower[i % 3], upper = box.upper[i % 3];
        double half = upper / 2 - lower / 2;
        *x = *x <= lower ? -half : *x >= upper ? half : fmin(fmax(*x - (lower / 2 + upper / 2), -half), half);
    }
    return shape_create(&shape);
}

static void expect_same(const graze_distance *d, const graze_distance *same, const char *query)
{
    EXPECT(d->distance == same->distance && d->lower == same->lower && d->upper == same->upper,
           "%s: %.17g, [%.17g, %.17g]; without a tree %.17g, [%.17g, %.17g]", query, d->distance, d->lower, d->upper,
           same->distance, same->lower, same->upper);
}

/* Many triangles, also against few around their origin, which an oriented box holds: the distance is that without
   trees, and within its bounds that of one copy. Which of pairs that are equally near but for the bounds' width is
   measured depends on how many these are. */
static void check_many(const pair_case *c, const mpq_t least)
{
    graze_mesh *mesh = make_many(c), *centred = make_centred(c);
    graze_tree *tree;
    graze_distance found[5];
    EXPECT_OK(graze_tree_create(&c->context, mesh, NULL, NULL, &tree));
    const graze_placed_mesh many = {mesh, tree, c->b.pose}, bare = {mesh, NULL, c->b.pose};
    const graze_placed_mesh few = {centred, NULL, c->a.pose};
    EXPECT_OK(graze_pair_distance(&c->context, &c->a, &many, NULL, &found[0]));
    EXPECT_OK(graze_pair_distance(&c->context, &many, &c->a, NULL, &found[1]));
    EXPECT_OK(graze_pair_distance(&c->context, &few, &many, NULL, &found[2]));
    EXPECT_OK(graze_pair_distance(&c->context, &few, &bare, NULL, &found[3]));
    EXPECT_OK(graze_pair_distance(&c->context, &c->a, &bare, NULL, &found[4]));
    for (int i = 0; i < 2; i++)
    {
        expect_within(&found[i], least, "distance of many");
        expect_same(&found[i], &found[4], "distance of many");
    }
    expect_same(&found[2], &found[3], "distance of many from few");
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(centred);
}

void check_distance(fuzz_bytes *bytes, pair_case *c)
{
    mpq_t least;
    mpq_init(least);
    if (judge_distances(c, least))
    {
        graze_distance plain, swapped, limited;
        EXPECT_OK(graze_pair_distance(&c->context, &c->a, &c->b, NULL, &plain));
        EXPECT_OK(graze_pair_distance(&c->context, &c->b, &c->a, NULL, &swapped));
        EXPECT(plain.found == (mpq_sgn(least) >= 0), "distance: found %d", plain.found);
        EXPECT(plain.found == swapped.found, "distance: swapped");
        graze_distance_options options = graze_distance_options_default();
        options.limit = take_length(bytes, least);
        options.relative_error = take_below(bytes, 4) * 0.25;
        EXPECT_OK(graze_pair_distance(&c->context, &c->a, &c->b, &options, &limited));
        if (plain.found)
        {
            expect_within(&plain, least, "distance");
            EXPECT(plain.distance == swapped.distance && plain.lower == swapped.lower && plain.upper == swapped.upper,
                   "distance: swapped it is another");
            check_many(c, least);
        }
        if (plain.found && limited.found)
        {
            EXPECT(oracle_compare_distance(limited.lower, least) <= 0 &&
                       oracle_compare_distance(limited.upper, least) >= 0,
                   "distance up to %.17g, error %g: not in [%.17g, %.17g]", options.limit, options.relative_error,
                   limited.lower, limited.upper);
            EXPECT(limited.upper <= (1 + options.relative_error) * limited.lower || limited.upper < 1e-290 ||
                       limited.upper - limited.lower <= plain.upper - plain.lower ||
                       limited.upper <= (1 + options.relative_error + 0x1p-30) * limited.lower,
                   "distance up to %.17g, error %g: [%.17g, %.17g] is too wide", options.limit, options.relative_error,
                   limited.lower, limited.upper);
        }
        if (plain.found && !limited.found)
            EXPECT(oracle_compare_distance(limited.lower, least) <= 0 &&
                       oracle_compare_distance(options.limit * (1 - 0x1p-30), least) <= 0,
                   "distance up to %.17g: not found, lower %.17g", options.limit, limited.lower);
    }
    mpq_clear(least);
}

void check_tolerance(fuzz_bytes *bytes, pair_case *c)
{
    static graze_proximity proximities[MOST_DISTANCES];
    mpq_t least;
    mpq_init(least);
    if (judge_distances(c, least))
    {
        graze_tolerance_options options = graze_tolerance_options_default();
        options.strict = take_below(bytes, 2) == 1;
        double tolerance = take_length(bytes, least);
        uint64_t count, counted;
        EXPECT_OK(graze_pair_tolerance_gather(&c->context, &c->a, &c->b, tolerance, &options, proximities,
                                              MOST_DISTANCES, &count));
        EXPECT_OK(graze_pair_tolerance_count(&c->context, &c->b, &c->a, tolerance, &options, &counted));
        size_t next = 0, pair = 0;
        for (uint32_t i = 0; i < c->sides[0].shape.triangle_count; i++)
            for (uint32_t j = 0; j < c->sides[1].shape.triangle_count; j++, pair++)
            {
                bool listed = next < count && proximities[next].triangle_a == i && proximities[next].triangle_b == j;
                int order = oracle_compare_distance(tolerance, squares[pair]);
                EXPECT(listed == (options.strict ? order > 0 : order >= 0),
                       "tolerance %.17g%s: triangles %u and %u are %slisted", tolerance,
                       options.strict ? ", strict" : "", i, j, listed ? "" : "not ");
                if (!listed)
                    continue;
                EXPECT(proximities[next].meet == (mpq_sgn(squares[pair]) == 0) &&
                           oracle_compare_distance(proximities[next].lower, squares[pair]) <= 0 &&
                           oracle_compare_distance(proximities[next].upper, squares[pair]) >= 0,
                       "tolerance %.17g: triangles %u and %u: meet %d, [%.17g, %.17g]", tolerance, i, j,
                       proximities[next].meet, proximities[next].lower, proximities[next].upper);
                next++;
            }
        EXPECT(next == count && counted == count, "tolerance %.17g: %llu pairs, swapped %llu", tolerance,
               (unsigned long long)count, (unsigned long long)counted);
        bool found;
        EXPECT_OK(graze_pair_tolerance_any(&c->context, &c->a, &c->b, tolerance, &options, &found, NULL));
        EXPECT(found == (count > 0), "tolerance %.17g: any says %d", tolerance, found);
    }
    mpq_clear(least);
}
