/* SPDX-License-Identifier: MIT */
/* What pieces of the tool say on standard error, within a test program. */
#ifndef TESTS_SUPPORT_CAPTURED_ERRORS_H
#define TESTS_SUPPORT_CAPTURED_ERRORS_H

/* From here on, standard error goes to a file in the current directory. */
void capture_errors(void);

/* Until here. What was said, in a buffer that the next call overwrites. */
const char *captured_errors(void);

#endif
