/* SPDX-License-Identifier: MIT */
#ifndef LAB_CONTINUOUS_H
#define LAB_CONTINUOUS_H

/* graze-lab continuous [WORKLOAD] [--quick] [--json FILE]; the exit code. */
int lab_continuous(int argument_count, char **arguments);

#endif
