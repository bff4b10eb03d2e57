/* SPDX-License-Identifier: MIT */
/* Generated scenes: a cage of flying shapes (the test program of Zachmann's thesis), with any number of objects.
 * Numbers are computed with integers and have three decimals, so that every machine writes the same file. */
#include <inttypes.h>
#include <stdio.h>

#include "scene/run.h"

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform thousandths from -limit to limit. */
static int64_t around_zero(uint64_t *state, int64_t limit)
{
    return (int64_t)(next_random(state) % (uint64_t)(2 * limit + 1)) - limit;
}

static void put_thousandths(int64_t number)
{
    uint64_t size = (uint64_t)(number < 0 ? -number : number);
    printf("%s%" PRIu64 ".%03" PRIu64, number < 0 ? "-" : "", size / 1000, size % 1000);
}

static void put_vector(const char *key, const int64_t vector[3])
{
    printf("\"%s\": [", key);
    for (int axis = 0; axis < 3; axis++)
    {
        if (axis > 0)
            fputs(", ", stdout);
        put_thousandths(vector[axis]);
    }
    putchar(']');
}

enum
{
    SPACING = 2400, /* of the lattice of start positions; with the sizes of the shapes, nothing touches there */
    SHIFT = 150,    /* largest offset from the lattice */
    SPEED = 1500,
    SPIN = 120000
};

static void put_object(uint64_t number, uint64_t side, uint64_t *state)
{
    static const char *const kinds[] = {"sphere", "torus", "flake"};
    const char *kind = kinds[number % 3];
    uint64_t cell[3] = {number % side, number / side % side, number / side / side};
    int64_t position[3], velocity[3], axis[3];
    for (int i = 0; i < 3; i++)
    {
        position[i] = (int64_t)(2 * cell[i] + 1 - side) * SPACING / 2 + around_zero(state, SHIFT);
        velocity[i] = around_zero(state, SPEED);
        axis[i] = around_zero(state, 1000);
    }
    axis[2] += axis[0] == 0 && axis[1] == 0 && axis[2] == 0;
    printf("    {\"name\": \"%s-%" PRIu64 "\", \"mesh\": \"%s\", \"pose\": {", kind, number + 1, kind);
    put_vector("position", position);
    fputs("}, ", stdout);
    put_vector("velocity", velocity);
    fputs(", \"spin\": {", stdout);
    put_vector("axis", axis);
    fputs(", \"degrees\": ", stdout);
    put_thousandths(around_zero(state, SPIN));
    fputs("}}", stdout);
}

void write_cage(uint64_t count, uint64_t seed)
{
    uint64_t state = seed, side = 1;
    while (side * side * side < count)
        side++;
    int64_t half = (int64_t)side * SPACING / 2, lower[3] = {-half, -half, -half}, upper[3] = {half, half, half};
    fputs("{\n"
          "  \"graze\": \"scene\",\n"
          "  \"version\": 1,\n"
          "  \"comment\": \"A cage of shapes that turn back when they collide, after Zachmann's thesis.\",\n"
          "  \"frames\": 100,\n"
          "  \"seconds_per_frame\": 0.05,\n"
          "  \"meshes\": {\n"
          "    \"sphere\": {\"shape\": \"geodesic\", \"radius\": 0.7, \"frequency\": 5},\n"
          "    \"torus\": {\"shape\": \"torus\", \"ring_radius\": 0.7, \"tube_radius\": 0.25, \"segments\": 24, "
          "\"sides\": 12},\n"
          "    \"flake\": {\"shape\": \"tetraflake\", \"size\": 1.2, \"depth\": 3}\n"
          "  },\n"
          "  \"cage\": {",
          stdout);
    put_vector("lower", lower);
    fputs(", ", stdout);
    put_vector("upper", upper);
    fputs("},\n  \"bounce\": true,\n  \"objects\": [\n", stdout);
    for (uint64_t i = 0; i < count; i++)
    {
        put_object(i, side, &state);
        fputs(i + 1 < count ? ",\n" : "\n", stdout);
    }
    fputs("  ]\n}\n", stdout);
}
