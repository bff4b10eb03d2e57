/* SPDX-License-Identifier: MIT */
/*
 * Options and definition structs of callers that were compiled against other headers: they begin with `struct_size`,
 * the size that the caller's headers gave them.
 *
 * An older struct is smaller, but not smaller than the first version of its type, whose last field is listed below: it
 * is copied over the defaults, as far as it reaches. A newer one is larger; it is accepted when all its further bytes
 * are zero, since then it asks for nothing that this library does not know. Every other size is refused.
 *
 *     GRZ_FULL_STRUCT(graze_pair_options, options);
 *     if (!options_fits)
 *         return GRAZE_STATUS_BAD_ARGUMENT;
 */
#ifndef GRZ_BASE_STRUCT_SIZE_H
#define GRZ_BASE_STRUCT_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum
{
    GRZ_MOST_FURTHER_BYTES = 256 /* a size that is larger by more was never set */
};

/* The last field of the first version of each struct. A field that is appended later must not fall into the padding
   behind it, which older callers leave undefined. */
#define GRZ_LAST_OF_graze_any_options budget
#define GRZ_LAST_OF_graze_assembly_options name
#define GRZ_LAST_OF_graze_broad_phase_def margin
#define GRZ_LAST_OF_graze_clash_bcf_options snapshot_user
#define GRZ_LAST_OF_graze_clash_options budget
#define GRZ_LAST_OF_graze_contact_options budget
#define GRZ_LAST_OF_graze_shape_contact_options budget
#define GRZ_LAST_OF_graze_decomposition_options budget
#define GRZ_LAST_OF_graze_deepest_options budget
#define GRZ_LAST_OF_graze_depth_options budget
#define GRZ_LAST_OF_graze_distance_options budget
#define GRZ_LAST_OF_graze_flight_def torque
#define GRZ_LAST_OF_graze_impact_options budget
#define GRZ_LAST_OF_graze_interference_options budget
#define GRZ_LAST_OF_graze_mesh_def face_count
#define GRZ_LAST_OF_graze_method_options budget
#define GRZ_LAST_OF_graze_method_parameters budget
#define GRZ_LAST_OF_graze_object_def user
#define GRZ_LAST_OF_graze_overlap_options budget
#define GRZ_LAST_OF_graze_pair_options budget
#define GRZ_LAST_OF_graze_prove_options budget
#define GRZ_LAST_OF_graze_scene_def leave_out_stays
#define GRZ_LAST_OF_graze_scene_filter except
#define GRZ_LAST_OF_graze_shape_depth_options budget
#define GRZ_LAST_OF_graze_shape_distance_options budget
#define GRZ_LAST_OF_graze_shape_options budget
#define GRZ_LAST_OF_graze_shape_tolerance_options budget
#define GRZ_LAST_OF_graze_tessellation_options budget
#define GRZ_LAST_OF_graze_tolerance_options budget
#define GRZ_LAST_OF_graze_tool_path_options budget
#define GRZ_LAST_OF_graze_tree_def quick
#define GRZ_LAST_OF_graze_update_options on_event_user

/* The size of a struct that ends with this field. */
#define GRZ_SIZE_UP_TO(type, field)                                                                                    \
    ((offsetof(type, field) + sizeof((type *)0)->field + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

#define GRZ_FIRST_SIZE(type) GRZ_SIZE_UP_TO(type, GRZ_LAST_OF_##type)

/* Whether a struct of a type that this library knows in sizes from `first_size` to `size` can be read. NULL stands for
   the defaults. */
static inline bool grz_struct_fits(const void *given, size_t first_size, size_t size)
{
    if (given == NULL)
        return true;
    size_t its_size = *(const size_t *)given;
    if (its_size <= size)
        return its_size >= first_size;
    if (its_size - size > GRZ_MOST_FURTHER_BYTES)
        return false;
    const unsigned char *bytes = given;
    for (size_t i = size; i < its_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Copies a struct that fits over the defaults in `full`, as far as it reaches. */
static inline const void *grz_struct_complete(const void *given, void *full, size_t size)
{
    size_t its_size = *(const size_t *)given;
    memcpy(full, given, its_size < size ? its_size : size);
    *(size_t *)full = size;
    return full;
}

/* Declares <given>_fits: whether the struct can be read. If it is an older one, the pointer then leads to a complete
   copy, which lives as long as the block; NULL stays NULL. */
#define GRZ_FULL_STRUCT(type, given)                                                                                   \
    type given##_full;                                                                                                 \
    bool given##_fits = grz_struct_fits(given, GRZ_FIRST_SIZE(type), sizeof(type));                                    \
    if (given##_fits && (given) != NULL && (given)->struct_size < sizeof(type))                                        \
    {                                                                                                                  \
        given##_full = type##_default();                                                                               \
        (given) = grz_struct_complete(given, &given##_full, sizeof(type));                                             \
    }                                                                                                                  \
    (void)0

#endif
