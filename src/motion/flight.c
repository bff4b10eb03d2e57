/* SPDX-License-Identifier: MIT */
/*
 * Rigid bodies in free flight: Euler's equations with certified errors; see graze/enclosed_motion.h.
 *
 * Along the principal axes omega_k' = c_k omega_i omega_j + b_k with c_k = (J_i - J_j) / J_k and b_k = torque_k / J_k,
 * and the quaternion of the principal axes in the world q' = q omega / 2. Both are solved by Taylor series in
 * intervals, in steps of equal length, each from doubles: so intervals hold roundings only, and errors go on as
 * numbers.
 *
 * Remainders (by majorants). Let C >= |c_k|, B >= |b|, W >= |omega(t0)| at a time t0, W > 0, r = C W + B / W and p =
 * max(r, W / 2). The Taylor coefficients there are |omega_n| <= W r^n and |q_n| <= p^n: by induction, as |(x_i
 * y_j)| <= |x| |y| with one product an axis, (n + 1) |omega_(n+1)| <= C sum |omega_m| |omega_(n-m)| + B [n = 0] <= (n +
 * 1) (C W^2 + B [n = 0]) r^n, and (n + 1) |q_(n+1)| <= sum |q_m| |omega_(n-m)| / 2 <= (n + 1) p^n W / 2. So what
 * TERMS terms leave out after a time s is at most W (r s)^TERMS / (1 - r s) and (p s)^TERMS / (1 - p s), and |omega| <=
 * W / (1 - r s).
 *
 * Errors between two solutions. That of omega grows as e^(m s), where m bounds the largest eigenvalue of the symmetric
 * part of the Jacobian along the way: entries (c_k + c_i) omega_j / 2 off the diagonal, none on it, so that the
 * eigenvalues add up to 0 and the largest is at most sqrt(2/3) of the Frobenius norm: m = max |c_k + c_i| |omega| /
 * sqrt
 * 3. Differences of q obey d' = d omega / 2 + q (omega - omega~) / 2, whose first term changes no length: they grow by
 * half the error of omega. All this times the length of q~, which is below 1.13 where its error is below 1/8.
 *
 * Speeds at all times: |J omega| grows by |torque| a unit of time, and so does the root of omega . J omega by |torque|
 * / sqrt(min J), as its square has the derivative 2 torque . omega; |omega| <= |J omega| / min J, and |omega|^2 <=
 * omega . J omega / min J.
 */
#include <math.h>

#include "base/environment.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "math/interval.h"
#include "motion/curve_motion.h"

#define UPWARD (1 + 64 * GRZ_U)

enum
{
    TERMS = 15, /* (1/16)^15 = 2^-60 */
    MOST_STEPS = 1 << 13
};

/* The state at the beginning of a step. */
typedef struct flight_knot
{
    double omega[3], quaternion[4];
    double omega_error, quaternion_error; /* infinite: nothing is known from here on */
    double speed;                         /* a bound of |omega| in the step */
} flight_knot;

struct graze_flight
{
    graze_context context;
    graze_flight_def def;
    interval c[3], b[3];
    double c_most, c_sum, b_size; /* C, max |c_k + c_i|, B */
    double speed_bound;
    uint32_t step_count; /* a power of two */
    flight_knot *knots;  /* step_count + 1 */
};

/* The Taylor series of a step, in intervals around that from doubles. */
typedef struct flight_series
{
    interval omega[TERMS][3], quaternion[TERMS][4];
} flight_series;

static double norm_above(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum) * UPWARD + 0x1p-500;
}

static interval quotient(interval x, double positive)
{
    return interval_outward(x.lower / positive, x.upper / positive);
}

static double most_of(interval x)
{
    return fmax(fabs(x.lower), fabs(x.upper));
}

/* ---- one step ---- */

