/* SPDX-License-Identifier: MIT */
/*
 * Whether a plane is valid, against rational arithmetic by another way: the function is evaluated at as many times as
 * it has coefficients, straight from the definition of the motion, and the coefficients follow from a system of
 * equations.
 */
#include "certificate/plane.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "support/lattice.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST = GRZ_MOST_COEFFICIENTS,
    ROUNDS = 1200
};

typedef mpq_t rational3[3];

static struct
{
    mpq_t t, x, y, q[4], m[2][3][3], w[2], path[2][3], u[3], n[3], d, turned[3], sum, f, s;
    mpq_t rows[MOST][MOST + 2]; /* a system of equations with two right sides */
} r;

static void for_all(void (*act)(mpq_ptr))
{
    mpq_ptr all = (mpq_ptr)&r;
    for (size_t i = 0; i < sizeof r / sizeof(mpq_t); i++)
        act(&all[i]);
}

static void start(mpq_ptr x)
{
    mpq_init(x);
}

static void end(mpq_ptr x)
{
    mpq_clear(x);
}

static int begin(void **state)
{
    (void)state;
    for_all(start);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for_all(end);
    return 0;
}

static void add_product(mpq_t sum, const mpq_t x, const mpq_t y)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, x, y);
    mpq_add(sum, sum, product);
    mpq_clear(product);
}

static void set_zero(mpq_t x)
{
    mpq_set_ui(x, 0, 1);
}

/* out = first + (last - first) t. */
static void between(mpq_t out, double first, double last)
{
    rational_set_double(r.x, first);
    rational_set_double(r.y, last);
    mpq_sub(r.y, r.y, r.x);
    mpq_mul(r.y, r.y, r.t);
    mpq_add(out, r.x, r.y);
}

/* N(q) by its action: row i, column k of q v q*, as the page writes it. */
static void set_rotation(int body)
{
    static const int terms[3][3][2][3] = {
        /* of each entry: factor, component, component; diagonal entries below */
        {{{0, 0, 0}, {0, 0, 0}}, {{2, 1, 2}, {-2, 0, 3}}, {{2, 1, 3}, {2, 0, 2}}},
        {{{2, 1, 2}, {2, 0, 3}}, {{0, 0, 0}, {0, 0, 0}}, {{2, 2, 3}, {-2, 0, 1}}},
        {{{2, 1, 3}, {-2, 0, 2}}, {{2, 2, 3}, {2, 0, 1}}, {{0, 0, 0}, {0, 0, 0}}},
    };
    set_zero(r.w[body]);
    for (int i = 0; i < 4; i++)
        add_product(r.w[body], r.q[i], r.q[i]);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
        {
            mpq_t *entry = &r.m[body][row][column];
            set_zero(*entry);
            for (int term = 0; term < 2 && row != column; term++)
            {
                const int *it = terms[row][column][term];
                mpq_set_si(r.x, it[0], 1);
                mpq_mul(r.x, r.x, r.q[it[1]]);
                add_product(*entry, r.x, r.q[it[2]]);
            }
            if (row != column)
                continue;
            mpq_set(*entry, r.w[body]); /* w^2 + x^2 - y^2 - z^2 is |q|^2 - 2 (y^2 + z^2) */
            for (int i = 1; i < 4; i++)
                if (i != 1 + row)
                {
                    mpq_set_si(r.x, -2, 1);
                    mpq_mul(r.x, r.x, r.q[i]);
                    add_product(*entry, r.x, r.q[i]);
                }
        }
}

/* M, W and X of a motion at r.t. */
static void set_body(const graze_motion *motion, int body)
{
    if (grz_motion_turns(motion))
    {
        for (int i = 0; i < 4; i++)
            between(r.q[i], motion->quaternion[0][i], motion->quaternion[1][i]);
        set_rotation(body);
        for (int axis = 0; axis < 3; axis++)
        {
            set_zero(r.path[body][axis]);
            for (int power = motion->kind == GRAZE_MOTION_TURN ? 1 : 2; power >= 0; power--)
            {
                mpq_mul(r.path[body][axis], r.path[body][axis], r.t);
                rational_set_double(r.x, motion->path[power][axis]);
                mpq_add(r.path[body][axis], r.path[body][axis], r.x);
            }
        }
        return;
    }
    const graze_pose *last = motion->kind == GRAZE_MOTION_STILL ? &motion->start : &motion->end;
    mpq_set_ui(r.w[body], 1, 1);
    for (int entry = 0; entry < 12; entry++)
        between(entry % 4 == 3 ? r.path[body][entry / 4] : r.m[body][entry / 4][entry % 4], motion->start.m[entry],
                last->m[entry]);
}

