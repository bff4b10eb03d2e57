/* SPDX-License-Identifier: MIT */
/* Standard error within a test program; see captured_errors.h. */
#define _POSIX_C_SOURCE 200809L

#include "support/captured_errors.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "support/unit.h"

static int kept = -1;

void capture_errors(void)
{
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    int file = open("said.txt", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert_true(kept >= 0 && file >= 0);
    assert_true(dup2(file, STDERR_FILENO) >= 0);
    close(file);
}

const char *captured_errors(void)
{
    static char text[8192];
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    FILE *file = fopen("said.txt", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}