static void add_term(const graze_flight *f, flight_series *s, int n)
{
    interval sums[7];
    for (int i = 0; i < 7; i++)
        sums[i] = interval_point(0);
    for (int m = 0; m <= n; m++)
    {
        const interval *w = s->omega[n - m], *q = s->quaternion[m], *v = s->omega[m];
        for (int k = 0; k < 3; k++)
        {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            sums[k] = interval_add(sums[k], interval_mul(v[i], w[j]));
            sums[3] = interval_sub(sums[3], interval_mul(q[k + 1], w[k]));
            interval turn = interval_sub(interval_mul(q[i + 1], w[j]), interval_mul(q[j + 1], w[i]));
            sums[4 + k] = interval_add(sums[4 + k], interval_add(interval_mul(q[0], w[k]), turn));
        }
    }
    for (int k = 0; k < 3; k++)
    {
        sums[k] = interval_mul(f->c[k], sums[k]);
        s->omega[n + 1][k] = quotient(n == 0 ? interval_add(sums[k], f->b[k]) : sums[k], n + 1);
    }
    for (int k = 0; k < 4; k++)
        s->quaternion[n + 1][k] = quotient(sums[3 + k], 2 * (n + 1));
}

static void make_series(const graze_flight *f, const flight_knot *knot, flight_series *s)
{
    for (int k = 0; k < 3; k++)
        s->omega[0][k] = interval_point(knot->omega[k]);
    for (int k = 0; k < 4; k++)
        s->quaternion[0][k] = interval_point(knot->quaternion[k]);
    for (int n = 0; n + 1 < TERMS; n++)
        add_term(f, s, n);
}

/* The middle of a coordinate's series at a time; adds what it may be off by. */
static double sum_series(const interval *first, int stride, double s, double *error)
{
    interval sum = first[(TERMS - 1) * stride];
    for (int n = TERMS - 2; n >= 0; n--)
        sum = interval_add(interval_mul(sum, interval_point(s)), first[n * stride]);
    double middle = sum.lower / 2 + sum.upper / 2;
    *error += fmax(sum.upper - middle, middle - sum.lower) * UPWARD + GRZ_SMALLEST_NORMAL;
    return middle;
}

/* x^TERMS / (1 - x) for 0 <= x <= 1/8. */
static double remainder_of(double x)
{
    double power = x;
    for (int n = 1; n < TERMS; n++)
        power *= x;
    return power / (1 - x) * UPWARD + 0x1p-500;
}

/* The bound W of a knot; any number not below |omega| is one, and this one keeps B / W small. */
static double bound_at(const graze_flight *f, const flight_knot *knot)
{
    double speed = (norm_above(knot->omega, 3) + knot->omega_error) * UPWARD;
    return fmax(speed, sqrt(f->b_size));
}

static double growth_rate(const graze_flight *f, double w)
{
    return (f->c_most * w + f->b_size / w) * UPWARD;
}

/* The state at a time s after a knot, at most a step later; false where nothing is known. */
static bool advance(const graze_flight *f, const flight_knot *knot, double s, flight_knot *out)
{
    flight_series series;
    double w = bound_at(f, knot), r = growth_rate(f, w), p = fmax(r, w / 2);
    if (!(p * s <= 0.125 && knot->omega_error < w)) /* also NaN */
        return false;
    make_series(f, knot, &series);
    double speed = w / (1 - r * s) * UPWARD;
    double x = f->c_sum * speed * s * (1 / 1.732) * UPWARD; /* e^x <= 1 + x + x^2 up to 1 */
    if (!(x <= 1))
        return false;
    /* shortcut: flight-errors */
    double carried = knot->omega_error * (1 + x + x * x) * UPWARD, turned = 0.57 * s * carried;
    double omega_error = w * remainder_of(r * s) + carried;
    double quaternion_error = 1.13 * remainder_of(p * s) + knot->quaternion_error + turned;
    for (int k = 0; k < 3; k++)
        out->omega[k] = sum_series(&series.omega[0][k], 3, s, &omega_error);
    for (int k = 0; k < 4; k++)
        out->quaternion[k] = sum_series(&series.quaternion[0][k], 4, s, &quaternion_error);
    out->omega_error = omega_error * UPWARD;
    out->quaternion_error = quaternion_error * UPWARD;
    return out->quaternion_error < 0.125;
}

/* ---- making one ---- */

