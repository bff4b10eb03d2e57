/* SPDX-License-Identifier: MIT */
/*
 * Moving points as polynomials, in the frame of a plane and on an interval of time (docs/certificate-format.md).
 *
 * For a point v of a body, u = v - k, and a plane (n, d) of a frame, f = n . (T u + S) - d Omega, where T (3x3), S and
 * Omega are polynomials in t. They are kept homogeneous: on [t0, t1], with x + y = 1, t = x t0 + y t1, as sums of c_i
 * x^(m-i) y^i. So c_i is the Bernstein coefficient b_i times a binomial: it has its sign, products are convolutions,
 * and the degree is raised by multiplying by x + y. Nothing is divided.
 */
#ifndef GRZ_CERTIFICATE_BERNSTEIN_H
#define GRZ_CERTIFICATE_BERNSTEIN_H

#include "exact/dyadic.h"
#include "graze/motion.h"
#include "math/interval.h"

enum
{
    GRZ_MOST_COEFFICIENTS = 7 /* degree 6: a ballistic turn seen from another */
};

typedef enum grz_plane_frame
{
    GRZ_FRAME_WORLD,
    GRZ_FRAME_A,
    GRZ_FRAME_B,
    GRZ_FRAME_COUNT
} grz_plane_frame;

/* An interval of time of the tree of halves: [index, index + 1] / 2^level. */
typedef struct grz_time_cell
{
    int level;
    uint64_t index;
} grz_time_cell;

static inline double grz_time_start(grz_time_cell time)
{
    return ldexp((double)time.index, -time.level);
}

static inline double grz_time_end(grz_time_cell time)
{
    return ldexp((double)(time.index + 1), -time.level);
}

/* T, S and Omega of one body in one frame; for each of `count` coefficients. */
typedef struct grz_interval_form
{
    int count;
    interval t[GRZ_MOST_COEFFICIENTS][3][3], s[GRZ_MOST_COEFFICIENTS][3], omega[GRZ_MOST_COEFFICIENTS];
} grz_interval_form;

typedef struct grz_exact_form
{
    int count;
    grz_dyadic t[GRZ_MOST_COEFFICIENTS][3][3], s[GRZ_MOST_COEFFICIENTS][3], omega[GRZ_MOST_COEFFICIENTS];
} grz_exact_form;

/* The form of a body (0: A, 1: B) in a frame on [start, end], ends that are doubles of the tree of halves, or equal. */
void grz_interval_form_make(const graze_motion motions[2], int body, grz_plane_frame frame, double start, double end,
                            grz_interval_form *out);

/* The same exactly. `scratch` has room for a grz_exact_scratch, see grz_exact_scratch_size. */
void grz_exact_form_make(const graze_motion motions[2], int body, grz_plane_frame frame, double start, double end,
                         void *scratch, grz_exact_form *out);
size_t grz_exact_scratch_size(void);

static inline bool grz_motion_turns(const graze_motion *motion)
{
    return motion->kind == GRAZE_MOTION_TURN || motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
}

/* The point k that a motion turns about: subtracted from points of the body. */
static inline double grz_motion_centre(const graze_motion *motion, int axis)
{
    return grz_motion_turns(motion) ? motion->centre[axis] : 0;
}

#endif