/* r.f and r.s at r.t, of the page's table. */
static void evaluate(const graze_motion motions[2], int body, grz_plane_frame frame, const double vertex[3])
{
    int holder = (int)frame - 1;
    bool turns = holder >= 0 && grz_motion_turns(&motions[holder]), own = holder == body;
    for (int i = 0; i < 2; i++)
        set_body(&motions[i], i);
    for (int axis = 0; axis < 3; axis++)
    {
        rational_set_double(r.u[axis], vertex[axis]);
        rational_set_double(r.x, grz_motion_centre(&motions[body], axis));
        mpq_sub(r.u[axis], r.u[axis], r.x);
    }
    /* The normal in the world, times W of its frame. */
    for (int row = 0; row < 3; row++)
    {
        mpq_set(r.turned[row], r.n[row]);
        if (!turns)
            continue;
        set_zero(r.turned[row]);
        for (int column = 0; column < 3; column++)
            add_product(r.turned[row], r.m[holder][row][column], r.n[column]);
    }
    set_zero(r.f);
    mpq_set_ui(r.s, 1, 1);
    if (own && turns)
    {
        for (int axis = 0; axis < 3; axis++)
            add_product(r.f, r.n[axis], r.u[axis]);
        mpq_sub(r.f, r.f, r.d);
        return;
    }
    if (turns)
        mpq_mul(r.s, r.s, r.w[holder]);
    if (!own)
        mpq_mul(r.s, r.s, r.w[body]);
    for (int row = 0; row < 3; row++)
    {
        set_zero(r.sum); /* W (p - X_F) */
        for (int column = 0; column < 3; column++)
            add_product(r.sum, r.m[body][row][column], r.u[column]);
        if (!own)
            add_product(r.sum, r.w[body], r.path[body][row]);
        if (!own && holder >= 0)
        {
            mpq_neg(r.x, r.w[body]);
            add_product(r.sum, r.x, r.path[holder][row]);
        }
        add_product(r.f, r.turned[row], r.sum);
    }
    mpq_neg(r.x, r.d);
    add_product(r.f, r.x, r.s);
}

/* The page's table of degrees. */
static int degree_of(const graze_motion motions[2], int body, grz_plane_frame frame)
{
    static const int of_m[] = {0, 1, 2, 2}, of_w[] = {0, 0, 2, 2}, of_x[] = {0, 1, 1, 2};
    int kind = (int)motions[body].kind, holder = (int)frame - 1;
    if (holder == body)
        return of_w[kind] > 0 ? 0 : of_m[kind];
    int x = of_x[kind], plus = 0;
    if (holder >= 0)
    {
        int other = (int)motions[holder].kind;
        x = of_x[other] > x ? of_x[other] : x;
        plus = of_w[other];
    }
    return plus + (of_m[kind] > of_w[kind] + x ? of_m[kind] : of_w[kind] + x);
}

/* Solves for the Bernstein coefficients: rows[i][degree + 1] and [degree + 2] become those of f and s. */
static void solve(int count)
{
    for (int pivot = 0; pivot < count; pivot++)
    {
        int row = pivot;
        while (mpq_sgn(r.rows[row][pivot]) == 0)
            row++;
        for (int column = 0; column < count + 2; column++)
            mpq_swap(r.rows[row][column], r.rows[pivot][column]);
        for (int column = count + 1; column >= pivot; column--)
            mpq_div(r.rows[pivot][column], r.rows[pivot][column], r.rows[pivot][pivot]);
        for (int other = 0; other < count; other++)
        {
            if (other == pivot)
                continue;
            mpq_neg(r.y, r.rows[other][pivot]);
            for (int column = pivot; column < count + 2; column++)
                add_product(r.rows[other][column], r.y, r.rows[pivot][column]);
        }
    }
}

