/* SPDX-License-Identifier: MIT */
/*
 * The forms of bernstein.h exactly. Width: q(t) at an end has factors of one double and one multiple of 2^-52, so T, S
 * and Omega are sums of products of at most five doubles and six such multiples; f has one more double, and its square
 * twice as many: 12 doubles and 12 multiples of 2^-52, fewer than the 14 doubles of exact/dyadic.h.
 */
#include "certificate/bernstein.h"

#define NUMBER grz_dyadic
#define FORM grz_exact_form

static void number_set(grz_dyadic *r, double x)
{
    grz_dyadic_set(r, x);
}

static void number_assign(grz_dyadic *r, const grz_dyadic *a)
{
    grz_dyadic_copy(r, a);
}

static void number_add(grz_dyadic *r, const grz_dyadic *a, bool negate)
{
    grz_dyadic_accumulate(r, a, negate);
}

static void number_add_product(grz_dyadic *r, const grz_dyadic *a, const grz_dyadic *b, bool negate)
{
    if (a->sign != 0 && b->sign != 0)
        grz_dyadic_accumulate_product(r, a, b, negate);
}

#include "certificate/bernstein_template.h"

size_t grz_exact_scratch_size(void)
{
    return sizeof(form_scratch);
}

void grz_exact_form_make(const graze_motion motions[2], int body, grz_plane_frame frame, double start, double end,
                         void *scratch, grz_exact_form *out)
{
    make_form(scratch, motions, body, frame, start, end, out);
}
