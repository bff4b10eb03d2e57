/* SPDX-License-Identifier: MIT */
/* See threads.h. */
#include "threads.h"

#include <stdlib.h>

#include "finding.h"

graze_tasks fuzz_threads(void)
{
    static graze_pool *pool;
    if (getenv("GRAZE_FUZZ_ONE_THREAD") != NULL)
        return graze_context_default().tasks;
    if (pool == NULL)
        EXPECT_OK(graze_pool_create(NULL, 2, &pool));
    return graze_pool_tasks(pool);
}
