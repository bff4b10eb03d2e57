/* SPDX-License-Identifier: MIT */
/* Trees with a volume a node; see volume_tree.h. */
#include "pair/method/volume_tree.h"

graze_status grz_volume_tree_prepare(grz_volume_tree *state, const graze_context *context, const graze_mesh *mesh,
                                     const grz_method_tree_plan *plan, size_t volume_size, grz_volume_fitter fit,
                                     grz_monitor *monitor)
{
    graze_status status = grz_method_tree_build(context, mesh, plan, monitor, &state->tree);
    if (status != GRAZE_STATUS_OK || state->tree.node_count == 0)
        return status;
    state->volume_size = volume_size;
    state->volumes = grz_allocate_zeroed(context, state->tree.node_count, volume_size);
    if (state->volumes == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    return fit(state, context, mesh, monitor) ? GRAZE_STATUS_OK : grz_monitor_or_memory(monitor);
}

void grz_volume_tree_release(void *state, const graze_context *context)
{
    grz_volume_tree *tree = state;
    grz_method_tree_release(context, &tree->tree);
    grz_release(context, tree->volumes);
    tree->volumes = NULL;
}

size_t grz_volume_tree_memory(const void *state)
{
    const grz_volume_tree *tree = state;
    return grz_method_tree_memory(&tree->tree) + tree->tree.node_count * tree->volume_size;
}
