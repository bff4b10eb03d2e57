/* SPDX-License-Identifier: MIT */
/* The methods that methods.c lists: one declaration a file. */
#ifndef GRZ_PAIR_METHOD_TABLE_H
#define GRZ_PAIR_METHOD_TABLE_H

#include "pair/method/method.h"

extern const grz_method grz_all_pairs_method; /* all_pairs.c */
extern const grz_method grz_kdop_6_method, grz_kdop_14_method, grz_kdop_18_method, grz_kdop_26_method,
    grz_kdop_method;                                           /* k_dop_tree.c */
extern const grz_method grz_rapid_method, grz_sat_lite_method; /* oriented_box_tree.c */
extern const grz_method grz_solid_method;                      /* aligned_box_tree.c */
extern const grz_method grz_sphere_tree_method;                /* sphere_tree.c */
extern const grz_method grz_restricted_boxes_method;           /* restricted_boxes.c */
extern const grz_method grz_edges_faces_method, grz_edges_faces_relaxed_method,
    grz_edges_faces_boxes_method;            /* edges_faces.c */
extern const grz_method grz_box_tree_method; /* box_tree.c */
extern const grz_method grz_cd_method;       /* cd.c */
extern const grz_method grz_swift_method;    /* swift.c */
extern const grz_method grz_adb_method;      /* adb_tree.c */

extern const grz_method grz_cyrus_beck_method;                   /* cyrus_beck.c */
extern const grz_method grz_separating_axes_method;              /* separating_axes.c */
extern const grz_method grz_gjk_method, grz_enhanced_gjk_method; /* gjk.c */
extern const grz_method grz_q_collide_method;                    /* q_collide.c */
extern const grz_method grz_perceptron_method, grz_perceptron_climbing_method, grz_perceptron_weighted_method,
    grz_perceptron_unbiased_method;                    /* perceptron.c */
extern const grz_method grz_closest_features_method;   /* closest_features.c */
extern const grz_method grz_v_clip_method;             /* v_clip.c */
extern const grz_method grz_witness_method;            /* witness.c */
extern const grz_method grz_dobkin_kirkpatrick_method; /* hull_hierarchy.c */
extern const grz_method grz_monte_carlo_method;        /* monte_carlo.c */
extern const grz_method grz_z_buffer_method;           /* z_buffer.c */
extern const grz_method grz_voxmap_method;             /* voxmap.c */

#endif
