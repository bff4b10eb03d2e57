/* SPDX-License-Identifier: MIT */
#include "support/certificates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "graze/generate.h"
#include "support/unit.h"

enum
{
    HEADER = 528,
    CELL = 33,
    SEAL = 32
};

static graze_motion turn_about_z(double from, double to, double x)
{
    graze_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.kind = GRAZE_MOTION_TURN;
    motion.quaternion[0][0] = cos(from / 2);
    motion.quaternion[0][3] = sin(from / 2);
    motion.quaternion[1][0] = cos(to / 2);
    motion.quaternion[1][3] = sin(to / 2);
    motion.path[0][0] = x;
    return motion;
}

static void set_moving(moving_pair *pair)
{
    for (int i = 0; i < 2; i++)
        pair->moving[i].mesh = pair->meshes[i];
}

moving_pair moving_gears(double backlash, int part, int parts)
{
    const double pi = acos(-1), step = 2 * pi / parts;
    moving_pair pair;
    memset(&pair, 0, sizeof pair);
    assert_int_equal(graze_mesh_create_gear(NULL, 24, 0.125, 0.5, 0.25, backlash, &pair.meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_gear(NULL, 16, 0.125, 0.5, 0.25, backlash, &pair.meshes[1]), GRAZE_STATUS_OK);
    set_moving(&pair);
    pair.moving[0].motion = turn_about_z(part * step, (part + 1) * step, 0);
    pair.moving[1].motion = turn_about_z(pi / 16 - 1.5 * part * step, pi / 16 - 1.5 * (part + 1) * step, 2.5);
    return pair;
}

moving_pair moving_boxes(void)
{
    moving_pair pair;
    memset(&pair, 0, sizeof pair);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &pair.meshes[i]), GRAZE_STATUS_OK);
    set_moving(&pair);
    graze_motion *blend = &pair.moving[0].motion;
    blend->kind = GRAZE_MOTION_BLEND;
    blend->start = graze_pose_translation(-3, 1.375, 0.25);
    blend->end = graze_pose_translation(3, 1.375, -0.25);
    pair.moving[1].motion = turn_about_z(0, 1.5, 0);
    return pair;
}

void moving_pair_release(moving_pair *pair)
{
    graze_mesh_destroy(pair->meshes[0]);
    graze_mesh_destroy(pair->meshes[1]);
}

unsigned char *proof_of(const moving_pair *pair, double clearance, size_t *out_size)
{
    graze_certificate *certificate = NULL;
    assert_int_equal(graze_pair_prove_clear(NULL, &pair->moving[0], &pair->moving[1], clearance, NULL, &certificate),
                     GRAZE_STATUS_OK);
    *out_size = graze_certificate_saved_size(certificate);
    unsigned char *bytes = malloc(*out_size);
    assert_non_null(bytes);
    assert_int_equal(graze_certificate_save(certificate, bytes, *out_size), GRAZE_STATUS_OK);
    graze_certificate_destroy(certificate);
    return bytes;
}

void proof_seal(unsigned char *bytes, size_t size)
{
    grz_sha256 seal = grz_sha256_start();
    grz_sha256_add(&seal, bytes, size - SEAL);
    grz_sha256_end_bytes(&seal, bytes + size - SEAL);
}

bool proof_is_valid(const unsigned char *bytes, size_t size, const moving_pair *pair)
{
    graze_certificate *certificate = NULL;
    size_t taken = 0;
    if (graze_certificate_load(NULL, bytes, size, NULL, &certificate, &taken) != GRAZE_STATUS_OK)
        return false;
    graze_certificate_check check;
    assert_int_equal(graze_certificate_verify(NULL, certificate, pair->meshes[0], pair->meshes[1], NULL, &check),
                     GRAZE_STATUS_OK);
    graze_certificate_destroy(certificate);
    return check.valid && taken == size;
}

