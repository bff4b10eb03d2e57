/* SPDX-License-Identifier: MIT */
/* Three-valued answers, clearances and certificates of clearance, against distances at many times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graze/certificate.h"
#include "motion_case.h"
#include "twin_impact.h"

enum
{
    SAMPLES = 9
};

static bool is_soft(const motion_case *c)
{
    return c->a.end_mesh != NULL || c->b.end_mesh != NULL;
}

/* At times before `until` the distance is at least this. */
static void expect_clear(const motion_case *c, double distance, double until, const char *what)
{
    for (int i = 0; i < SAMPLES; i++)
    {
        double t = (double)i / (SAMPLES - 1);
        if (t < until)
            EXPECT(twin_distance_at(c, t).upper >= distance, "%s: %a clear until %a, but at %a they are within %a",
                   what, distance, until, t, twin_distance_at(c, t).upper);
    }
}

/* Slerps and screws between rigid poses. */
static void take_enclosed(fuzz_bytes *bytes, graze_motion *motion)
{
    graze_pose poses[2];
    uint8_t form = take_byte(bytes);
    if (form % 3 == 0)
        return;
    for (int end = 0; end < 2; end++)
    {
        take_rigid_pose(bytes, &poses[end]);
        for (int k = 3; k < 12; k += 4)
            if (fabs(poses[end].m[k]) > 0x1p30)
                poses[end].m[k] = 3;
    }
    graze_motion enclosed;
    if (graze_motion_between(&poses[0], &poses[1], form % 3 == 1 ? GRAZE_MOTION_SLERP : GRAZE_MOTION_SCREW, &enclosed,
                             NULL) == GRAZE_STATUS_OK)
        *motion = enclosed;
}

void check_margin(fuzz_bytes *bytes, motion_case *c)
{
    graze_impact_options options = graze_impact_options_default();
    graze_impact impact;
    graze_status status;
    uint8_t form = take_byte(bytes);
    bool soft = is_soft(c);
    options.clearance = (form & 1) != 0 && !soft;
    options.resolution = 0x1p-10;
    options.budget.box_tests = 20000;
    if ((form & 6) != 0)
        options.margin = fabs(take_place(bytes));
    if ((form & 8) != 0 && !soft)
        take_enclosed(bytes, &c->a.motion);
    if ((form & 16) != 0 && !soft)
        take_enclosed(bytes, &c->b.motion);
    bool kernel = c->a.motion.kind <= GRAZE_MOTION_BALLISTIC_TURN && c->b.motion.kind <= GRAZE_MOTION_BALLISTIC_TURN;
    if (!kernel)
        options.clearance = false;
    finding_note_text("/* margin %a, kinds %d %d */\n", options.margin, (int)c->a.motion.kind, (int)c->b.motion.kind);
    IN_ENVIRONMENT(c->environment, status, graze_pair_impact(&c->context, &c->a, &c->b, &options, &impact));
    EXPECT(status == GRAZE_STATUS_OK, "margin: %s", graze_status_text(status));
    EXPECT(impact.lower >= 0 && impact.lower <= impact.upper && impact.upper <= 1, "margin: [%a, %a]", impact.lower,
           impact.upper);
    if (impact.verdict == GRAZE_IMPACT_NONE)
    {
        expect_clear(c, options.margin, 2, "none");
        EXPECT(impact.clearance_lower >= options.margin, "clearance %a, below the margin", impact.clearance_lower);
        expect_clear(c, impact.clearance_lower, 2, "clearance");
    }
    else
        expect_clear(c, options.margin, impact.lower, "before the impact");
    if (impact.verdict == GRAZE_IMPACT_AT && (options.margin > 0 || !kernel))
        EXPECT(twin_distance_at(c, impact.upper).lower <= options.margin, "within %a at %a, but %a apart",
               options.margin, impact.upper, twin_distance_at(c, impact.upper).lower);
}

/* ---- certificates ---- */

/* A certificate with one bit changed is refused when it is read, or when it is verified. */
static void check_changed(fuzz_bytes *bytes, const motion_case *c, const graze_certificate *proof)
{
    size_t size = graze_certificate_saved_size(proof), taken;
    unsigned char *memory = malloc(size);
    graze_certificate *loaded = NULL;
    graze_certificate_check check;
    EXPECT(memory != NULL, "no memory");
    EXPECT_OK(graze_certificate_save(proof, memory, size));
    EXPECT_OK(graze_certificate_load(NULL, memory, size, NULL, &loaded, &taken));
    EXPECT(taken == size, "a certificate of %zu bytes, not %zu", taken, size);
    EXPECT_OK(graze_certificate_verify(NULL, loaded, c->a.mesh, c->b.mesh, NULL, &check));
    EXPECT(check.valid, "a saved certificate: %s", check.text);
    graze_certificate_destroy(loaded);
    size_t at = (take_byte(bytes) * 256u + take_byte(bytes)) % size;
    memory[at] ^= (unsigned char)(1u << take_below(bytes, 8));
    if (graze_certificate_load(NULL, memory, size, NULL, &loaded, &taken) == GRAZE_STATUS_OK)
    {
        EXPECT_OK(graze_certificate_verify(NULL, loaded, c->a.mesh, c->b.mesh, NULL, &check));
        EXPECT(!check.valid, "a certificate with another byte %zu is valid", at);
        graze_certificate_destroy(loaded);
    }
    free(memory);
}

void check_proof(fuzz_bytes *bytes, motion_case *c)
{
    static twin_impact twin;
    graze_prove_options options = graze_prove_options_default();
    graze_certificate *proof = NULL;
    graze_certificate_check check;
    graze_status status;
    uint8_t form = take_byte(bytes);
    double clearance = (form & 1) != 0 ? fabs(take_place(bytes)) : 0;
    options.budget.box_tests = 3000;
    IN_ENVIRONMENT(c->environment, status,
                   graze_pair_prove_clear(&c->context, &c->a, &c->b, clearance, &options, &proof));
    if (is_soft(c))
    {
        EXPECT(status == GRAZE_STATUS_UNSUPPORTED, "a proof for soft meshes: %s", graze_status_text(status));
        return;
    }
    EXPECT(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED, "proof: %s", graze_status_text(status));
    if (status != GRAZE_STATUS_OK)
        return;
    IN_ENVIRONMENT(c->environment, status,
                   graze_certificate_verify(&c->context, proof, c->a.mesh, c->b.mesh, NULL, &check));
    EXPECT(status == GRAZE_STATUS_OK && check.valid, "a new certificate: %s", check.text);
    twin_impact_find(c, false, &twin);
    EXPECT(twin.first.verdict == GRAZE_IMPACT_NONE, "a proof of clearance, but an impact at %a", twin.first.lower);
    expect_clear(c, clearance, 2, "proof");
    check_changed(bytes, c, proof);
    graze_certificate_destroy(proof);
}
