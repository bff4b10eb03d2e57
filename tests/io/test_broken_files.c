/* SPDX-License-Identifier: MIT */
/*
 * Broken files: each is refused with the right status and location, fast and with little memory. The table is the
 * contract with the user; the hostile files are large, so that quadratic behaviour would show.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "support/read_text.h"

#define NO_LINE GRAZE_NO_INDEX
#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
#define PLY                                                                                                            \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"  \
    "property list uchar int vertex_indices\nend_header\n"

static const struct
{
    const char *name;
    const char *text;
    graze_status status;
    uint64_t line;
} broken[] = {
    /* anything */
    {"a", "", GRAZE_STATUS_EMPTY, NO_LINE},
    {"a", "hello world, this is no mesh\n", GRAZE_STATUS_BAD_FORMAT, NO_LINE},
    {"a.stl", "hello world, this is no mesh\n", GRAZE_STATUS_BAD_FORMAT, NO_LINE},
    {"a.obj", "hello world, this is no mesh\n", GRAZE_STATUS_BAD_FORMAT, NO_LINE},
    {"a.ply", "hello world, this is no mesh\n", GRAZE_STATUS_BAD_FORMAT, 1},
    {"a.off", "hello world, this is no mesh\n", GRAZE_STATUS_BAD_FORMAT, 1},
    {"a.obj", "\n\n \t\r\n", GRAZE_STATUS_BAD_FORMAT, NO_LINE},
    {"a.off", "\n\n \t\r\n", GRAZE_STATUS_TRUNCATED, 4},
    {"a.stl", "PK\x03\x04zip", GRAZE_STATUS_UNSUPPORTED, NO_LINE},
    {"a.obj", "\xff\xfev\x20", GRAZE_STATUS_UNSUPPORTED, NO_LINE},
    {"a.gz", "\x1f\x8b", GRAZE_STATUS_TRUNCATED, NO_LINE},
    {"a.gz", "\x1f\x8b nonsense nonsense", GRAZE_STATUS_BAD_FORMAT, NO_LINE},
    /* STL */
    {"a.stl", "solid", GRAZE_STATUS_TRUNCATED, 1},
    {"a.stl", "solid a\nendsolid a\n", GRAZE_STATUS_EMPTY, NO_LINE},
    {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n",
     GRAZE_STATUS_TOO_FEW_CORNERS, 6},
    {"a.stl",
     "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 0 0\nvertex 1 1 1\nendloop\n",
     GRAZE_STATUS_BAD_FORMAT, 7},
    {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", GRAZE_STATUS_NOT_FINITE, 4},
    {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e400\n", GRAZE_STATUS_NOT_FINITE, 4},
    {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 zero 1\n", GRAZE_STATUS_BAD_FORMAT, 4},
    {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0\n", GRAZE_STATUS_BAD_FORMAT, 5},
    {"a.stl", "solid a\nfacet normal 0 0 1\nouter circle\n", GRAZE_STATUS_BAD_FORMAT, 3},
    {"a.stl", "solid a\nfacet normal 0 0 1 2 3 4\nouter loop\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.stl", "solid a\nfacette\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.stl", "solid a\nendsolid a\nfacet normal 0 0 1\n", GRAZE_STATUS_BAD_FORMAT, 3},
    /* OBJ */
    {"a.obj", SQUARE, GRAZE_STATUS_EMPTY, NO_LINE},
    {"a.obj", SQUARE "f 1 2\n", GRAZE_STATUS_TOO_FEW_CORNERS, 5},
    {"a.obj", SQUARE "f\n", GRAZE_STATUS_TOO_FEW_CORNERS, 5},
    {"a.obj", SQUARE "f 1 2 5\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 0 1 2\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 1 2 -5\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 1 2 4294967296\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 1 2 4294967295\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 1 2 99999999999999999999999999\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 1 2 -99999999999999999999999999\n", GRAZE_STATUS_BAD_INDEX, 5},
    {"a.obj", SQUARE "f 1 2 3.5\n", GRAZE_STATUS_BAD_FORMAT, 5},
    {"a.obj", SQUARE "f 1 2 three\n", GRAZE_STATUS_BAD_FORMAT, 5},
    {"a.obj", SQUARE "f 1/1/1/1 2 3\n", GRAZE_STATUS_BAD_FORMAT, 5},
    {"a.obj", SQUARE "f /1 2 3\n", GRAZE_STATUS_BAD_FORMAT, 5},
    {"a.obj", "v 0 0\nv 1 0 0\n", GRAZE_STATUS_BAD_FORMAT, 1},
    {"a.obj", "v 0 0 0\nv 1 0", GRAZE_STATUS_TRUNCATED, 2},
    {"a.obj", "v 0 0 0\nv 1 0 -", GRAZE_STATUS_TRUNCATED, 2},
    {"a.obj", "v 0 0 0\nv 1 0 1e\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.obj", "v 0 0 0\nv 1 nan 0\n", GRAZE_STATUS_NOT_FINITE, 2},
    {"a.obj", "v 0 0 0\nv 1 -1.#IND 0\n", GRAZE_STATUS_NOT_FINITE, 2},
    {"a.obj", "v 0 0 0\nv 1 1e999 0\n", GRAZE_STATUS_NOT_FINITE, 2},
    {"a.obj", "v 0 0 0\nv 1 0,5 0\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.obj", "v 0 0 0\nv 1 one 0\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.obj", "v 0 0 0\n\x01\x02\x03\n", GRAZE_STATUS_BAD_FORMAT, 2},
    /* PLY */
    {"a.ply", "ply", GRAZE_STATUS_TRUNCATED, 1},
    {"a.ply", "ply\nformat ascii 1.0\nend_header\n", GRAZE_STATUS_EMPTY, NO_LINE},
    {"a.ply", "ply\nelement vertex 1\n", GRAZE_STATUS_TRUNCATED, 3},
    {"a.ply", "ply\nformat latin 1.0\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.ply", "ply\nelement vertex 0\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 3},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 3},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex -3\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 3},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999999\nend_header\n", GRAZE_STATUS_TOO_LARGE, 3},
    {"a.ply", "ply\nformat ascii 1.0\nproperty float x\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 3},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 4},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 4},
    {"a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\nend_header\n",
     GRAZE_STATUS_BAD_FORMAT, 4},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
     GRAZE_STATUS_BAD_FORMAT, 6},
    {"a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty uchar n\nend_header\n0\n", GRAZE_STATUS_BAD_FORMAT, 5},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 4},
    {"a.ply", "ply\nformat ascii 1.0\nnonsense\nend_header\n", GRAZE_STATUS_BAD_FORMAT, 3},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n", GRAZE_STATUS_TRUNCATED, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n", GRAZE_STATUS_TRUNCATED, 12},
    {"a.ply", PLY "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 11},
    {"a.ply", PLY "0 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 11},
    {"a.ply", PLY "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_NOT_FINITE, 11},
    {"a.ply", PLY "0 0 0\n1 0 x\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 11},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", GRAZE_STATUS_BAD_INDEX, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", GRAZE_STATUS_BAD_INDEX, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", GRAZE_STATUS_TOO_FEW_CORNERS, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n0\n", GRAZE_STATUS_TOO_FEW_CORNERS, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 2\n", GRAZE_STATUS_BAD_FORMAT, 13},
    {"a.ply", PLY "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 14},
    {"a.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 "
     "0\n",
     GRAZE_STATUS_EMPTY, NO_LINE},
    {"a.ply",
     "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
     "property float z\nend_header\nabc",
     GRAZE_STATUS_TRUNCATED, NO_LINE},
    {"a.ply",
     "ply\nformat binary_big_endian 1.0\nelement face 1\nproperty list uint uint vertex_indices\nend_header\n"
     "\xff\xff\xff\xff",
     GRAZE_STATUS_TRUNCATED, NO_LINE},
    /* OFF */
    {"a.off", "OFF", GRAZE_STATUS_TRUNCATED, 1},
    {"a.off", "OFF\n3\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.off", "OFF\nthree one zero\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.off", "OFF\n-3 1 0\n", GRAZE_STATUS_BAD_FORMAT, 2},
    {"a.off", "OFF\n0 0 0\n", GRAZE_STATUS_EMPTY, NO_LINE},
    {"a.off", "OFF\n99999999999999999999 1 0\n", GRAZE_STATUS_TOO_LARGE, 2},
    {"a.off", "OFF\n4000000000 1 0\n0 0 0\n", GRAZE_STATUS_TRUNCATED, 4},
    {"a.off", "OFF\n3 4000000000 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_TRUNCATED, 7},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", GRAZE_STATUS_BAD_INDEX, 6},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", GRAZE_STATUS_BAD_INDEX, 6},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", GRAZE_STATUS_TOO_FEW_CORNERS, 6},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", GRAZE_STATUS_TOO_FEW_CORNERS, 6},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", GRAZE_STATUS_BAD_FORMAT, 6},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 4},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n", GRAZE_STATUS_NOT_FINITE, 4},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", GRAZE_STATUS_BAD_FORMAT, 7},
};

static void each_broken_file_is_refused_with_status_and_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
    {
        graze_error error = read_bad_text(broken[i].name, broken[i].text);
        if (error.status != broken[i].status || error.line != broken[i].line)
            fail_msg("case %zu: status %d, line %lld: %s", i, (int)error.status, (long long)error.line, error.text);
        assert_int_equal(strncmp(error.text, broken[i].name, strlen(broken[i].name)), 0);
    }
}