static graze_status check_flight(const graze_flight_def *def)
{
    const double *groups[] = {def->position, def->velocity,         def->acceleration,
                              def->inertia,  def->angular_velocity, def->torque};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(groups[i][k]))
                return GRAZE_STATUS_NOT_FINITE;
    double most[2] = {0, 0};
    for (int i = 0; i < 4; i++)
    {
        if (!isfinite(def->orientation[i]) || !isfinite(def->axes[i]))
            return GRAZE_STATUS_NOT_FINITE;
        most[0] = fmax(most[0], fabs(def->orientation[i]));
        most[1] = fmax(most[1], fabs(def->axes[i]));
    }
    if (!(most[0] > 0 && most[1] > 0 && def->inertia[0] > 0 && def->inertia[1] > 0 && def->inertia[2] > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    return GRAZE_STATUS_OK;
}

/* Sets the constants of the equations. */
static void set_constants(graze_flight *f)
{
    double *J = f->def.inertia, squares = 0, momentum[3], energy[3], sums[3];
    int exponent;
    frexp(fmax(J[0], fmax(J[1], J[2])), &exponent); /* only their ratios count, and those of the torque to them */
    for (int k = 0; k < 3; k++)
    {
        J[k] = ldexp(J[k], -exponent);
        f->def.torque[k] = ldexp(f->def.torque[k], -exponent);
    }
    double least = fmin(J[0], fmin(J[1], J[2]));
    for (int k = 0; k < 3; k++)
    {
        interval difference = interval_sub(interval_point(J[(k + 1) % 3]), interval_point(J[(k + 2) % 3]));
        f->c[k] = quotient(difference, J[k]);
        f->b[k] = quotient(interval_point(f->def.torque[k]), J[k]);
        f->c_most = fmax(f->c_most, most_of(f->c[k]));
        squares += most_of(f->b[k]) * most_of(f->b[k]);
        momentum[k] = J[k] * f->def.angular_velocity[k];
        energy[k] = sqrt(J[k]) * f->def.angular_velocity[k];
    }
    for (int k = 0; k < 3; k++)
    {
        sums[k] = most_of(interval_add(f->c[(k + 1) % 3], f->c[(k + 2) % 3]));
        f->c_sum = fmax(f->c_sum, sums[k]);
    }
    f->b_size = sqrt(squares) * UPWARD + 0x1p-500;
    double torque = norm_above(f->def.torque, 3), by_momentum = (norm_above(momentum, 3) + torque) / least;
    double by_energy = (norm_above(energy, 3) + torque / sqrt(least) * UPWARD) / sqrt(least);
    f->speed_bound = fmin(by_momentum, by_energy) * UPWARD;
}

/* The product of a quaternion and the conjugate of another one. */
static void multiply_conjugate(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
        out[k + 1] = p[k + 1] * q[0] - p[0] * q[k + 1] - (p[i] * q[j] - p[j] * q[i]);
    }
}

static void solve(graze_flight *f)
{
    flight_knot *first = f->knots;
    *first = (flight_knot){.omega_error = 0, .quaternion_error = 32 * GRZ_U};
    double step = 1.0 / f->step_count, axes[4], conjugate[4];
    grz_quaternion_normalise(f->def.orientation);
    grz_quaternion_normalise(f->def.axes);
    for (int i = 0; i < 4; i++) /* R times the principal axes: its quaternion is that of R times that of the axes */
    {
        axes[i] = f->def.axes[i];
        conjugate[i] = i == 0 ? axes[i] : -axes[i];
    }
    multiply_conjugate(f->def.orientation, conjugate, first->quaternion);
    for (int k = 0; k < 3; k++)
        first->omega[k] = f->def.angular_velocity[k];
    for (uint32_t i = 0; i <= f->step_count; i++)
    {
        flight_knot *knot = &f->knots[i];
        double w = bound_at(f, knot), rs = growth_rate(f, w) * step;
        knot->speed = rs <= 0.125 ? fmin(w / (1 - rs) * UPWARD, f->speed_bound) : f->speed_bound;
        if (i < f->step_count && !(knot->quaternion_error < 1 && advance(f, knot, step, knot + 1)))
            knot[1] = (flight_knot){.omega_error = INFINITY, .quaternion_error = INFINITY};
    }
}

static uint32_t steps_for(const graze_flight *f)
{
    double w = fmax(f->speed_bound, sqrt(f->b_size)), p = fmax(growth_rate(f, w), w / 2);
    /* W is between sqrt B and this; B / W is largest at the former */
    p = fmax(p, (f->c_most * w + sqrt(f->b_size)) * UPWARD);
    uint32_t count = 1;
    while (count <= MOST_STEPS && !(p / count <= 1.0 / 16))
        count *= 2;
    return count;
}

