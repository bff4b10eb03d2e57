/* SPDX-License-Identifier: MIT */
/* Caches of pairs of shapes. */
#include <string.h>

#include "shape/query.h"

graze_shape_cache graze_shape_cache_default(void)
{
    graze_shape_cache cache;
    memset(&cache, 0, sizeof cache);
    cache.meshes = graze_pair_cache_default();
    return cache;
}
