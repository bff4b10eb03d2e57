/* SPDX-License-Identifier: MIT */
#ifndef LAB_METHODS_H
#define LAB_METHODS_H

/* graze-lab methods [--json FILE]; the exit code. */
int lab_methods(int argument_count, char **arguments);

#endif
