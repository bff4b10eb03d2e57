/* SPDX-License-Identifier: MIT */
/*
 * The forms of bernstein.h over numbers of any kind. Before including: NUMBER (a type) and FORM (the struct), and
 *
 *     number_set(NUMBER *r, double x)                                        r = x
 *     number_add(NUMBER *r, const NUMBER *a, bool negate)                    r = r + a, or r - a
 *     number_add_product(NUMBER *r, const NUMBER *a, const NUMBER *b, bool negate)
 *     number_assign(NUMBER *r, const NUMBER *a)
 *
 * All temporaries lie in a form_scratch of the caller, since exact numbers are large.
 */

/* c[i] x^(degree-i) y^i, summed. */
typedef struct form_polynomial
{
    int degree;
    NUMBER c[GRZ_MOST_COEFFICIENTS];
} form_polynomial;

/* A motion on an interval: M, W and X, all raised to no more than their own degree. */
typedef struct form_body
{
    form_polynomial m[3][3], w, x[3];
} form_body;

typedef struct form_scratch
{
    NUMBER start, end, rest_of_start, rest_of_end, number, square;
    form_polynomial q[4], product, raised, sum, difference[3], weighted[3];
    form_body bodies[2];
} form_scratch;

static void polynomial_clear(form_polynomial *r, int degree)
{
    r->degree = degree;
    for (int i = 0; i <= degree; i++)
        number_set(&r->c[i], 0);
}

static void polynomial_set(form_polynomial *r, double x)
{
    r->degree = 0;
    number_set(&r->c[0], x);
}

static void polynomial_assign(form_polynomial *r, const form_polynomial *a)
{
    r->degree = a->degree;
    for (int i = 0; i <= a->degree; i++)
        number_assign(&r->c[i], &a->c[i]);
}

/* Multiplies by x + y until the degree is reached. */
static void polynomial_raise(form_polynomial *r, int degree)
{
    while (r->degree < degree)
    {
        number_assign(&r->c[r->degree + 1], &r->c[r->degree]);
        for (int i = r->degree; i > 0; i--)
            number_add(&r->c[i], &r->c[i - 1], false);
        r->degree++;
    }
}

/* r = r + a b, or r - a b; r has at least the degree of the product. */
static void polynomial_add_product(form_scratch *at, form_polynomial *r, const form_polynomial *a,
                                   const form_polynomial *b, bool negate)
{
    form_polynomial *product = &at->product;
    polynomial_clear(product, a->degree + b->degree);
    for (int i = 0; i <= a->degree; i++)
        for (int k = 0; k <= b->degree; k++)
            number_add_product(&product->c[i + k], &a->c[i], &b->c[k], negate);
    polynomial_raise(product, r->degree);
    for (int i = 0; i <= r->degree; i++)
        number_add(&r->c[i], &product->c[i], false);
}

static void polynomial_add(form_scratch *at, form_polynomial *r, const form_polynomial *a, bool negate)
{
    polynomial_assign(&at->raised, a);
    polynomial_raise(&at->raised, r->degree);
    for (int i = 0; i <= r->degree; i++)
        number_add(&r->c[i], &at->raised.c[i], negate);
}

/* r = (1 - t) first + t last at both ends: a polynomial of degree 1. */
static void polynomial_between(form_scratch *at, form_polynomial *r, double first, double last)
{
    polynomial_clear(r, 1);
    number_set(&at->number, first);
    number_add_product(&r->c[0], &at->rest_of_start, &at->number, false);
    number_add_product(&r->c[1], &at->rest_of_end, &at->number, false);
    number_set(&at->number, last);
    number_add_product(&r->c[0], &at->start, &at->number, false);
    number_add_product(&r->c[1], &at->end, &at->number, false);
}

/* The path of a turn: x0 + x1 t, and in a ballistic one + x2 t^2, whose homogeneous coefficients are the value at the
   start, twice the polar form x0 + x1 (t0 + t1) / 2 + x2 t0 t1, and the value at the end. */
