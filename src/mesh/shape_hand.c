/* SPDX-License-Identifier: MIT */
/*
 * The hand-like figure: a left hand seen from above, fingers along +x, thumb towards +y, the palm's inside facing -z;
 * described at length 1 from x = -1/2 (wrist) to 1/2 (tip of the stretched middle finger) and then scaled.
 *
 * The palm and each finger are tubes. A finger's centre line lies in a plane: straight bones and, between them,
 * arcs of fixed length that bend by up to `curl` times each joint's largest angle. The arcs' radius stays above
 * the finger's, so that its surface does not fold over itself.
 */
#include <math.h>

#include "graze/generate.h"
#include "mesh/shape_builder.h"

#define JOINT_COUNT 3
#define FINGER_COUNT 5

typedef struct finger
{
    v3 base;      /* inside the palm */
    v3 direction; /* stretched; need not be of length 1 */
    v3 bend;      /* the direction in which it curls; need not be perpendicular */
    double length, radius;
    double angle[JOINT_COUNT]; /* of each joint in a fist */
} finger;

static const finger fingers[FINGER_COUNT] = {
    {{-0.37, 0.12, -0.015}, {0.62, 0.7, -0.12}, {0.45, -0.75, -0.6}, 0.43, 0.057, {0.5, 0.5, 0.9}},
    {{-0.05, 0.145, 0}, {1, 0.1, 0}, {0, 0, -1}, 0.49, 0.051, {1.35, 1.5, 1.0}},
    {{-0.03, 0.05, 0}, {1, 0.01, 0}, {0, 0, -1}, 0.53, 0.053, {1.4, 1.5, 1.0}},
    {{-0.04, -0.047, 0}, {1, -0.06, 0}, {0, 0, -1}, 0.49, 0.050, {1.4, 1.5, 1.0}},
    {{-0.07, -0.138, 0}, {1, -0.14, 0}, {0, 0, -1}, 0.40, 0.042, {1.4, 1.5, 1.0}}};

/* Start and length of each joint's arc, in finger lengths. */
static const double joint_starts[JOINT_COUNT] = {0.06, 0.42, 0.69};
static const double joint_length = 0.18;

/* A part under construction. */
typedef struct hand_part
{
    grz_tube tube;
    double length; /* of the whole hand */
    double curl;
    v3 direction, bend, side; /* the finger's frame, perpendicular unit vectors */
    const finger *finger;
} hand_part;

/* Position of a ring along its tube, from 0 to 1: closer together towards the rounded ends. */
static double position(uint32_t ring, uint32_t end)
{
    double cosine, sine;
    if (ring == 0 || ring == end)
        return ring == 0 ? 0 : 1;
    grz_circle(20 * (uint64_t)ring - 7, 2 * (20 * (uint64_t)end - 14), &cosine, &sine);
    return 0.5 - 0.5 * cosine;
}

static v3 normalized(v3 v)
{
    return v3_scale(1 / v3_length(v), v);
}

/* direction, bend and side made perpendicular, so that bend x side = direction. */
static void set_frame(hand_part *p)
{
    p->direction = normalized(p->finger->direction);
    p->side = normalized(v3_cross(p->direction, p->finger->bend));
    p->bend = v3_cross(p->side, p->direction);
}

/* The centre line at a distance from the base, both in finger lengths: the distances along `direction` and `bend`, and
   the angle it has turned by. */
static void centre_line(const hand_part *p, double distance, double *out_along, double *out_down, double *out_angle)
{
    double along = 0, down = 0, angle = 0, at = 0;
    for (int joint = 0; joint <= JOINT_COUNT; joint++)
    {
        double straight = (joint < JOINT_COUNT ? fmin(distance, joint_starts[joint]) : distance) - at;
        along += straight * cos(angle);
        down += straight * sin(angle);
        at += straight;
        if (joint == JOINT_COUNT || distance <= at)
            break;
        double arc = fmin(distance - at, joint_length);
        double turned = angle + p->curl * p->finger->angle[joint] * (arc / joint_length);
        if (turned == angle)
        {
            along += arc * cos(angle);
            down += arc * sin(angle);
        }
        else
        {
            double radius = arc / (turned - angle);
            along += radius * (sin(turned) - sin(angle));
            down += radius * (cos(angle) - cos(turned));
        }
        angle = turned;
        at += arc;
    }
    *out_along = along;
    *out_down = down;
    *out_angle = angle;
}