static int binomial(int m, int i)
{
    return i == 0 ? 1 : binomial(m, i - 1) * (m - i + 1) / i;
}

/* Sets the coefficients; the result is their number. */
static int find_coefficients(const graze_motion motions[2], int body, grz_plane_frame frame, grz_time_cell time,
                             const double vertex[3])
{
    int degree = degree_of(motions, body, frame);
    for (int j = 0; j <= degree; j++)
    {
        unsigned parts = degree > 0 ? (unsigned)degree : 1;
        mpq_set_ui(r.t, (unsigned long)time.index * parts + (unsigned)j, parts);
        mpq_canonicalize(r.t);
        mpq_div_2exp(r.t, r.t, (unsigned)time.level);
        evaluate(motions, body, frame, vertex);
        mpq_set(r.rows[j][degree + 1], r.f);
        mpq_set(r.rows[j][degree + 2], r.s);
        for (int i = 0; i <= degree; i++)
        {
            mpq_set_si(r.sum, binomial(degree, i), 1);
            for (int k = 0; k < degree; k++)
            {
                mpq_set_si(r.x, k < i ? j : degree - j, parts);
                mpq_canonicalize(r.x);
                mpq_mul(r.sum, r.sum, r.x);
            }
            mpq_set(r.rows[j][i], r.sum);
        }
    }
    solve(degree + 1);
    return degree + 1;
}

/* The verdict of the page for one vertex. */
static bool is_valid(int body, int count, const double plane[4], const double terms[3])
{
    bool valid = true;
    mpq_t distance, square;
    mpq_inits(distance, square, NULL);
    for (int i = 0; i < 3; i++)
    {
        rational_set_double(r.x, terms[i]);
        mpq_add(distance, distance, r.x);
        rational_set_double(r.x, plane[i]);
        add_product(square, r.x, r.x);
    }
    for (int i = 0; i < count && valid; i++)
    {
        mpq_t *f = &r.rows[i][count], *s = &r.rows[i][count + 1];
        if (body == 0)
            valid = mpq_sgn(*f) <= 0;
        else if (mpq_sgn(distance) == 0)
            valid = mpq_sgn(*f) > 0;
        else
        {
            mpq_mul(r.x, distance, *s);
            mpq_mul(r.x, r.x, r.x);
            mpq_mul(r.x, r.x, square);
            mpq_mul(r.y, *f, *f);
            valid = mpq_sgn(*f) >= 0 && mpq_cmp(r.y, r.x) >= 0;
        }
    }
    mpq_clears(distance, square, NULL);
    return valid;
}

/* Small integers, or reals of any size. */
static double number(test_random *random, int style)
{
    if (style == 0)
        return random_between(random, -3, 3);
    double x = random_real(random, -1, 1);
    return style == 1 ? x : ldexp(x, random_between(random, -40, 40));
}

static graze_motion random_motion(test_random *random, int style)
{
    graze_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.kind = (graze_motion_kind)random_below(random, 4);
    for (int i = 0; i < 12; i++)
    {
        motion.start.m[i] = number(random, style);
        motion.end.m[i] = number(random, style);
    }
    for (int i = 0; i < 9; i++)
        motion.path[i / 3][i % 3] = number(random, style);
    for (int i = 0; i < 3; i++)
        motion.centre[i] = number(random, style);
    do
        for (int i = 0; i < 8; i++)
            motion.quaternion[i / 4][i % 4] = number(random, style == 2 ? 1 : style);
    while (graze_motion_check(&motion) != GRAZE_STATUS_OK);
    return motion;
}

typedef struct plane_case
{
    graze_motion motions[2];
    int body;
    grz_plane_frame frame;
    grz_time_cell time;
    double plane[4], terms[3], vertex[3];
} plane_case;

