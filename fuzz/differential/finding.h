/* SPDX-License-Identifier: MIT */
/*
 * Reports of wrong answers: the violated guarantee, and the meshes and poses as C arrays that can be pasted into a test
 * under tests/repro. With GRAZE_FUZZ_SHOW in the environment, replaying an input prints them in any case, as is needed
 * for a crash.
 */
#ifndef FUZZ_FINDING_H
#define FUZZ_FINDING_H

#include "shapes.h"

/* Clears the notes, and records the meshes and poses of the current input. The arguments must stay valid. */
void finding_start(void);
void finding_note_mesh(const char *name, const small_mesh *shape);
void finding_note_pose(const char *name, const graze_pose *pose);
void finding_note_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints all notes, if asked for. */
void finding_show(void);

/* Prints all notes and the guarantee, and aborts. */
_Noreturn void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same unless the condition holds. */
#define EXPECT(condition, ...)                                                                                         \
    do                                                                                                                 \
    {                                                                                                                  \
        if (!(condition))                                                                                              \
            finding(__VA_ARGS__);                                                                                      \
    } while (0)

#define EXPECT_OK(call) EXPECT((call) == GRAZE_STATUS_OK, "%s is not OK", #call)

#endif
