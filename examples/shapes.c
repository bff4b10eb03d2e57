/* SPDX-License-Identifier: MIT */
/* Shapes beside meshes: a ball and a box that touch exactly, a capsule in a hull, contacts of a box on the ground. */
#include "example.h"

static const char *word(graze_verdict verdict)
{
    return verdict == GRAZE_VERDICT_YES ? "yes" : verdict == GRAZE_VERDICT_NO ? "no" : "unknown";
}

int main(void)
{
    const double size[3] = {2, 2, 2}, up[3] = {0, 0, 1}, ends[2][3] = {{0, 0, 0}, {0, 0, 1}};
    const double points[5][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 2}};
    graze_shape *box = NULL, *ball = NULL, *capsule = NULL, *hull = NULL, *ground = NULL;
    check(graze_shape_create_box(NULL, size, &box));
    check(graze_shape_create_sphere(NULL, NULL, 5, &ball));
    check(graze_shape_create_capsule(NULL, ends, 0.25, &capsule));
    check(graze_shape_create_hull(NULL, points[0], 5, NULL, &hull));
    check(graze_shape_create_half_space(NULL, up, 0, &ground));

    // The corner (1, 1, 1) of the box is exactly 5 away from (1, 4, 5): there they share that one point.
    graze_placed a = {box, graze_pose_identity()}, b = {ball, graze_pose_translation(1, 4, 5)};
    const double moves[3] = {0x1.3ffffffffffffp2, 5.0, 0x1.4000000000001p2};
    for (int i = 0; i < 3; i++)
    {
        graze_verdict collide = GRAZE_VERDICT_UNKNOWN;
        b.pose.m[11] = moves[i];
        check(graze_shape_pair_any(NULL, &a, &b, NULL, &collide, NULL));
        printf("ball at z = %-18.17g %s\n", moves[i], word(collide));
    }

    // The shortest way out of each other, as an interval, and the translation.
    graze_placed c = {capsule, graze_pose_translation(0, 0, -0.75)}, d = {hull, graze_pose_identity()};
    graze_shape_depth depth;
    check(graze_shape_pair_depth(NULL, &c, &d, NULL, &depth));
    printf("capsule in hull: way out %.3f to %.3f, along (%.3f, %.3f, %.3f)\n", depth.lower, depth.upper,
           depth.translation[0], depth.translation[1], depth.translation[2]);

    // What a solver takes: a normal, and points with gaps.
    graze_placed e = {ground, graze_pose_identity()}, f = {box, graze_pose_translation(0, 0, 1.001)};
    graze_shape_manifold manifold;
    size_t count = 0;
    check(graze_shape_pair_contacts(NULL, &e, &f, NULL, &manifold, 1, &count));
    printf("%zu manifold, %u points, gap %.3f, normal (%g, %g, %g)\n", count, (unsigned)manifold.contacts.count,
           manifold.contacts.points[0].gap, manifold.contacts.normal[0], manifold.contacts.normal[1],
           manifold.contacts.normal[2]);

    graze_shape_destroy(box);
    graze_shape_destroy(ball);
    graze_shape_destroy(capsule);
    graze_shape_destroy(hull);
    graze_shape_destroy(ground);
    return 0;
}