/* An offset that makes some coefficient zero, or B's at its distance, or next to it. */
static double offset_on_the_edge(test_random *random, plane_case *c)
{
    set_zero(r.d);
    int count = find_coefficients(c->motions, c->body, c->frame, c->time, c->vertex), i = random_below(random, count);
    if (mpq_sgn(r.rows[i][count + 1]) == 0)
        return 0;
    mpq_div(r.x, r.rows[i][count], r.rows[i][count + 1]);
    double d = mpq_get_d(r.x);
    if (c->body == 1)
        d -= (c->terms[0] + c->terms[1] + c->terms[2]) *
             sqrt(c->plane[0] * c->plane[0] + c->plane[1] * c->plane[1] + c->plane[2] * c->plane[2]);
    switch (random_below(random, 3))
    {
    case 0:
        return nextafter(d, INFINITY);
    case 1:
        return nextafter(d, -INFINITY);
    default:
        return d;
    }
}

static plane_case random_case(test_random *random)
{
    plane_case c;
    int style = random_below(random, 3), level = random_below(random, 6);
    for (int i = 0; i < 2; i++)
        c.motions[i] = random_motion(random, style);
    c.body = random_below(random, 2);
    c.frame = (grz_plane_frame)random_below(random, 3);
    c.time = (grz_time_cell){level, (uint64_t)random_below(random, 1 << level)};
    if (random_once_in(random, 10)) /* a short interval */
        c.time = (grz_time_cell){52, random_next(random) >> 12};
    for (int i = 0; i < 3; i++)
    {
        do
            c.plane[i] = number(random, style);
        while (i == 2 && c.plane[0] == 0 && c.plane[1] == 0 && c.plane[2] == 0);
        c.vertex[i] = number(random, style);
        c.terms[i] = random_once_in(random, 3) ? fabs(number(random, style)) : 0;
    }
    for (int i = 0; i < 3; i++)
        rational_set_double(r.n[i], c.plane[i]);
    c.plane[3] = random_once_in(random, 4) ? number(random, style) : offset_on_the_edge(random, &c);
    return c;
}

/* The same vertex three times as a mesh. */
static graze_mesh *point_mesh(const double vertex[3])
{
    double vertices[9];
    static const uint32_t corners[] = {0, 1, 2};
    for (size_t i = 0; i < 3; i++)
        memcpy(vertices + 3 * i, vertex, 3 * sizeof *vertices);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static grz_plane_verdict library_verdict(const plane_case *c, uint64_t *out_exact)
{
    static const uint32_t indices[] = {0};
    graze_mesh *mesh = point_mesh(c->vertex);
    const graze_mesh *meshes[2] = {mesh, mesh};
    grz_vertex_list lists[2] = {{indices, c->body == 0}, {indices, c->body == 1}};
    grz_plane_check check;
    assert_true(grz_plane_check_open(NULL, meshes, c->motions, c->terms, &check));
    grz_plane_verdict verdict = grz_plane_is_valid(&check, c->frame, c->time, c->plane, lists[0], lists[1]);
    *out_exact = check.exact_checks;
    grz_plane_check_close(&check);
    graze_mesh_destroy(mesh);
    return verdict;
}

static void planes_are_valid_exactly_where_rationals_say_so(void **state)
{
    (void)state;
    test_random random = test_random_start("planes_are_valid_exactly_where_rationals_say_so", 1906);
    int counts[2] = {0}, exact = 0, exactly_valid = 0, rounds = TEST_ROUNDS(ROUNDS);
    for (int round = 0; round < rounds; round++)
    {
        const plane_case c = random_case(&random);
        rational_set_double(r.d, c.plane[3]);
        int count = find_coefficients(c.motions, c.body, c.frame, c.time, c.vertex);
        bool valid = is_valid(c.body, count, c.plane, c.terms);
        uint64_t exact_checks = 0;
        grz_plane_verdict verdict = library_verdict(&c, &exact_checks);
        if ((verdict == GRZ_PLANE_VALID) != valid)
            printf("round %d: kinds %d %d, body %d, frame %d, level %d\n", round, (int)c.motions[0].kind,
                   (int)c.motions[1].kind, c.body, (int)c.frame, c.time.level);
        assert_int_equal(verdict, valid ? GRZ_PLANE_VALID : GRZ_PLANE_REFUSED);
        counts[valid]++;
        exact += exact_checks > 0;
        exactly_valid += exact_checks > 0 && valid;
    }
    printf("refused %d, valid %d; %d needed exact numbers, %d of them valid\n", counts[0], counts[1], exact,
           exactly_valid);
    assert_true(counts[0] > rounds / 5 && counts[1] > rounds / 5);
    assert_true(exact > rounds / 5 && exactly_valid > rounds / 20);
}

static void planes_without_a_normal_or_with_infinite_numbers_are_refused(void **state)
{
    (void)state;
    plane_case c;
    memset(&c, 0, sizeof c);
    uint64_t exact;
    c.terms[0] = 1;
    c.body = 1;
    assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_REFUSED); /* 0 . p = 0 >= 0 + 1 * 0 proves nothing */
    c.plane[0] = 1;
    c.vertex[0] = 1;
    assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_REFUSED); /* a zero matrix takes all points to 0 */
    c.motions[1].start = graze_pose_identity();
    assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_VALID);
    for (int i = 0; i < 4; i++)
    {
        plane_case other = c;
        other.plane[i] = i % 2 == 0 ? -INFINITY : NAN;
        assert_int_equal(library_verdict(&other, &exact), GRZ_PLANE_REFUSED);
    }
}

