/* SPDX-License-Identifier: MIT */
/*
 * Exact coordinates: every finite double is an integer times a power of two, so placed points R v + t are too. A
 * lattice holds any number of points as integers (GMP) times one common power of two. Doubles are decomposed and
 * composed by their bits, so that neither rounding mode nor flush-to-zero affects the oracle.
 */
#ifndef SUPPORT_LATTICE_H
#define SUPPORT_LATTICE_H

#include <gmp.h>
#include <stddef.h>

#include "graze/exact.h"

typedef mpz_t vector3[3];

typedef struct lattice
{
    size_t capacity, count;
    long exponent; /* true coordinate = integer * 2^exponent */
    vector3 *points;
    long (*own)[3]; /* each coordinate's own exponent, before the common one is applied */
    mpz_t term;
} lattice;

lattice *lattice_create(size_t capacity);
void lattice_destroy(lattice *grid);

/* Adds points: lattice_begin, then lattice_add for each, then lattice_align once. */
void lattice_begin(lattice *grid);
void lattice_add(lattice *grid, const double point[3], const graze_pose *pose);
void lattice_align(lattice *grid);

/* Whether a double is zero, by its bits. */
int double_is_zero(double value);

/* The exact value as a rational. */
void rational_set_double(mpq_t out, double value);

/* The double nearest to numerator / denominator * 2^exponent (denominator > 0), ties to even; saturates at the largest
 * finite double. */
double nearest_double(const mpz_t numerator, const mpz_t denominator, long exponent);

/* Vectors of integers. */
void vector_init(vector3 v);
void vector_clear(vector3 v);
void vector_subtract(vector3 out, vector3 a, vector3 b);
void vector_cross(vector3 out, vector3 a, vector3 b); /* out is neither a nor b */
void vector_dot(mpz_t out, vector3 a, vector3 b);
int vector_is_zero(vector3 v);

#endif
