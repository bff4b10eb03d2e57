/* SPDX-License-Identifier: MIT */
/*
 * All mutants are compiled in at once; a number from the environment selects one, 0 none. Each also tells whether it
 * would have made a difference where it was passed: a test without such a difference cannot notice it. Included before
 * every source of the copy that scripts/mutants.py builds.
 */
#ifndef GRZ_MUTANT_H
#define GRZ_MUTANT_H

extern int grz_mutant;
extern unsigned char grz_mutant_seen[];

#define MUTANT_IS(n) __builtin_expect(grz_mutant == (n), 0)
#define MUTANT_SAW(n, different) (grz_mutant_seen[n] = (unsigned char)(grz_mutant_seen[n] | ((different) != 0)))
#define MUTANT_AT(n) (grz_mutant_seen[n] = 1, MUTANT_IS(n))

#endif
