/* SPDX-License-Identifier: MIT */
/* Certificates in memory: making, destroying, describing them; the names of meshes; motions that may be in them. */
#include "certificate/certificate.h"

#include <math.h>
#include <stdio.h>

#include "exact/dyadic.h"

enum
{
    HASH_BLOCK = 256 /* triangles that are hashed at once */
};

graze_certificate *grz_certificate_make(const graze_context *context, const size_t triangle_counts[2])
{
    graze_certificate *certificate = grz_allocate_zeroed(context, 1, sizeof *certificate);
    if (certificate == NULL)
        return NULL;
    certificate->context = grz_context_copy(context);
    for (int side = 0; side < 2; side++)
    {
        certificate->sides[side].triangle_count = triangle_counts[side];
        certificate->sides[side].order = grz_allocate(context, triangle_counts[side], sizeof(uint32_t));
    }
    if (certificate->sides[0].order != NULL && certificate->sides[1].order != NULL)
        return certificate;
    graze_certificate_destroy(certificate);
    return NULL;
}

void graze_certificate_destroy(graze_certificate *certificate)
{
    if (certificate == NULL)
        return;
    graze_context context = certificate->context;
    grz_release(&context, certificate->sides[0].order);
    grz_release(&context, certificate->sides[1].order);
    grz_release(&context, certificate->cells.data);
    grz_release(&context, certificate);
}

/* Eight bytes, the least significant first; a negative zero as zero. */
static void put_coordinate(double x, unsigned char *out)
{
    uint64_t bits = grz_bits(x);
    if (bits == GRZ_SIGN_BIT)
        bits = 0;
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(bits >> 8 * i);
}

bool grz_mesh_hash(const graze_mesh *mesh, grz_monitor *monitor, unsigned char out_hash[32])
{
    const double *vertices = graze_mesh_vertices(mesh);
    const uint32_t *triangles = graze_mesh_triangles(mesh);
    size_t corner_count = 3 * graze_mesh_triangle_count(mesh);
    unsigned char block[3 * HASH_BLOCK][24];
    grz_sha256 hash = grz_sha256_start();
    for (size_t first = 0; first < corner_count; first += 3 * HASH_BLOCK)
    {
        size_t count = corner_count - first < 3 * HASH_BLOCK ? corner_count - first : 3 * HASH_BLOCK;
        for (size_t i = 0; i < count; i++)
            for (size_t axis = 0; axis < 3; axis++)
                put_coordinate(vertices[3 * (size_t)triangles[first + i] + axis], block[i] + 8 * axis);
        grz_sha256_add(&hash, block, 24 * count);
        if (!grz_monitor_work(monitor, count))
            return false;
    }
    grz_sha256_end_bytes(&hash, out_hash);
    return true;
}

void grz_hash_text(const unsigned char hash[32], char out_text[65])
{
    for (size_t i = 0; i < 32; i++)
        snprintf(out_text + 2 * i, 3, "%02x", (unsigned)hash[i]);
}

graze_status graze_mesh_sha256(const graze_mesh *mesh, char out_text[65])
{
    if (mesh == NULL || out_text == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    unsigned char hash[32];
    grz_mesh_hash(mesh, NULL, hash);
    grz_hash_text(hash, out_text);
    return GRAZE_STATUS_OK;
}

static bool are_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

/* The sign of the inner product of two quaternions. */
static int inner_product_sign(const double q[4], const double r[4])
{
    grz_dyadic sum, x, y;
    grz_dyadic_set(&sum, 0);
    for (int i = 0; i < 4; i++)
    {
        grz_dyadic_set(&x, q[i]);
        grz_dyadic_set(&y, r[i]);
        grz_dyadic_accumulate_product(&sum, &x, &y, false);
    }
    return sum.sign;
}

const char *grz_certificate_motion_flaw(const graze_motion *motion)
{
    bool ballistic = motion->kind == GRAZE_MOTION_BALLISTIC_TURN;
    if (motion->kind == GRAZE_MOTION_STILL)
        return are_finite(motion->start.m, 12) ? NULL : "has a number that is not finite";
    if (motion->kind == GRAZE_MOTION_BLEND)
        return are_finite(motion->start.m, 12) && are_finite(motion->end.m, 12) ? NULL
                                                                                : "has a number that is not finite";
    if (motion->kind != GRAZE_MOTION_TURN && !ballistic)
        return "is of a kind that certificates do not have";
    if (!are_finite(motion->quaternion[0], 8) || !are_finite(motion->centre, 3) ||
        !are_finite(motion->path[0], ballistic ? 9 : 6))
        return "has a number that is not finite";
    for (int i = 0; i < 2; i++)
        if (inner_product_sign(motion->quaternion[i], motion->quaternion[i]) == 0)
            return "has a quaternion that is zero";
    if (inner_product_sign(motion->quaternion[0], motion->quaternion[1]) < 0)
        return "has quaternions with a negative inner product";
    return NULL;
}

static void copy_numbers(const double *from, int count, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = grz_without_sign_of_zero(from[i]);
}

graze_motion grz_certificate_motion(const graze_motion *motion)
{
    graze_motion out;
    memset(&out, 0, sizeof out);
    out.kind = motion->kind;
    if (motion->kind == GRAZE_MOTION_STILL || motion->kind == GRAZE_MOTION_BLEND)
    {
        copy_numbers(motion->start.m, 12, out.start.m);
        if (motion->kind == GRAZE_MOTION_BLEND)
            copy_numbers(motion->end.m, 12, out.end.m);
        return out;
    }
    copy_numbers(motion->quaternion[0], 8, out.quaternion[0]);
    copy_numbers(motion->centre, 3, out.centre);
    copy_numbers(motion->path[0], motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? 9 : 6, out.path[0]);
    return out;
}

graze_status graze_certificate_describe(const graze_certificate *certificate, graze_certificate_facts *out_facts)
{
    if (certificate == NULL || out_facts == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_certificate_facts facts;
    memset(&facts, 0, sizeof facts);
    const grz_certificate_side *sides = certificate->sides;
    facts.clearance = certificate->clearance;
    facts.deviation_a = sides[0].deviation;
    facts.deviation_b = sides[1].deviation;
    facts.motion_a = sides[0].motion;
    facts.motion_b = sides[1].motion;
    grz_hash_text(sides[0].hash, facts.sha256_a);
    grz_hash_text(sides[1].hash, facts.sha256_b);
    facts.triangles_a = sides[0].triangle_count;
    facts.triangles_b = sides[1].triangle_count;
    facts.cells = certificate->cells.count;
    for (size_t i = 0; i < certificate->cells.count; i++)
        facts.planes += certificate->cells.data[i].kind >= GRZ_CELL_PLANE_WORLD;
    *out_facts = facts;
    return GRAZE_STATUS_OK;
}
