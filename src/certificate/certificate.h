/* SPDX-License-Identifier: MIT */
/*
 * src/certificate: proofs of clearance of two moving meshes: search, check, binary form (docs/certificate-format.md).
 *
 * The certificate in memory: what the binary form holds, negative zeros replaced.
 */
#ifndef GRZ_CERTIFICATE_CERTIFICATE_H
#define GRZ_CERTIFICATE_CERTIFICATE_H

#include "base/array.h"
#include "base/bits.h"
#include "base/budget_monitor.h"
#include "base/sha256.h"
#include "graze/certificate.h"

typedef enum grz_certificate_cell_kind
{
    GRZ_CELL_SPLIT_A,
    GRZ_CELL_SPLIT_B,
    GRZ_CELL_SPLIT_TIME,
    GRZ_CELL_PLANE_WORLD,
    GRZ_CELL_PLANE_A,
    GRZ_CELL_PLANE_B,
    GRZ_CELL_KIND_COUNT
} grz_certificate_cell_kind;

typedef struct grz_certificate_cell
{
    grz_certificate_cell_kind kind;
    uint32_t split; /* of the range of A or B */
    double plane[4];
} grz_certificate_cell;

enum
{
    GRZ_MOST_HALVINGS = 52 /* of time, so that ends of intervals are doubles */
};

typedef struct grz_certificate_side
{
    unsigned char hash[32];
    graze_motion motion;
    double deviation;
    uint32_t *order;
    size_t triangle_count;
} grz_certificate_side;

struct graze_certificate
{
    graze_context context;
    grz_certificate_side sides[2];
    double clearance;
    GRZ_ARRAY(grz_certificate_cell) cells; /* in preorder */
};

/* The SHA-256 of a mesh, as the page says. False when the monitor (may be NULL) stops it. */
bool grz_mesh_hash(const graze_mesh *mesh, grz_monitor *monitor, unsigned char out_hash[32]);

/* 32 bytes as 64 hexadecimal digits and a zero byte. */
void grz_hash_text(const unsigned char hash[32], char out_text[65]);

/* What is wrong with a motion in a certificate, or NULL. */
const char *grz_certificate_motion_flaw(const graze_motion *motion);

/* The same numbers without those that its kind does not use, and without negative zeros. */
graze_motion grz_certificate_motion(const graze_motion *motion);

/* An empty certificate, and its orders without content. NULL when out of memory. */
graze_certificate *grz_certificate_make(const graze_context *context, const size_t triangle_counts[2]);

static inline double grz_without_sign_of_zero(double x)
{
    return grz_is_zero(x) ? 0 : x;
}

#endif
