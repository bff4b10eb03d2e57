/* SPDX-License-Identifier: MIT */
/* cmocka with the headers it needs before it. */
#ifndef SUPPORT_UNIT_H
#define SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Repetitions of a case, and what they add up to. Programs run 10 to 20 times slower under the thread sanitizer, which
   sees a race in few of them. */
#ifdef __SANITIZE_THREAD__
#define TEST_ROUNDS(count) (((count) + 3) / 4)
#else
#define TEST_ROUNDS(count) (count)
#endif

#endif
