/* SPDX-License-Identifier: MIT */
/* The forms of bernstein.h in intervals. */
#include "certificate/bernstein.h"

#define NUMBER interval
#define FORM grz_interval_form

static inline void number_set(interval *r, double x)
{
    *r = interval_point(x);
}

static inline void number_assign(interval *r, const interval *a)
{
    *r = *a;
}

static inline void number_add(interval *r, const interval *a, bool negate)
{
    if (a->lower == 0 && a->upper == 0) /* as often: no widening */
        return;
    *r = negate ? interval_sub(*r, *a) : interval_add(*r, *a);
}

static inline void number_add_product(interval *r, const interval *a, const interval *b, bool negate)
{
    if ((a->lower == 0 && a->upper == 0) || (b->lower == 0 && b->upper == 0))
        return;
    const interval product = interval_mul(*a, *b);
    *r = negate ? interval_sub(*r, product) : interval_add(*r, product);
}

#include "certificate/bernstein_template.h"

void grz_interval_form_make(const graze_motion motions[2], int body, grz_plane_frame frame, double start, double end,
                            grz_interval_form *out)
{
    form_scratch scratch;
    make_form(&scratch, motions, body, frame, start, end, out);
}