static void set_path(form_scratch *at, const graze_motion *motion, int axis, form_polynomial *r)
{
    bool ballistic = motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    const NUMBER *ends[2] = {&at->start, &at->end};
    polynomial_clear(r, 1);
    for (int i = 0; i < 2; i++)
    {
        number_set(&r->c[i], motion->path[0][axis]);
        number_set(&at->number, motion->path[1][axis]);
        number_add_product(&r->c[i], ends[i], &at->number, false);
    }
    if (!ballistic)
        return;
    polynomial_raise(r, 2); /* the middle one is now 2 x0 + x1 (t0 + t1) */
    const NUMBER *factors[3][2] = {{ends[0], ends[0]}, {ends[0], ends[1]}, {ends[1], ends[1]}};
    for (int i = 0; i < 3; i++)
    {
        number_set(&at->number, motion->path[2][axis]);
        number_set(&at->square, 0);
        for (int times = 0; times < (i == 1 ? 2 : 1); times++) /* twice the double could overflow */
            number_add_product(&at->square, factors[i][0], factors[i][1], false);
        number_add_product(&r->c[i], &at->square, &at->number, false);
    }
}

/* N(q), row by row: pairs of components (w, x, y, z are 0 to 3) whose products are added or subtracted, once on the
   diagonal and twice elsewhere. */
static void set_rotation(form_scratch *at, form_body *body)
{
    static const int diagonal[3][4] = {{1, 1, -1, -1}, {1, -1, 1, -1}, {1, -1, -1, 1}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
        {
            form_polynomial *entry = &body->m[row][column];
            polynomial_clear(entry, 2);
            if (row == column)
            {
                for (int k = 0; k < 4; k++)
                    polynomial_add_product(at, entry, &at->q[k], &at->q[k], diagonal[row][k] < 0);
                continue;
            }
            /* 2 (q_row q_column -+ w q_other): minus where (row, column) is (x, y), (y, z) or (z, x). */
            int other = 3 - row - column;
            bool minus = column == (row + 1) % 3;
            for (int twice = 0; twice < 2; twice++)
            {
                polynomial_add_product(at, entry, &at->q[1 + row], &at->q[1 + column], false);
                polynomial_add_product(at, entry, &at->q[0], &at->q[1 + other], minus);
            }
        }
    polynomial_clear(&body->w, 2);
    for (int k = 0; k < 4; k++)
        polynomial_add_product(at, &body->w, &at->q[k], &at->q[k], false);
}

static void set_body(form_scratch *at, const graze_motion *motion, form_body *body)
{
    if (grz_motion_turns(motion))
    {
        for (int k = 0; k < 4; k++)
            polynomial_between(at, &at->q[k], motion->quaternion[0][k], motion->quaternion[1][k]);
        set_rotation(at, body);
        for (int axis = 0; axis < 3; axis++)
            set_path(at, motion, axis, &body->x[axis]);
        return;
    }
    polynomial_set(&body->w, 1);
    for (int entry = 0; entry < 12; entry++)
    {
        form_polynomial *r = entry % 4 == 3 ? &body->x[entry / 4] : &body->m[entry / 4][entry % 4];
        if (motion->kind == GRAZE_MOTION_STILL)
            polynomial_set(r, motion->start.m[entry]);
        else
            polynomial_between(at, r, motion->start.m[entry], motion->end.m[entry]);
    }
}

/* Coefficients of a form, all of the same degree. */
static void put_polynomial(form_scratch *at, const form_polynomial *p, int degree, NUMBER *out, size_t stride)
{
    polynomial_assign(&at->raised, p);
    polynomial_raise(&at->raised, degree);
    for (int i = 0; i <= degree; i++)
        number_assign(&out[(size_t)i * stride], &at->raised.c[i]);
}

static void put_t(form_scratch *at, const form_polynomial *p, int degree, FORM *form, int row, int column)
{
    put_polynomial(at, p, degree, &form->t[0][row][column], 9);
}

/* A point of the body in its own frame: v - k for a turn, M v for others; Omega is 1. */
static void own_frame(form_scratch *at, const graze_motion *motion, const form_body *body, FORM *form)
{
    bool turns = grz_motion_turns(motion);
    int degree = turns ? 0 : body->m[0][0].degree;
    form->count = degree + 1;
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; column < 3; column++)
        {
            if (turns)
                polynomial_set(&at->sum, row == column);
            put_t(at, turns ? &at->sum : &body->m[row][column], degree, form, row, column);
        }
        polynomial_set(&at->sum, 0);
        put_polynomial(at, &at->sum, degree, &form->s[0][row], 3);
    }
    polynomial_set(&at->sum, 1);
    put_polynomial(at, &at->sum, degree, &form->omega[0], 1);
}