static void zeros_and_noise_of_any_length_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "a.stl", "a.obj", "a.ply", "a.off"};
    static unsigned char bytes[3000];
    uint64_t random = 77;
    print_message("seed %llu\n", (unsigned long long)random);
    for (int noise = 0; noise < 2; noise++)
    {
        for (size_t i = 0; noise && i < sizeof bytes; i++)
        {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            bytes[i] = (unsigned char)(random >> 56);
        }
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        {
            for (size_t size = 1; size < sizeof bytes; size += 1 + size / 8)
                read_bad_bytes(names[n], bytes, size);
        }
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ten megabytes of repeated lines after a beginning. */
static void hostile(const char *name, const char *beginning, const char *line)
{
    enum
    {
        SIZE = 10000000
    };
    char *text = malloc(SIZE);
    assert_non_null(text);
    size_t used = strlen(beginning), line_size = strlen(line);
    memcpy(text, beginning, used);
    for (; used + line_size < SIZE; used += line_size)
        memcpy(text + used, line, line_size);
    graze_model *model = NULL;
    graze_error error;
    double start = seconds();
    graze_model_read_memory(NULL, text, used, name, GRAZE_FORMAT_AUTO, NULL, &error, &model);
    double taken = seconds() - start;
    graze_model_destroy(model);
    free(text);
    if (taken > 20.0) /* half a second without sanitizers, ten times that with; anything quadratic takes minutes */
        fail_msg("%s with \"%s\" takes %.1f s", name, line, taken);
}

static void ten_hostile_megabytes_take_no_longer_than_ten_friendly_ones(void **state)
{
    (void)state;
    hostile("a.obj", "", "v 0 0 0\n");
    hostile("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "g a\nf 1 2 3\ng b\nf 1 2 3\n");
    hostile("a.obj", "v 0 0 0\n", "f 1 1 1\n");
    hostile("a.obj", "v 0 0 0\n", "\\\n");
    hostile("a.obj", "v 0 ", "1");
    hostile("a.obj", "v 0 0.", "0");
    hostile("a.obj", "v 0 1e", "9");
    hostile("a.obj", "v 0 0 0\nv ", "                     ");
    hostile("a.obj", "", "v 9007199254740993.00000000001 9007199254740993.00000000001 9007199254740993.00000000001\n");
    hostile("a.obj", "", "v 2.47032822920623272088284e-324 2.47032822920623272088284e-324 7.41e-324\n");
    hostile("a.obj", "", "\r");
    hostile("a.obj", "o ", "name");
    hostile("a.stl", "", "solid\n");
    hostile("a.stl", "solid a\nfacet", " normal");
    hostile("a.stl", "solid ", "a");
    hostile("a.ply", "ply\nformat ascii 1.0\n", "element x 4000000000\n");
    hostile("a.ply", "ply\nformat ascii 1.0\nelement x 4000000000\n", "property list char char x\n");
    hostile("a.ply", "ply\nformat binary_little_endian 1.0\nelement x 1000000000000\nend_header\n", "\n");
    hostile("a.ply",
            "ply\nformat binary_little_endian 1.0\nelement x 10000000\nproperty list char char x\nend_header\n",
            "\x01\x01");
    hostile("a.off", "OFF\n1000000000 1000000000 0\n", "1 2 3\n");
    hostile("a.off", "OFF\n", "#\n");
    hostile("a.off", "OFF\n1 10000000 0\n0 0 0\n", "3 0 0 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_broken_file_is_refused_with_status_and_place),
        cmocka_unit_test(zeros_and_noise_of_any_length_are_refused),
        cmocka_unit_test(ten_hostile_megabytes_take_no_longer_than_ten_friendly_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
