/* SPDX-License-Identifier: MIT */
/* Roots in storage of their own; see stored_root.h. */
#include "motion/stored_root.h"

#include <string.h>

enum
{
    COMPARE_LIMBS = 4096
};

void grz_root_store(const grz_root *root, grz_stored_root *out)
{
    bool is_double = !(root->low < root->high); /* narrowing may have found one that is dyadic, but no double */
    out->usable = root->located && root->isolated;
    out->low = root->low;
    out->high = root->high;
    out->degree = is_double ? 0 : root->polynomial.degree;
    out->sign = root->sign;
    size_t used = 0;
    for (int i = 0; i <= root->polynomial.degree && !is_double; i++)
    {
        const grz_integer *c = &root->polynomial.c[i];
        size_t count = (size_t)c->count;
        if (used + count > GRZ_STORED_ROOT_LIMBS)
        {
            out->usable = false;
            return;
        }
        out->signs[i] = c->sign;
        out->counts[i] = (unsigned char)count;
        if (count > 0)
            memcpy(out->limbs + used, c->limbs, count * sizeof *c->limbs);
        used += count;
    }
}

void grz_root_load(grz_scratch *scratch, const grz_stored_root *stored, grz_root *out)
{
    grz_root_at(scratch, stored->low, out);
    out->located = out->isolated = true;
    out->low = stored->low;
    out->high = stored->high;
    if (!(stored->low < stored->high))
        return;
    out->exact = false;
    out->upper = grz_time_from_double(scratch, stored->high);
    out->sign = stored->sign;
    out->polynomial.degree = stored->degree;
    size_t used = 0;
    for (int i = 0; i <= stored->degree; i++)
    {
        grz_integer c = grz_number_make(scratch, stored->counts[i]);
        if (c.limbs != NULL && stored->counts[i] > 0)
        {
            memcpy(c.limbs, stored->limbs + used, stored->counts[i] * sizeof *c.limbs);
            c.count = stored->counts[i];
            c.sign = stored->signs[i];
        }
        out->polynomial.c[i] = c;
        used += stored->counts[i];
    }
}

graze_status grz_stored_root_compare(const graze_context *context, const grz_stored_root *a, grz_stored_root *b,
                                     int *out_order)
{
    uint64_t limbs[COMPARE_LIMBS];
    grz_scratch scratch;
    grz_root x, y;
    grz_scratch_start(&scratch, context, limbs, COMPARE_LIMBS);
    grz_root_load(&scratch, a, &x);
    grz_root_load(&scratch, b, &y);
    int order = grz_root_compare(&scratch, &x, &y);
    bool failed = scratch.failed;
    if (!failed && !y.exact && y.polynomial.degree < b->degree)
    {
        y.low = b->low;
        y.high = b->high;
        grz_root_store(&y, b);
    }
    grz_scratch_release(&scratch);
    if (failed)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    *out_order = order;
    return GRAZE_STATUS_OK;
}