static v3 finger_point(const void *user, uint32_t ring, uint32_t segment)
{
    const hand_part *p = user;
    const finger *f = p->finger;
    uint32_t end = p->tube.ring_count + 1;
    double cosine, sine, along, down, angle;
    double distance = position(ring, end);
    centre_line(p, distance, &along, &down, &angle);

    double blunt = 1.3 * f->radius / f->length; /* length of the rounded tip */
    double in_tip = fmax(0, (distance - (1 - blunt)) / blunt), in_base = fmax(0, 1 - distance / blunt);
    double radius = f->radius * (1.08 - 0.22 * distance) * sqrt(1 - in_tip * in_tip) * sqrt(1 - in_base * in_base);
    if (ring == 0 || ring == end)
        radius = 0;
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    double forward = f->length * along - radius * cosine * sin(angle);
    double downward = f->length * down + radius * cosine * cos(angle);
    v3 in_plane = v3_add(v3_scale(forward, p->direction), v3_scale(downward, p->bend));
    return v3_scale(p->length, v3_add(f->base, v3_add(in_plane, v3_scale(radius * sine, p->side))));
}

/* The square root of a number's size, with its sign: makes a circle's points those of x^4 + y^4 = 1, a rounded square.
 */
static double blunted(double x)
{
    return x < 0 ? -sqrt(-x) : sqrt(x);
}

static v3 palm_point(const void *user, uint32_t ring, uint32_t segment)
{
    const hand_part *p = user;
    uint32_t end = p->tube.ring_count + 1;
    double along = position(ring, end), cosine, sine;
    double wrist = fmax(0, 1 - along / 0.12), knuckles = fmax(0, (along - 0.86) / 0.14);
    double rounding = sqrt(1 - wrist * wrist) * sqrt(1 - knuckles * knuckles);
    if (ring == 0 || ring == end)
        rounding = 0;
    double half_width = 0.135 + 0.06 * along * (2 - along), half_height = 0.062 - 0.01 * along;
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    double y = half_width * (0.25 + 0.75 * rounding) * (rounding > 0 ? blunted(cosine) : 0);
    double z = half_height * rounding * blunted(sine);
    return v3_scale(p->length, v3_make(-0.5 + 0.52 * along, y, z));
}

graze_status graze_mesh_create_hand(const graze_context *context, double length, double curl, size_t triangle_count,
                                    graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(length) || !(curl >= 0 && curl <= 1) || triangle_count == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    /* Three fifths for the fingers; the palm gets the rest. */
    grz_tube finger_tube = grz_tube_fit(0.12 * (double)triangle_count, 0.9, (grz_tube){4, 5});
    uint64_t finger_triangles = FINGER_COUNT * grz_tube_triangle_count(finger_tube);
    grz_tube palm_tube = grz_tube_fit((double)triangle_count - (double)finger_triangles, 0.7, (grz_tube){4, 6});
    grz_shape shape;
    graze_status status = grz_shape_begin(
        &shape, context, grz_tube_vertex_count(palm_tube) + FINGER_COUNT * grz_tube_vertex_count(finger_tube),
        grz_tube_triangle_count(palm_tube) + finger_triangles);
    if (status != GRAZE_STATUS_OK)
        return status;
    hand_part palm = {.tube = palm_tube, .length = length};
    grz_shape_tube(&shape, palm_tube, palm_point, &palm);
    for (int i = 0; i < FINGER_COUNT; i++)
    {
        hand_part p = {.tube = finger_tube, .length = length, .curl = curl, .finger = &fingers[i]};
        set_frame(&p);
        grz_shape_tube(&shape, finger_tube, finger_point, &p);
    }
    return grz_shape_finish(&shape, NULL, out_mesh);
}
