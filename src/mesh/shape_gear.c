/* SPDX-License-Identifier: MIT */
/*
 * The spur gear. Its flanks are involutes of a circle, so that two gears of any numbers of teeth stay in contact along
 * a line while they turn; the pressure angle is 30 degrees, which keeps the involutes free of interference down to
 * eight teeth with tips one module high. Below the base circle a flank runs straight towards the axis.
 *
 * Tips and flanks are convex and cut into chords, and the root is a chord too, so the gear lies within the ideal one:
 * meshing gears do not touch. Every tooth is a strip of quads between its two flanks, standing on a hub whose bore has
 * a vertex below each root of a flank.
 */
#include <math.h>

#include "graze/generate.h"
#include "mesh/shape_builder.h"

enum
{
    STEPS = 8,                 /* quads on a flank */
    OUTLINE = 2 * (STEPS + 1), /* vertices around one tooth: up the right flank, down the left */
    RIGHT_BORE = OUTLINE,
    LEFT_BORE, /* the bore's vertices below the two roots */
    LAYER,     /* vertices of a tooth in one plane */
    LEAST_TEETH = 8
};

static const double addendum = 1, dedendum = 1.2; /* of a tooth above and below the pitch circle, in modules */

/* Rotation about z. */
static v3 turned(double cosine, double sine, v3 p)
{
    return v3_add(v3_scale(p.x, v3_make(cosine, sine, 0)), v3_scale(p.y, v3_make(-sine, cosine, 0)));
}

/* The involute of the unit circle that leaves it at (1, 0); its radius is sqrt(1 + roll^2). */
static v3 involute(double roll)
{
    double cosine = cos(roll), sine = sin(roll);
    return v3_add(v3_make(cosine, sine, 0), v3_scale(roll, v3_make(sine, -cosine, 0)));
}

/* The flank right of the tooth that points along x, from its root out, in modules. */
static void right_flank(uint32_t teeth, double clearance, v3 flank[STEPS + 1])
{
    double pitch = teeth / 2.0, base = pitch * sqrt(0.75), root = pitch - dedendum, tip = pitch + addendum;
    /* On the pitch circle a tooth is half of its share thick; towards the base circle it gains on each side the
     * angle tan(30 degrees) - 30 degrees. */
    double half_angle = (GRZ_PI / 2 - clearance) / teeth + (sqrt(1.0 / 3) - GRZ_PI / 6);
    double last_roll = sqrt((tip / base) * (tip / base) - 1);
    bool straight = root < base;
    double first_roll = straight ? 0 : sqrt((root / base) * (root / base) - 1);
    double cosine = cos(half_angle), sine = -sin(half_angle);
    for (int i = 0; i <= STEPS; i++)
    {
        double share = straight ? (i - 1) / (STEPS - 1.0) : i / (double)STEPS;
        bool at_root = straight && i == 0;
        v3 point = at_root ? v3_make(root / base, 0, 0) : involute(first_roll + (last_roll - first_roll) * share);
        flank[i] = v3_scale(base, turned(cosine, sine, point));
    }
}

static void add_points(grz_shape *shape, uint32_t teeth, double module, double thickness, double bore,
                       v3 flank[STEPS + 1])
{
    double shrink = bore / (module * (teeth / 2.0 - dedendum));
    v3 points[LAYER];
    for (int i = 0; i <= STEPS; i++)
    {
        points[i] = v3_scale(module, flank[i]);
        points[OUTLINE - 1 - i] = v3_make(points[i].x, -points[i].y, 0);
    }
    points[RIGHT_BORE] = v3_scale(shrink, points[0]);
    points[LEFT_BORE] = v3_scale(shrink, points[OUTLINE - 1]);
    for (uint32_t tooth = 0; tooth < teeth; tooth++)
    {
        double cosine, sine;
        grz_circle(tooth, teeth, &cosine, &sine);
        for (int layer = 0; layer < 2; layer++)
            for (int i = 0; i < LAYER; i++)
            {
                v3 p = turned(cosine, sine, points[i]);
                grz_shape_vertex(shape, v3_make(p.x, p.y, layer == 0 ? -thickness / 2 : thickness / 2));
            }
    }
}

/* A quad of both lids; the four vertices are of the lower layer, counter-clockwise seen from above. */
static void add_lids(grz_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    grz_shape_quad(shape, a, d, c, b);
    grz_shape_quad(shape, a + LAYER, b + LAYER, c + LAYER, d + LAYER);
}

/* A quad of the wall that has the body to the left of the way from a to b. */
static void add_wall(grz_shape *shape, uint32_t a, uint32_t b)
{
    grz_shape_quad(shape, a, b, b + LAYER, a + LAYER);
}

static void add_tooth(grz_shape *shape, uint32_t tooth, uint32_t next)
{
    for (uint32_t i = 0; i < STEPS; i++)
    {
        uint32_t right = tooth + i, left = tooth + OUTLINE - 1 - i;
        add_lids(shape, right, right + 1, left - 1, left);
    }
    add_lids(shape, tooth + RIGHT_BORE, tooth, tooth + OUTLINE - 1, tooth + LEFT_BORE);
    add_lids(shape, tooth + LEFT_BORE, tooth + OUTLINE - 1, next, next + RIGHT_BORE);
    for (uint32_t i = 0; i + 1 < OUTLINE; i++)
        add_wall(shape, tooth + i, tooth + i + 1);
    add_wall(shape, tooth + OUTLINE - 1, next);
    add_wall(shape, tooth + LEFT_BORE, tooth + RIGHT_BORE);
    add_wall(shape, next + RIGHT_BORE, tooth + LEFT_BORE);
}

graze_status graze_mesh_create_gear(const graze_context *context, uint32_t teeth, double module, double thickness,
                                    double bore_radius, double clearance, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(module) || !grz_size_valid(thickness) || !grz_size_valid(bore_radius) || !(clearance >= 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (teeth < LEAST_TEETH || bore_radius >= module * (teeth / 2.0 - dedendum) || clearance >= module)
        return GRAZE_STATUS_BAD_ARGUMENT;
    v3 flank[STEPS + 1];
    right_flank(teeth, clearance / module, flank);
    if (flank[STEPS].y >= 0) /* so thin that the flanks cross below the tip */
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_shape shape;
    graze_status status =
        grz_shape_begin(&shape, context, 2 * (uint64_t)LAYER * teeth, (8 * STEPS + 16) * (uint64_t)teeth);
    if (status != GRAZE_STATUS_OK)
        return status;
    add_points(&shape, teeth, module, thickness, bore_radius, flank);
    for (uint32_t tooth = 0; tooth < teeth; tooth++)
        add_tooth(&shape, 2 * LAYER * tooth, 2 * LAYER * ((tooth + 1) % teeth));
    return grz_shape_finish(&shape, NULL, out_mesh);
}