/* Numbers at both ends of the range of doubles, where products overflow and underflow. */
static void numbers_of_any_size_are_decided(void **state)
{
    (void)state;
    static const double sizes[] = {0x1p-1074, 0x1p-600, 1, 0x1p600, 0x1.fffffffffffffp1023};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
        plane_case c;
        uint64_t exact;
        memset(&c, 0, sizeof c);
        c.body = 1;
        c.motions[0].start = c.motions[1].start = graze_pose_identity();
        c.motions[1].kind = GRAZE_MOTION_TURN;
        c.motions[1].quaternion[0][0] = c.motions[1].quaternion[1][0] = sizes[k];
        c.plane[0] = sizes[4 - k];
        c.vertex[0] = sizes[k];
        assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_VALID);
        c.vertex[0] = -sizes[k];
        assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_REFUSED);
        c.vertex[0] = 0;
        assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_REFUSED);
        c.vertex[0] = c.terms[0] = sizes[k];
        assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_VALID);
        c.terms[1] = 0x1p-1074;
        assert_int_equal(library_verdict(&c, &exact), GRZ_PLANE_REFUSED);
    }
}

/* One check for many intervals, planes and frames: what is kept of one is not taken for another. */
static void planes_one_after_another_are_judged_as_alone(void **state)
{
    (void)state;
    test_random random = test_random_start("planes_one_after_another_are_judged_as_alone", 1517);
    static const uint32_t indices[] = {0};
    int exact = 0, valid = 0;
    for (int round = 0; round < TEST_ROUNDS(60); round++)
    {
        plane_case c = random_case(&random);
        graze_mesh *mesh = point_mesh(c.vertex);
        const graze_mesh *meshes[2] = {mesh, mesh};
        grz_plane_check check;
        assert_true(grz_plane_check_open(NULL, meshes, c.motions, c.terms, &check));
        for (int i = 0; i < 16; i++)
        {
            uint64_t exact_checks = 0;
            int level = random_once_in(&random, 4) ? random_below(&random, 6) : 5;
            c.time = (grz_time_cell){level, (uint64_t)random_below(&random, 1 << level)};
            c.frame = random_once_in(&random, 4) ? (grz_plane_frame)random_below(&random, 3) : c.frame;
            c.body = random_below(&random, 2);
            c.plane[3] = offset_on_the_edge(&random, &c);
            grz_vertex_list lists[2] = {{indices, c.body == 0}, {indices, c.body == 1}};
            grz_plane_verdict verdict = grz_plane_is_valid(&check, c.frame, c.time, c.plane, lists[0], lists[1]);
            assert_int_equal(verdict, library_verdict(&c, &exact_checks));
            exact += exact_checks > 0;
            valid += verdict == GRZ_PLANE_VALID;
        }
        grz_plane_check_close(&check);
        graze_mesh_destroy(mesh);
    }
    printf("%d exact, %d valid\n", exact, valid);
    assert_true(exact > TEST_ROUNDS(60) && valid > TEST_ROUNDS(60));
}

