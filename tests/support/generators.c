/* SPDX-License-Identifier: MIT */
/* The table of generators; see generators.h. */
#include "support/generators.h"

#include <stdio.h>

const generator generators[] = {
    {"integers of 2 bits", make_grid_2_bits, 0, 0, 0, 0},
    {"integers of 3 bits", make_grid_3_bits, 0, 0, 0, 0},
    {"integers of 4 bits", make_grid_4_bits, 0, 0, 0, 0},
    {"integers of 5 bits", make_grid_5_bits, 0, 0, 0, 0},
    {"integers times 0.1", make_grid_tenths, 0, 0, 0, 0},
    {"integers times 0.7", make_grid_sevenths, 0, 0, 0, 0},
    {"shared vertex", make_shared_vertex, 0, 0, 0, 0},
    {"shared edge", make_shared_edge, 0, 0, 0, 0},
    {"shared triangle", make_shared_triangle, 0, 0, 0, 0},
    {"coplanar, axis plane", make_coplanar_axis, 0, 0, 0, 0},
    {"coplanar, tilted plane", make_coplanar_tilted, 0, 0, 0, 0},
    {"collinear", make_collinear, 0, 0, 0, 0},
    {"segments", make_segments, 0, 0, 0, 0},
    {"segment and triangle", make_segment_triangle, 0, 0, 0, 0},
    {"points", make_points, 0, 0, 0, 0},
    {"corner on edge", make_corner_on_edge, 0, 0, 0, 0},
    {"corner on face", make_corner_on_face, 0, 0, 0, 0},
    {"edge through edge", make_edge_through_edge, 0, 0, 0, 0},
    {"crossing", make_crossing, 0, 0, 0, 0},
    {"near miss", make_near_miss, 0, 0, 0, 0},
    {"nudged", make_nudged, 0, 0, 0, 0},
    {"nudged, real", make_nudged_real, 0, 0, 0, 0},
    {"scaled 1e-12 to 1e12", make_scaled, 0, 0, 0, 0},
    {"scaled by powers of two", make_scaled_exactly, 0, 0, 0, 0},
    {"denormal", make_denormal, 0, 0, 0, 0},
    {"huge", make_huge, 0, 0, 0, 0},
    {"largest", make_largest, 0, 0, 0, 0},
    {"mixed magnitudes", make_mixed_magnitudes, 0, 0, 0, 0},
    {"any bits", make_any_bits, 0, 0, 0, 0},
    {"rotated", make_rotated, 0, 0, 0, 0},
    {"equal rotations", make_equal_rotations, 0, 0, 0, 0},
    {"equal poses", make_equal_poses, 0, 0, 0, 0},
    {"turned poses", make_turned_poses, 0, 0, 0, 0},
    {"turned poses, nudged", make_turned_nudged, 0, 0, 0, 0},
    {"integer poses", make_integer_poses, 0, 0, 0, 0},
    {"sheared and scaled", make_sheared, 0, 0, 0, 0},
    {"mirrored", make_mirrored, 0, 0, 0, 0},
    {"singular", make_singular, 0, 0, 0, 0},
    {"nearly singular", make_nearly_singular, 0, 0, 0, 0},
    {"translated", make_translated, 0, 0, 0, 0},
    {"absorbed by translation", make_absorbed, 0, 0, 0, 0},
    {"one placed, one not", make_one_placed, 0, 0, 0, 0},
    {"quarter turns", make_quarter_turns, 0, 0, 0, 0},
    {"rounded quarter turns", make_rounded_quarter_turns, 0, 0, 0, 0},
    {"extreme poses", make_extreme_poses, 0, 0, 0, 0},
    {"denormal poses", make_denormal_poses, 0, 0, 0, 0},
};

const size_t generator_count = sizeof generators / sizeof *generators;

graze_placed_triangle case_triangle(const triangle_case *pair, int side)
{
    graze_placed_triangle triangle = {
        {pair->corners[side][0], pair->corners[side][1], pair->corners[side][2]},
        pair->placed[side] ? &pair->poses[side] : NULL,
    };
    return triangle;
}

void case_print(const triangle_case *pair)
{
    for (int side = 0; side < 2; side++)
    {
        printf("triangle %c: {", 'a' + side);
        for (int i = 0; i < 3; i++)
            printf("{%a, %a, %a}%s", pair->corners[side][i][0], pair->corners[side][i][1], pair->corners[side][i][2],
                   i < 2 ? ", " : "}\n");
        if (!pair->placed[side])
            continue;
        printf("pose %c: {{", 'a' + side);
        for (int i = 0; i < 12; i++)
            printf("%a%s", pair->poses[side].m[i], i < 11 ? ", " : "}}\n");
    }
}
