/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Certificates of clearance: proofs that two moving meshes keep a distance at every time in [0, 1], which can be
 * checked without trust in the program that found them (docs/certificate-format.md). A certificate is a tree of cells:
 * each is a plane that separates some triangles of both meshes during some interval of time.
 *
 * Meshes are surfaces here: that one is inside the other is no contact. Motions are kernel motions of graze/motion.h;
 * soft meshes (`end_mesh`) and enclosed motions are UNSUPPORTED. For a motion that is known with a deviation, give the
 * kernel motion and the deviation.
 *
 * Thread safety: a certificate does not change; any number of threads may use it.
 */
#ifndef GRAZE_CERTIFICATE_H
#define GRAZE_CERTIFICATE_H

#include <stdbool.h>
#include <string.h>

#include "graze/budget.h"
#include "graze/context.h"
#include "graze/motion.h"

GRAZE_BEGIN_DECLS

typedef struct graze_certificate graze_certificate;

/// Why there is no proof.
typedef enum graze_prove_failure_reason
{
    GRAZE_PROVE_STARTED = 0, ///< nothing was tried
    GRAZE_PROVE_TOO_NEAR,    ///< these triangles meet, or come nearer than the clearance, or so near to it that doubles
                             ///< cannot tell
    GRAZE_PROVE_BUDGET       ///< the budget was used up, or the call was cancelled, while working here
} graze_prove_failure_reason;

/// Where a proof was given up.
typedef struct graze_prove_failure
{
    graze_prove_failure_reason reason;
    double lower, upper;             ///< interval of time
    uint32_t triangle_a, triangle_b; ///< with TOO_NEAR
} graze_prove_failure;

/// What a proof cost.
typedef struct graze_prove_stats
{
    uint64_t cells;        ///< of the certificate, or tried
    uint64_t planes;       ///< of these
    uint64_t pairs;        ///< pairs of nodes of both trees with an interval
    uint64_t exact_checks; ///< signs that needed exact arithmetic
} graze_prove_stats;

/// Options of a proof. Start from graze_prove_options_default(); NULL means the same.
typedef struct graze_prove_options
{
    size_t struct_size;
    double deviation_a, deviation_b; ///< how far the bodies may be from their motions; not negative
    graze_prove_failure *failure;    ///< receives where the proof was given up, if it was; may be NULL
    graze_prove_stats *stats;        ///< receives the cost, also of a proof that was given up; may be NULL
    graze_budget budget;             ///< box_tests counts pairs of nodes
} graze_prove_options;

GRAZE_INLINE graze_prove_options graze_prove_options_default(void)
{
    graze_prove_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Proves that the two keep a distance of at least `clearance` plus both deviations, or share no point if the sum is 0.
/// Every cell is checked as graze_certificate_verify does. Trees are not needed.
/// Guarantee: a certificate is a proof. That there is none says nothing: UNFINISHED, with options->failure, when it was
/// given up, be it for contact or for the budget; CANCELLED by the progress function.
/// Fails with NOT_FINITE or BAD_ARGUMENT (motions as graze_motion_check, clearance or deviation negative), UNSUPPORTED
/// (enclosed motions, soft meshes) or OUT_OF_MEMORY. The caller owns *out_certificate.
GRAZE_API graze_status graze_pair_prove_clear(const graze_context *context, const graze_moving_mesh *a,
                                              const graze_moving_mesh *b, double clearance,
                                              const graze_prove_options *options, graze_certificate **out_certificate);

GRAZE_API void graze_certificate_destroy(graze_certificate *certificate);

/// What a certificate claims, and how large it is.
typedef struct graze_certificate_facts
{
    double clearance, deviation_a, deviation_b;
    graze_motion motion_a, motion_b;
    char sha256_a[65], sha256_b[65]; ///< of the meshes, as graze_mesh_sha256
    uint64_t triangles_a, triangles_b;
    uint64_t cells, planes;
} graze_certificate_facts;

GRAZE_API graze_status graze_certificate_describe(const graze_certificate *certificate,
                                                  graze_certificate_facts *out_facts);

/// Whether a certificate is valid, and why not.
typedef struct graze_certificate_check
{
    bool valid;
    uint64_t cell;                    ///< that was refused, in preorder; GRAZE_NO_INDEX for other reasons
    uint64_t exact_checks;            ///< signs that needed exact arithmetic
    char text[GRAZE_ERROR_TEXT_SIZE]; ///< one sentence
} graze_certificate_check;

/// Checks the whole proof for these meshes, exactly.
/// Guarantee: exact. Valid means that docs/certificate-format.md says so, and that its claim is true.
/// Fails with OUT_OF_MEMORY, UNFINISHED or CANCELLED (budget, of which box_tests are corners); then nothing is known.
GRAZE_API graze_status graze_certificate_verify(const graze_context *context, const graze_certificate *certificate,
                                                const graze_mesh *a, const graze_mesh *b, const graze_budget *budget,
                                                graze_certificate_check *out_check);

/// How many bytes graze_certificate_save writes.
GRAZE_API size_t graze_certificate_saved_size(const graze_certificate *certificate);

/// Writes the binary form into a buffer of at least that size, else BAD_ARGUMENT.
GRAZE_API graze_status graze_certificate_save(const graze_certificate *certificate, void *buffer, size_t size);

/// Reads one certificate in its binary form from the start of these bytes; *out_size is how many it took. It is a
/// certificate by its form only: verify it.
/// Fails with BAD_FORMAT, TRUNCATED, UNSUPPORTED (version), DAMAGED (seal) or OUT_OF_MEMORY; `error` (may be NULL) says
/// where. The caller owns *out_certificate.
GRAZE_API graze_status graze_certificate_load(const graze_context *context, const void *bytes, size_t size,
                                              graze_error *error, graze_certificate **out_certificate,
                                              size_t *out_size);

/// The hash that names a mesh in certificates, as 64 hexadecimal digits and a zero byte: of the coordinates of its
/// triangles' corners.
GRAZE_API graze_status graze_mesh_sha256(const graze_mesh *mesh, char out_text[65]);

GRAZE_END_DECLS

#endif
