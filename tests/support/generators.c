/* SPDX-License-Identifier: MIT */
/* The table of generators; see generators.h. */
#include "support/generators.h"

#include <stdio.h>

const generator generators[] = {
    {"integers of 2 bits", make_grid_2_bits, 32, 17, 8, 41, 100},
    {"integers of 3 bits", make_grid_3_bits, 24, 3, 1, 10, 100},
    {"integers of 4 bits", make_grid_4_bits, 21, 0, 0, 2, 6},
    {"integers of 5 bits", make_grid_5_bits, 22, 0, 0, 0, 2},
    {"integers times 0.1", make_grid_tenths, 24, 4, 2, 13, 100},
    {"integers times 0.7", make_grid_sevenths, 25, 4, 2, 13, 100},
    {"shared vertex", make_shared_vertex, 100, 66, 0, 5, 14},
    {"shared edge", make_shared_edge, 100, 100, 0, 1, 7},
    {"shared triangle", make_shared_triangle, 100, 100, 0, 0, 3},
    {"coplanar, axis plane", make_coplanar_axis, 56, 56, 16, 60, 100},
    {"coplanar, tilted plane", make_coplanar_tilted, 52, 52, 8, 60, 100},
    {"collinear", make_collinear, 66, 66, 57, 60, 100},
    {"segments", make_segments, 60, 60, 100, 60, 100},
    {"segment and triangle", make_segment_triangle, 56, 56, 100, 60, 100},
    {"points", make_points, 46, 46, 100, 60, 100},
    {"corner on edge", make_corner_on_edge, 100, 58, 0, 60, 100},
    {"corner on face", make_corner_on_face, 100, 50, 0, 60, 100},
    {"edge through edge", make_edge_through_edge, 100, 33, 0, 35, 100},
    {"crossing", make_crossing, 100, 0, 0, 0, 1},
    {"near miss", make_near_miss, 41, 0, 0, 60, 100},
    {"grazing", make_grazing, 20, 0, 0, 60, 100},
    {"nudged", make_nudged, 42, 17, 8, 60, 100},
    {"nudged, real", make_nudged_real, 39, 13, 7, 60, 100},
    {"scaled 1e-12 to 1e12", make_scaled, 48, 27, 14, 60, 100},
    {"scaled by powers of two", make_scaled_exactly, 54, 39, 19, 60, 100},
    {"denormal", make_denormal, 55, 40, 19, 45, 100},
    {"huge", make_huge, 51, 33, 16, 40, 100},
    {"largest", make_largest, 25, 6, 3, 5, 100},
    {"mixed magnitudes", make_mixed_magnitudes, 28, 11, 6, 20, 100},
    {"any bits", make_any_bits, 52, 31, 0, 20, 100},
    {"rotated", make_rotated, 26, 0, 0, 0, 1},
    {"grazing, rotated", make_grazing_rotated, 16, 0, 0, 60, 100},
    {"equal rotations", make_equal_rotations, 62, 51, 24, 50, 100},
    {"equal poses", make_equal_poses, 62, 52, 24, 50, 100},
    {"turned poses", make_turned_poses, 61, 51, 23, 60, 100},
    {"turned poses, nudged", make_turned_nudged, 38, 21, 22, 60, 100},
    {"integer poses", make_integer_poses, 52, 44, 23, 60, 100},
    {"sheared and scaled", make_sheared, 45, 35, 24, 51, 100},
    {"mirrored", make_mirrored, 63, 52, 24, 60, 100},
    {"singular", make_singular, 40, 38, 64, 60, 100},
    {"nearly singular", make_nearly_singular, 62, 51, 23, 60, 100},
    {"translated", make_translated, 61, 50, 24, 60, 100},
    {"absorbed by translation", make_absorbed, 35, 24, 17, 60, 100},
    {"one placed, one not", make_one_placed, 62, 51, 23, 60, 100},
    {"quarter turns", make_quarter_turns, 62, 51, 23, 60, 100},
    {"rounded quarter turns", make_rounded_quarter_turns, 30, 9, 24, 60, 100},
    {"extreme poses", make_extreme_poses, 50, 40, 24, 60, 100},
    {"denormal poses", make_denormal_poses, 61, 50, 23, 60, 100},
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
