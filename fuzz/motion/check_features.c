/* SPDX-License-Identifier: MIT */
/* Vertex and face, two edges, and two triangles that move, against Sturm chains in integers. */
#include <math.h>
#include <string.h>

#include "motion_case.h"
#include "support/moving_features.h"
#include "support/moving_triangles.h"

/* Places at t = 0, and what is added until t = 1; some of both are those of another point. */
static void take_features(fuzz_bytes *bytes, moving_features *out)
{
    uint8_t form = take_byte(bytes);
    memset(out, 0, sizeof *out);
    out->edges = (form & 1) != 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
        {
            bool flat = k == 2 && (form & 2) != 0;
            double place = flat ? 0 : take_place(bytes);
            double by = flat && (form & 4) != 0 ? 0 : take_place(bytes) * ((form & 8) != 0 ? 8 : 1);
            out->places[i][0][k] = place;
            out->places[i][1][k] = (form & 16) != 0 ? by : place + by;
        }
    if ((form & 32) != 0)
        memcpy(out->places[3], out->places[form >> 6], sizeof out->places[3]);
}

static void note_features(const moving_features *f)
{
    for (int i = 0; i < 4; i++)
        finding_note_text("/* %s %d: (%a %a %a) to (%a %a %a) */\n", f->edges ? "edges" : "vertex, face", i,
                          f->places[i][0][0], f->places[i][0][1], f->places[i][0][2], f->places[i][1][0],
                          f->places[i][1][1], f->places[i][1][2]);
    finding_show();
}

/* The same with the sides swapped: edges with each other, the first two corners of a face. */
static moving_features swap_points(const moving_features *f)
{
    moving_features swapped = *f;
    static const int edges[4] = {3, 2, 1, 0}, faces[4] = {0, 2, 1, 3};
    for (int i = 0; i < 4; i++)
        memcpy(swapped.places[i], f->places[(f->edges ? edges : faces)[i]], sizeof swapped.places[i]);
    return swapped;
}

void check_features(fuzz_bytes *bytes)
{
    moving_features f;
    graze_impact_interval answer, other;
    graze_status status;
    int environment = (int)take_below(bytes, ENVIRONMENTS);
    take_features(bytes, &f);
    note_features(&f);
    IN_ENVIRONMENT(environment, status, moving_features_impact(&f, &answer));
    EXPECT(status == GRAZE_STATUS_OK, "features: %s", graze_status_text(status));
    EXPECT(moving_features_agree(&f, &answer), "features: %d [%a, %a]", (int)answer.verdict, answer.lower,
           answer.upper);
    const moving_features swapped = swap_points(&f);
    EXPECT_OK(moving_features_impact(&swapped, &other));
    EXPECT(answer.verdict == other.verdict && answer.lower == other.lower && answer.upper == other.upper,
           "features, swapped: %d [%a, %a], not %d [%a, %a]", (int)other.verdict, other.lower, other.upper,
           (int)answer.verdict, answer.lower, answer.upper);
}

/* ---- triangles ---- */

/* Integers and their neighbours. */
static double take_whole(fuzz_bytes *bytes)
{
    uint8_t byte = take_byte(bytes);
    double whole = (double)(byte & 7) - 3;
    return byte < 0xf0 ? whole : nextafter(whole, byte < 0xf8 ? 9 : -9);
}

/* The oracle takes multiples of 2^-60. */
static void round_for_oracle(double *numbers, int count, double most)
{
    for (int i = 0; i < count; i++)
        numbers[i] = fabs(numbers[i]) > most ? 3 : ldexp(trunc(ldexp(numbers[i], 60)), -60);
}

static void take_triangle(fuzz_bytes *bytes, int side, moving_triangles *out)
{
    out->soft[side] = take_below(bytes, 4) == 3;
    take_motion(bytes, out->soft[side], &out->motions[side]);
    graze_motion *m = &out->motions[side];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            out->corners[side][i][k] = take_whole(bytes);
            out->end_corners[side][i][k] = out->soft[side] ? take_whole(bytes) : 0;
        }
    round_for_oracle(out->corners[side][0], 9, 8);
    round_for_oracle(out->end_corners[side][0], 9, 8);
    round_for_oracle(m->start.m, 12, 64);
    round_for_oracle(m->end.m, 12, 64);
    round_for_oracle(m->quaternion[0], 8, 8);
    round_for_oracle(m->centre, 3, 8);
    round_for_oracle(m->path[0], 9, 8);
}

void check_triangles(fuzz_bytes *bytes)
{
    moving_triangles pair;
    graze_moving_contact contact, swapped;
    graze_status status;
    int environment = (int)take_below(bytes, ENVIRONMENTS);
    memset(&pair, 0, sizeof pair);
    take_triangle(bytes, 0, &pair);
    take_triangle(bytes, 1, &pair);
    for (int side = 0; side < 2; side++)
        if (graze_motion_check(&pair.motions[side]) != GRAZE_STATUS_OK) /* rounded to an inner product below 0 */
            return;
    const graze_moving_triangle a = moving_triangle(&pair, 0), b = moving_triangle(&pair, 1);
    for (int side = 0; side < 2; side++)
    {
        const graze_motion *m = &pair.motions[side];
        finding_note_text("/* kind %d soft %d", (int)m->kind, (int)pair.soft[side]);
        for (int i = 0; i < 9; i++)
            finding_note_text(" %a", pair.corners[side][i / 3][i % 3]);
        for (int i = 0; i < 9 && pair.soft[side]; i++)
            finding_note_text(" %a", pair.end_corners[side][i / 3][i % 3]);
        for (int i = 0; i < 12 && m->kind <= GRAZE_MOTION_BLEND; i++)
            finding_note_text(" %a>%a", m->start.m[i], m->end.m[i]);
        for (int i = 0; i < 8 && m->kind > GRAZE_MOTION_BLEND; i++)
            finding_note_text(" q %a", m->quaternion[i / 4][i % 4]);
        for (int i = 0; i < 9 && m->kind > GRAZE_MOTION_BLEND; i++)
            finding_note_text(" x %a", m->path[i / 3][i % 3]);
        finding_note_text(" c %a %a %a */\n", m->centre[0], m->centre[1], m->centre[2]);
    }
    finding_show();
    IN_ENVIRONMENT(environment, status, graze_triangle_impact(&a, &b, false, &contact));
    EXPECT(status == GRAZE_STATUS_OK, "triangles: %s", graze_status_text(status));
    EXPECT(moving_triangles_agree(&pair, &contact.when), "triangles: %d [%a, %a]", (int)contact.when.verdict,
           contact.when.lower, contact.when.upper);
    EXPECT_OK(graze_triangle_impact(&b, &a, false, &swapped));
    EXPECT(contact.when.verdict == swapped.when.verdict && contact.when.lower == swapped.when.lower &&
               contact.when.upper == swapped.when.upper && contact.crosses == swapped.crosses &&
               contact.contact.mask_a == swapped.contact.mask_b && contact.contact.mask_b == swapped.contact.mask_a,
           "triangles, swapped: %d [%a, %a], not %d [%a, %a]", (int)swapped.when.verdict, swapped.when.lower,
           swapped.when.upper, (int)contact.when.verdict, contact.when.lower, contact.when.upper);
}