/* W X, or W (X - X_F) relative to another body. */
static void set_weighted_path(form_scratch *at, const form_body *body, const form_body *frame)
{
    for (int row = 0; row < 3; row++)
    {
        int degree = body->x[row].degree;
        if (frame != NULL && frame->x[row].degree > degree)
            degree = frame->x[row].degree;
        polynomial_clear(&at->difference[row], degree);
        polynomial_add(at, &at->difference[row], &body->x[row], false);
        if (frame != NULL)
            polynomial_add(at, &at->difference[row], &frame->x[row], true);
        polynomial_clear(&at->weighted[row], body->w.degree + degree);
        polynomial_add_product(at, &at->weighted[row], &body->w, &at->difference[row], false);
    }
}

/* The world, or a frame that does not turn: T = M, S = W (X - X_F), Omega = W. */
static void plain_frame(form_scratch *at, const form_body *body, const form_body *frame, FORM *form)
{
    set_weighted_path(at, body, frame);
    int degree = body->m[0][0].degree;
    if (at->weighted[0].degree > degree)
        degree = at->weighted[0].degree;
    form->count = degree + 1;
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; column < 3; column++)
            put_t(at, &body->m[row][column], degree, form, row, column);
        put_polynomial(at, &at->weighted[row], degree, &form->s[0][row], 3);
    }
    put_polynomial(at, &body->w, degree, &form->omega[0], 1);
}

/* A frame that turns: T = M_F^T M, S = M_F^T W (X - X_F), Omega = W_F W. */
static void turning_frame(form_scratch *at, const form_body *body, const form_body *frame, FORM *form)
{
    set_weighted_path(at, body, frame);
    int of_t = 2 + body->m[0][0].degree, of_s = 2 + at->weighted[0].degree, degree = of_t > of_s ? of_t : of_s;
    form->count = degree + 1;
    for (int row = 0; row < 3; row++)
    {
        for (int column = 0; column < 3; column++)
        {
            polynomial_clear(&at->sum, of_t);
            for (int k = 0; k < 3; k++)
                polynomial_add_product(at, &at->sum, &frame->m[k][row], &body->m[k][column], false);
            put_t(at, &at->sum, degree, form, row, column);
        }
        polynomial_clear(&at->sum, of_s);
        for (int k = 0; k < 3; k++)
            polynomial_add_product(at, &at->sum, &frame->m[k][row], &at->weighted[k], false);
        put_polynomial(at, &at->sum, degree, &form->s[0][row], 3);
    }
    polynomial_clear(&at->sum, 2 + body->w.degree);
    polynomial_add_product(at, &at->sum, &frame->w, &body->w, false);
    put_polynomial(at, &at->sum, degree, &form->omega[0], 1);
}

static void make_form(form_scratch *at, const graze_motion motions[2], int body, grz_plane_frame frame, double start,
                      double end, FORM *form)
{
    number_set(&at->start, start); /* 1 - t is a double too: t is a multiple of 2^-52 */
    number_set(&at->end, end);
    number_set(&at->rest_of_start, 1 - start);
    number_set(&at->rest_of_end, 1 - end);
    int holder = frame == GRZ_FRAME_WORLD ? -1 : frame == GRZ_FRAME_A ? 0 : 1;
    set_body(at, &motions[body], &at->bodies[body]);
    if (holder >= 0 && holder != body)
        set_body(at, &motions[holder], &at->bodies[holder]);
    if (holder < 0)
        plain_frame(at, &at->bodies[body], NULL, form);
    else if (holder == body)
        own_frame(at, &motions[body], &at->bodies[body], form);
    else if (grz_motion_turns(&motions[holder]))
        turning_frame(at, &at->bodies[body], &at->bodies[holder], form);
    else
        plain_frame(at, &at->bodies[body], &at->bodies[holder], form);
}
