/* SPDX-License-Identifier: MIT */
/* cmocka with the headers it needs before it. */
#ifndef SUPPORT_UNIT_H
#define SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Repetitions of a case, and what they add up to. Programs run 3 to 20 times slower under a sanitizer, which sees a
   fault of memory or a race in few of them; answers are compared in all of them without it. */
#if defined(__has_feature)
#define SUPPORT_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUPPORT_SANITIZED 1
#else
#define SUPPORT_SANITIZED 0
#endif

#if SUPPORT_SANITIZED
#define TEST_ROUNDS(count) (((count) + 3) / 4)
#else
#define TEST_ROUNDS(count) (count)
#endif

#endif