static uint64_t word_at(const unsigned char *bytes, int size)
{
    uint64_t word = 0;
    for (int i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static void put_word(unsigned char *bytes, uint64_t word, int size)
{
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

/* Multiplies a double, or adds to it, in many ways. */
static void change_double(test_random *random, unsigned char *at)
{
    double x;
    memcpy(&x, at, sizeof x);
    switch (random_below(random, 6))
    {
    case 0:
        x = -x;
        break;
    case 1:
        x = x * 2;
        break;
    case 2:
        x += random_real(random, -1, 1);
        break;
    case 3:
        x = nextafter(x, random_once_in(random, 2) ? INFINITY : -INFINITY);
        break;
    case 4:
        x = random_real(random, -10, 10);
        break;
    default:
        x += ldexp(random_real(random, -1, 1), -random_below(random, 30));
    }
    x = x == 0 ? 0 : x;
    memcpy(at, &x, sizeof x);
}

typedef struct layout
{
    size_t orders, cells, cell_count, order_count;
} layout;

static layout layout_of(const unsigned char *bytes)
{
    layout l = {.orders = HEADER, .cell_count = (size_t)word_at(bytes + 520, 8)};
    l.order_count = (size_t)(word_at(bytes + 504, 8) + word_at(bytes + 512, 8));
    l.cells = l.orders + 4 * l.order_count;
    return l;
}

/* Takes a cell away, or puts a copy of another one before it. */
static size_t change_cell_count(test_random *random, unsigned char *bytes, size_t size, const layout *l, bool adds)
{
    size_t at = l->cells + CELL * (size_t)random_below(random, (int)l->cell_count), end = size;
    unsigned char copy[CELL];
    memcpy(copy, bytes + l->cells + CELL * (size_t)random_below(random, (int)l->cell_count), CELL);
    if (adds)
    {
        memmove(bytes + at + CELL, bytes + at, end - at);
        memcpy(bytes + at, copy, CELL);
    }
    else
        memmove(bytes + at, bytes + at + CELL, end - at - CELL);
    put_word(bytes + 520, l->cell_count + (adds ? 1 : (size_t)-1), 8);
    return adds ? size + CELL : size - CELL;
}

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    unsigned char other[64];
    memcpy(other, a, size);
    memmove(a, b, size);
    memcpy(b, other, size);
}

static void change_plane(test_random *random, unsigned char *cell, const char **out_what)
{
    if (random_once_in(random, 4))
    {
        *out_what = "frame of a plane";
        cell[0] = (unsigned char)(3 + random_below(random, 3));
        return;
    }
    *out_what = "number of a plane";
    change_double(random, cell + 1 + 8 * random_below(random, 4));
}

static void change_split(test_random *random, unsigned char *cell, const char **out_what)
{
    *out_what = "split";
    if (random_once_in(random, 3))
        cell[0] = (unsigned char)random_below(random, 6);
    else
        put_word(cell + 1, word_at(cell + 1, 4) + (uint64_t)(int64_t)random_between(random, -3, 3), 4);
}

size_t proof_mutate(test_random *random, unsigned char *bytes, size_t size, const char **out_what)
{
    const layout l = layout_of(bytes);
    unsigned char *cells = bytes + l.cells, *first = cells + CELL * (size_t)random_below(random, (int)l.cell_count);
    unsigned char *second = cells + CELL * (size_t)random_below(random, (int)l.cell_count);
    switch (random_below(random, 10))
    {
    case 0:
        *out_what = "missing cell";
        size = change_cell_count(random, bytes, size, &l, false);
        break;
    case 1:
        *out_what = "further cell";
        size = change_cell_count(random, bytes, size, &l, true);
        break;
    case 2:
        *out_what = "cells exchanged";
        swap(first, second, CELL);
        break;
    case 3:
        *out_what = "motion";
        change_double(random, bytes + 16 + 48 + 240 * random_below(random, 2) + 8 * random_below(random, 24));
        break;
    case 4:
        *out_what = "claim"; /* clearance or deviation */
        change_double(random, bytes + (random_once_in(random, 2) ? 496 : 56 + 240 * random_below(random, 2)));
        break;
    case 5:
        *out_what = "order";
        swap(bytes + l.orders + 4 * (size_t)random_below(random, (int)l.order_count),
             bytes + l.orders + 4 * (size_t)random_below(random, (int)l.order_count), 4);
        break;
    case 6:
        *out_what = "kind of a motion, or a byte of the header";
        bytes[random_below(random, HEADER)] ^= (unsigned char)(1 << random_below(random, 8));
        break;
    default:
        while (first[0] < 3 && random_once_in(random, 2))
            first = cells + CELL * (size_t)random_below(random, (int)l.cell_count);
        if (first[0] < 3)
            change_split(random, first, out_what);
        else
            change_plane(random, first, out_what);
    }
    proof_seal(bytes, size);
    return size;
}
