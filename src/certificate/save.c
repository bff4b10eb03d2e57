/* SPDX-License-Identifier: MIT */
/* The binary form of certificates (docs/certificate-format.md), byte by byte, so that every machine writes the same. */
#include <string.h>

#include "base/error.h"
#include "certificate/certificate.h"

enum
{
    VERSION = 1,
    HEADER_SIZE = 528,
    SIDE_SIZE = 240,
    CELL_SIZE = 33,
    SEAL_SIZE = 32,
    MOTION_NUMBERS = 24
};

static const char magic[8] = {'g', 'r', 'a', 'z', 'e', 'c', 'r', 't'};

static unsigned char *put_word(unsigned char *out, uint64_t word, int size)
{
    for (int i = 0; i < size; i++)
        out[i] = (unsigned char)(word >> 8 * i);
    return out + size;
}

static unsigned char *put_double(unsigned char *out, double x)
{
    return put_word(out, grz_bits(grz_without_sign_of_zero(x)), 8);
}

/* The numbers of a motion in their order. Returns how many it has. */
static int motion_numbers(const graze_motion *motion, double numbers[MOTION_NUMBERS])
{
    memset(numbers, 0, MOTION_NUMBERS * sizeof *numbers);
    if (motion->kind == GRAZE_MOTION_STILL || motion->kind == GRAZE_MOTION_BLEND)
    {
        memcpy(numbers, motion->start.m, sizeof motion->start.m);
        if (motion->kind == GRAZE_MOTION_STILL)
            return 12;
        memcpy(numbers + 12, motion->end.m, sizeof motion->end.m);
        return 24;
    }
    int path = motion->kind == GRAZE_MOTION_BALLISTIC_TURN ? 9 : 6;
    memcpy(numbers, motion->quaternion, 8 * sizeof *numbers);
    memcpy(numbers + 8, motion->centre, 3 * sizeof *numbers);
    memcpy(numbers + 11, motion->path, (size_t)path * sizeof *numbers);
    return 11 + path;
}

static void set_motion_numbers(const double numbers[MOTION_NUMBERS], graze_motion *motion)
{
    if (motion->kind == GRAZE_MOTION_STILL || motion->kind == GRAZE_MOTION_BLEND)
    {
        memcpy(motion->start.m, numbers, sizeof motion->start.m);
        memcpy(motion->end.m, numbers + 12, sizeof motion->end.m);
        return;
    }
    memcpy(motion->quaternion, numbers, 8 * sizeof *numbers);
    memcpy(motion->centre, numbers + 8, 3 * sizeof *numbers);
    memcpy(motion->path, numbers + 11, 9 * sizeof *numbers);
}

static unsigned char *put_side(unsigned char *out, const grz_certificate_side *side)
{
    double numbers[MOTION_NUMBERS];
    motion_numbers(&side->motion, numbers);
    memcpy(out, side->hash, 32);
    out = put_word(out + 32, (uint64_t)side->motion.kind, 8);
    out = put_double(out, side->deviation);
    for (int i = 0; i < MOTION_NUMBERS; i++)
        out = put_double(out, numbers[i]);
    return out;
}

static unsigned char *put_cell(unsigned char *out, const grz_certificate_cell *cell)
{
    unsigned char *end = out + CELL_SIZE;
    memset(out, 0, CELL_SIZE);
    *out++ = (unsigned char)cell->kind;
    if (cell->kind < GRZ_CELL_SPLIT_TIME)
        put_word(out, cell->split, 4);
    for (int i = 0; i < 4 && cell->kind > GRZ_CELL_SPLIT_TIME; i++)
        out = put_double(out, cell->plane[i]);
    return end;
}

size_t graze_certificate_saved_size(const graze_certificate *certificate)
{
    if (certificate == NULL)
        return 0;
    return HEADER_SIZE + 4 * (certificate->sides[0].triangle_count + certificate->sides[1].triangle_count) +
           CELL_SIZE * certificate->cells.count + SEAL_SIZE;
}

