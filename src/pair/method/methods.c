/* SPDX-License-Identifier: MIT */
/* The table of the literature's methods. */
#include <string.h>

#include "pair/method/table.h"

const grz_method *const grz_methods[] = {
    &grz_all_pairs_method,
    &grz_kdop_6_method,
    &grz_kdop_14_method,
    &grz_kdop_18_method,
    &grz_kdop_26_method,
    &grz_kdop_method,
    &grz_rapid_method,
    &grz_sat_lite_method,
    &grz_solid_method,
    &grz_sphere_tree_method,
    &grz_adb_method,
    &grz_restricted_boxes_method,
    &grz_edges_faces_method,
    &grz_edges_faces_relaxed_method,
    &grz_edges_faces_boxes_method,
    &grz_box_tree_method,
    &grz_cd_method,
    &grz_swift_method,
    &grz_monte_carlo_method,
    &grz_z_buffer_method,
    &grz_voxmap_method,
    &grz_cyrus_beck_method,
    &grz_separating_axes_method,
    &grz_gjk_method,
    &grz_enhanced_gjk_method,
    &grz_q_collide_method,
    &grz_perceptron_method,
    &grz_perceptron_climbing_method,
    &grz_perceptron_weighted_method,
    &grz_perceptron_unbiased_method,
    &grz_closest_features_method,
    &grz_v_clip_method,
    &grz_witness_method,
    &grz_dobkin_kirkpatrick_method,
};

const size_t grz_method_table_size = sizeof grz_methods / sizeof grz_methods[0];

const grz_method *grz_method_of_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < grz_method_table_size; i++)
        if (strcmp(grz_methods[i]->info.name, name) == 0)
            return grz_methods[i];
    return NULL;
}

size_t graze_method_count(void)
{
    return grz_method_table_size;
}

const graze_method_info *graze_method_at(size_t index)
{
    return index < grz_method_table_size ? &grz_methods[index]->info : NULL;
}

const graze_method_info *graze_method_find(const char *name)
{
    const grz_method *method = grz_method_of_name(name);
    return method != NULL ? &method->info : NULL;
}
