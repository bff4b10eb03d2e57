/* SPDX-License-Identifier: MIT */
/*
 * What a fuzzer says when an answer is wrong: the broken promise, and the meshes and poses as C arrays that can be
 * pasted into a test under tests/repro. With GRAZE_FUZZ_SHOW in the environment, replaying an input prints them in
 * any case, as is needed for a crash.
 */
#ifndef FUZZ_FINDING_H
#define FUZZ_FINDING_H

#include "shapes.h"

/* Forgets what was noted before, and notes what the present input is made of. The arguments must stay. */
void finding_start(void);
void finding_note_mesh(const char *name, const small_mesh *shape);
void finding_note_pose(const char *name, const graze_pose *pose);
void finding_note_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints all that once everything is noted, if it is asked for. */
void finding_show(void);

/* Prints all that and the promise, and aborts. */
_Noreturn void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same unless it holds. */
#define EXPECT(condition, ...)                                                                                         \
    do                                                                                                                 \
    {                                                                                                                  \
        if (!(condition))                                                                                              \
            finding(__VA_ARGS__);                                                                                      \
    } while (0)

#define EXPECT_OK(call) EXPECT((call) == GRAZE_STATUS_OK, "%s is not OK", #call)

#endif