graze_status graze_certificate_save(const graze_certificate *certificate, void *buffer, size_t size)
{
    if (certificate == NULL || buffer == NULL || size < graze_certificate_saved_size(certificate))
        return GRAZE_STATUS_BAD_ARGUMENT;
    unsigned char *out = buffer;
    memcpy(out, magic, sizeof magic);
    out = put_word(out + 8, VERSION, 8);
    for (int side = 0; side < 2; side++)
        out = put_side(out, &certificate->sides[side]);
    out = put_double(out, certificate->clearance);
    for (int side = 0; side < 2; side++)
        out = put_word(out, certificate->sides[side].triangle_count, 8);
    out = put_word(out, certificate->cells.count, 8);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < certificate->sides[side].triangle_count; i++)
            out = put_word(out, certificate->sides[side].order[i], 4);
    for (size_t i = 0; i < certificate->cells.count; i++)
        out = put_cell(out, &certificate->cells.data[i]);
    grz_sha256 seal = grz_sha256_start();
    grz_sha256_add(&seal, buffer, (size_t)(out - (unsigned char *)buffer));
    grz_sha256_end_bytes(&seal, out);
    return GRAZE_STATUS_OK;
}

/* Reading. */
typedef struct cursor
{
    const unsigned char *begin, *at;
} cursor;

static uint64_t take_word(cursor *at, int size)
{
    uint64_t word = 0;
    for (int i = 0; i < size; i++)
        word |= (uint64_t)at->at[i] << 8 * i;
    at->at += size;
    return word;
}

/* A double in its only form: a negative zero is none. */
static bool take_double(cursor *at, double *out)
{
    uint64_t bits = take_word(at, 8);
    *out = grz_from_bits(bits);
    return bits != GRZ_SIGN_BIT;
}

static graze_status refuse(graze_error *error, const cursor *at, graze_status status, const char *what)
{
    return grz_error_byte(error, status, (uint64_t)(at->at - at->begin), "certificate: %s, near byte %llu", what,
                          (unsigned long long)(at->at - at->begin));
}

static bool take_side(cursor *at, grz_certificate_side *side)
{
    double numbers[MOTION_NUMBERS], used[MOTION_NUMBERS];
    memcpy(side->hash, at->at, 32);
    at->at += 32;
    uint64_t kind = take_word(at, 8);
    bool fine = kind <= GRAZE_MOTION_BALLISTIC_TURN;
    side->motion.kind = fine ? (graze_motion_kind)kind : GRAZE_MOTION_STILL;
    fine = take_double(at, &side->deviation) && fine;
    for (int i = 0; i < MOTION_NUMBERS; i++)
        fine = take_double(at, &numbers[i]) && fine;
    set_motion_numbers(numbers, &side->motion);
    for (int i = motion_numbers(&side->motion, used); i < MOTION_NUMBERS; i++)
        fine = grz_bits(numbers[i]) == 0 && fine;
    return fine;
}

static bool take_cell(cursor *at, grz_certificate_cell *cell)
{
    memset(cell, 0, sizeof *cell);
    cursor end = {at->begin, at->at + CELL_SIZE};
    uint64_t kind = take_word(at, 1);
    bool fine = kind < GRZ_CELL_KIND_COUNT;
    cell->kind = fine ? (grz_certificate_cell_kind)kind : GRZ_CELL_SPLIT_TIME;
    if (cell->kind < GRZ_CELL_SPLIT_TIME)
        cell->split = (uint32_t)take_word(at, 4);
    for (int i = 0; i < 4 && cell->kind > GRZ_CELL_SPLIT_TIME; i++)
        fine = take_double(at, &cell->plane[i]) && fine;
    while (at->at < end.at)
        fine = *at->at++ == 0 && fine;
    return fine;
}