/* A vertex far along an axis whose column of the pose is nearly in the plane: its image is what is left of a
   difference, and nothing but the radius of that column covers the roundings. */
static void columns_that_cancel_are_decided(void **state)
{
    (void)state;
    test_random random = test_random_start("columns_that_cancel_are_decided", 1518);
    int counts[2] = {0}, exact = 0;
    mpq_t sum;
    mpq_init(sum);
    for (int round = 0; round < TEST_ROUNDS(600); round++)
    {
        int axis = round % 3;
        plane_case c;
        memset(&c, 0, sizeof c);
        double p = random_real(&random, 0.1, 1), q = random_real(&random, 0.1, 1);
        c.body = random_below(&random, 2);
        c.motions[0].start = c.motions[1].start = graze_pose_identity();
        memset(c.motions[c.body].start.m, 0, sizeof c.motions[c.body].start.m);
        c.motions[c.body].start.m[axis] = p;
        c.motions[c.body].start.m[4 + axis] = q;
        c.plane[0] = q;
        c.plane[1] = -p * (1 + random_below(&random, 9) * 0x1p-50);
        c.vertex[axis] = 1e6 * random_real(&random, 0.1, 1);
        mpq_set_ui(sum, 0, 1);
        for (int i = 0; i < 2; i++)
        {
            rational_set_double(r.x, c.plane[i]);
            rational_set_double(r.y, i == 0 ? p : q);
            mpq_mul(r.x, r.x, r.y);
            rational_set_double(r.y, c.vertex[axis]);
            add_product(sum, r.x, r.y);
        }
        double height = mpq_get_d(sum);
        c.plane[3] = random_once_in(&random, 3) ? height : nextafter(height, random_once_in(&random, 2) ? 1 : -1);
        rational_set_double(r.x, c.plane[3]);
        int sign = mpq_cmp(sum, r.x);
        bool valid = c.body == 0 ? sign <= 0 : sign > 0;
        uint64_t exact_checks = 0;
        assert_int_equal(library_verdict(&c, &exact_checks), valid ? GRZ_PLANE_VALID : GRZ_PLANE_REFUSED);
        counts[valid]++;
        exact += exact_checks > 0;
    }
    mpq_clear(sum);
    printf("%d valid, %d refused, %d exact\n", counts[1], counts[0], exact);
    assert_true(counts[0] > TEST_ROUNDS(100) && counts[1] > TEST_ROUNDS(100) && exact > TEST_ROUNDS(300));
}

/* What stands behind the four numbers of a plane is not looked at. */
static void a_plane_is_four_numbers(void **state)
{
    (void)state;
    const double plane[5] = {1, 0, 0, 0, NAN}, vertex[3] = {1, 2, 3}, terms[3] = {0, 0, 0};
    static const uint32_t indices[] = {0};
    graze_mesh *mesh = point_mesh(vertex);
    const graze_mesh *meshes[2] = {mesh, mesh};
    graze_motion motions[2];
    memset(motions, 0, sizeof motions);
    motions[0].start = motions[1].start = graze_pose_identity();
    grz_plane_check check;
    assert_true(grz_plane_check_open(NULL, meshes, motions, terms, &check));
    assert_int_equal(grz_plane_is_valid(&check, GRZ_FRAME_WORLD, (grz_time_cell){0, 0}, plane,
                                        (grz_vertex_list){indices, 0}, (grz_vertex_list){indices, 1}),
                     GRZ_PLANE_VALID);
    grz_plane_check_close(&check);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_valid_exactly_where_rationals_say_so),
        cmocka_unit_test(planes_without_a_normal_or_with_infinite_numbers_are_refused),
        cmocka_unit_test(numbers_of_any_size_are_decided),
        cmocka_unit_test(planes_one_after_another_are_judged_as_alone),
        cmocka_unit_test(columns_that_cancel_are_decided),
        cmocka_unit_test(a_plane_is_four_numbers),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
