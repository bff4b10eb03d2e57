/* SPDX-License-Identifier: MIT */
/* Captures what functions of the tool print on standard error, within a test program. */
#ifndef TESTS_SUPPORT_CAPTURED_ERRORS_H
#define TESTS_SUPPORT_CAPTURED_ERRORS_H

/* Redirects standard error to a file in the current directory. */
void capture_errors(void);

/* Ends the redirection and returns the text, in a buffer that the next call overwrites. */
const char *captured_errors(void);

#endif