/* The counts of the header, if there are bytes for what they announce. */
static graze_status take_counts(cursor *at, size_t size, uint64_t counts[3], graze_error *error)
{
    for (int i = 0; i < 3; i++)
        counts[i] = take_word(at, 8);
    uint64_t rest = size - HEADER_SIZE;
    if (counts[0] > UINT32_MAX || counts[1] > UINT32_MAX)
        return refuse(error, at, GRAZE_STATUS_BAD_FORMAT, "a mesh has more than 2^32 triangles");
    if (4 * (counts[0] + counts[1]) > rest || rest - 4 * (counts[0] + counts[1]) < SEAL_SIZE ||
        counts[2] > (rest - 4 * (counts[0] + counts[1]) - SEAL_SIZE) / CELL_SIZE)
        return refuse(error, at, GRAZE_STATUS_TRUNCATED, "it ends too early");
    return GRAZE_STATUS_OK;
}

static graze_status take_body(cursor *at, graze_certificate *certificate, size_t cell_count, graze_error *error)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < certificate->sides[side].triangle_count; i++)
            certificate->sides[side].order[i] = (uint32_t)take_word(at, 4);
    if (!GRZ_RESERVE(&certificate->context, &certificate->cells, cell_count))
        return refuse(error, at, GRAZE_STATUS_OUT_OF_MEMORY, "there is not enough memory");
    certificate->cells.count = cell_count;
    for (size_t i = 0; i < cell_count; i++)
        if (!take_cell(at, &certificate->cells.data[i]))
            return refuse(error, at, GRAZE_STATUS_BAD_FORMAT, "a cell is not well formed");
    unsigned char hash[32];
    grz_sha256 seal = grz_sha256_start();
    grz_sha256_add(&seal, at->begin, (size_t)(at->at - at->begin));
    grz_sha256_end_bytes(&seal, hash);
    if (memcmp(hash, at->at, SEAL_SIZE) != 0)
        return refuse(error, at, GRAZE_STATUS_DAMAGED, "the seal does not fit: its bytes were changed");
    at->at += SEAL_SIZE;
    return GRAZE_STATUS_OK;
}

graze_status graze_certificate_load(const graze_context *context, const void *bytes, size_t size, graze_error *error,
                                    graze_certificate **out_certificate, size_t *out_size)
{
    if (bytes == NULL || out_certificate == NULL || out_size == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "bytes, out_certificate and out_size may not be NULL");
    cursor at = {bytes, bytes};
    if (size < HEADER_SIZE + SEAL_SIZE)
        return refuse(error, &at,
                      size >= sizeof magic && memcmp(bytes, magic, sizeof magic) != 0 ? GRAZE_STATUS_BAD_FORMAT
                                                                                      : GRAZE_STATUS_TRUNCATED,
                      "it ends too early");
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return refuse(error, &at, GRAZE_STATUS_BAD_FORMAT, "these are not the first bytes of a certificate");
    at.at += sizeof magic;
    if (take_word(&at, 8) != VERSION)
        return refuse(error, &at, GRAZE_STATUS_UNSUPPORTED, "it is of another version");
    grz_certificate_side sides[2];
    memset(sides, 0, sizeof sides);
    bool fine = take_side(&at, &sides[0]);
    fine = take_side(&at, &sides[1]) && fine;
    double clearance = 0;
    fine = take_double(&at, &clearance) && fine;
    if (!fine)
        return refuse(error, &at, GRAZE_STATUS_BAD_FORMAT, "a motion or the clearance is not well formed");
    uint64_t counts[3];
    graze_status status = take_counts(&at, size, counts, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_certificate *certificate =
        grz_certificate_make(context, (const size_t[2]){(size_t)counts[0], (size_t)counts[1]});
    if (certificate == NULL)
        return refuse(error, &at, GRAZE_STATUS_OUT_OF_MEMORY, "there is not enough memory");
    for (int side = 0; side < 2; side++)
    {
        memcpy(certificate->sides[side].hash, sides[side].hash, sizeof sides[side].hash);
        certificate->sides[side].motion = sides[side].motion;
        certificate->sides[side].deviation = sides[side].deviation;
    }
    certificate->clearance = clearance;
    status = take_body(&at, certificate, (size_t)counts[2], error);
    if (status != GRAZE_STATUS_OK)
    {
        graze_certificate_destroy(certificate);
        return status;
    }
    *out_certificate = certificate;
    *out_size = (size_t)(at.at - at.begin);
    return GRAZE_STATUS_OK;
}
