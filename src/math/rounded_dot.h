/* SPDX-License-Identifier: MIT */
/* Sums of products that are rounded once, to nearest. */
#ifndef GRZ_MATH_ROUNDED_DOT_H
#define GRZ_MATH_ROUNDED_DOT_H

/* a . b + c, rounded to nearest once (ties to even); infinite where that overflows. All are finite. In the default
   environment. Any numbers, by integers: slow. */
double grz_rounded_dot(const double a[3], const double b[3], double c);

#endif