graze_status graze_flight_create(const graze_context *context, const graze_flight_def *def, graze_flight **out_flight)
{
    GRZ_FULL_STRUCT(graze_flight_def, def);
    if (!def_fits || def == NULL || out_flight == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = check_flight(def);
    graze_flight f = {.context = grz_context_copy(context), .def = *def}, *flight = NULL;
    if (status == GRAZE_STATUS_OK)
    {
        set_constants(&f);
        f.step_count = steps_for(&f);
        status = f.step_count > MOST_STEPS ? GRAZE_STATUS_UNSUPPORTED : GRAZE_STATUS_OK;
    }
    if (status == GRAZE_STATUS_OK)
    {
        flight = grz_allocate(context, 1, sizeof *flight);
        f.knots = flight == NULL ? NULL : grz_allocate(context, (size_t)f.step_count + 1, sizeof *f.knots);
        status = f.knots == NULL ? GRAZE_STATUS_OUT_OF_MEMORY : GRAZE_STATUS_OK;
    }
    if (status == GRAZE_STATUS_OK)
    {
        solve(&f);
        *flight = f;
        *out_flight = flight;
    }
    else if (flight != NULL)
        grz_release(context, flight);
    grz_environment_leave_default(&environment);
    return status;
}

void graze_flight_destroy(graze_flight *flight)
{
    if (flight == NULL)
        return;
    const graze_context context = flight->context;
    grz_release(&context, flight->knots);
    grz_release(&context, flight);
}

double graze_flight_speed_bound(const graze_flight *flight)
{
    return flight != NULL ? flight->speed_bound : 0;
}

/* ---- where it is ---- */

bool grz_flight_place(const graze_flight *f, double t, grz_curve_place *out)
{
    double scaled = t * f->step_count; /* exact: a power of two */
    uint32_t index = scaled < f->step_count ? (uint32_t)scaled : f->step_count;
    double s = t - (double)index / f->step_count; /* exact: of the bits of t the upper ones are taken away */
    flight_knot state = f->knots[index];
    if (s > 0 && !(state.quaternion_error < 0.125 && advance(f, &f->knots[index], s, &state)))
        return false;
    /* asin x <= 1.05 x, twice for the rotation; the product and its factors have 32 u */
    out->turn_error = 2.1 * (state.quaternion_error + 32 * GRZ_U) * UPWARD;
    out->path_error = 0;
    multiply_conjugate(state.quaternion, f->def.axes, out->quaternion);
    grz_quaternion_normalise(out->quaternion);
    for (int k = 0; k < 3; k++)
    {
        interval time = interval_point(t), half = interval_mul(time, interval_point(0.5 * f->def.acceleration[k]));
        interval slope = interval_add(interval_point(f->def.velocity[k]), half);
        interval x = interval_add(interval_point(f->def.position[k]), interval_mul(time, slope));
        out->path[k] = x.lower / 2 + x.upper / 2;
        out->path_error += fmax(x.upper - out->path[k], out->path[k] - x.lower) * UPWARD + 4 * GRZ_SMALLEST_NORMAL;
    }
    return out->turn_error < 0.25 && isfinite(out->path_error);
}

bool grz_flight_rates(const graze_flight *f, double t0, double t1, grz_curve_rates *out)
{
    double speed = 0;
    uint32_t end = (uint32_t)ceil(t1 * f->step_count);
    for (uint32_t i = (uint32_t)(t0 * f->step_count); i < end; i++)
        speed = fmax(speed, f->knots[i].quaternion_error < 0.125 ? f->knots[i].speed : f->speed_bound);
    out->acceleration = norm_above(f->def.acceleration, 3);
    out->angular_speed = speed;
    /* |x_i x_j| over all axes is at most |x|^2 / sqrt 3; in the world and along the axes omega changes alike */
    out->angular_acceleration = (f->c_most * speed * speed * 0.57736 + f->b_size) * UPWARD;
    return isfinite(out->acceleration) && isfinite(out->angular_acceleration);
}
