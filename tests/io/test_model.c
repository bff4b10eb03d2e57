/* SPDX-License-Identifier: MIT */
/* Models: format detection, gzip, files, folders and pipes, and every allocation failing in turn. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "support/failing_allocator.h"
#include "support/read_text.h"

#define OFF_TEXT "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 2 1 0\n"
#define OBJ_TEXT "v 0 0 0\nv 1 0 0\nv 1 1 0\ng a\nf 1 2 3\no b\ng c\nf 3 2 1\nf 1 2 3 2\n"

/* Packs text as one gzip member; the caller frees it. */
static unsigned char *pack(const void *bytes, size_t size, size_t *out_size)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    uLong bound = deflateBound(&stream, (uLong)size);
    unsigned char *packed = malloc(bound);
    assert_non_null(packed);
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)bound;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *out_size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

/* --- a folder for each test --- */

static int enter_folder(void **state)
{
    static char folder[64];
    snprintf(folder, sizeof folder, "graze-test-XXXXXX");
    *state = mkdtemp(folder);
    return *state == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state)
{
    static const char *const names[] = {"a.off",    "a.obj", "b.obj", "c.stl",       "x.stl",
                                        "link.obj", "pipe",  "a.ply", "locked/a.obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    rmdir("locked");
    rmdir("folder.obj");
    if (chdir("..") != 0)
        return 1;
    return rmdir(*state); /* fails if any file was left */
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static graze_mesh *square(void)
{
    graze_model *model = read_text("a.off", OFF_TEXT);
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_model_create_part_mesh(NULL, model, 0, &mesh), GRAZE_STATUS_OK);
    graze_model_destroy(model);
    return mesh;
}

/* --- recognising --- */

static void content_decides_over_a_wrong_name(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "a", "a.stl", "a.obj", "a.ply", "a.off", "a.txt", "a.stl.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        graze_model *model = read_text(names[i], OFF_TEXT);
        assert_int_equal(graze_model_format(model), GRAZE_FORMAT_OFF);
        graze_model_destroy(model);
        model = read_text(names[i], "# c\n\n" OBJ_TEXT);
        assert_int_equal(graze_model_format(model), GRAZE_FORMAT_OBJ);
        graze_model_destroy(model);
    }
}

static void endings_name_formats(void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        graze_format format;
    } cases[] = {{"a.stl", GRAZE_FORMAT_STL_BINARY},
                 {"a.STL", GRAZE_FORMAT_STL_BINARY},
                 {"x/y.stl.gz", GRAZE_FORMAT_STL_BINARY},
                 {"a.b.Obj", GRAZE_FORMAT_OBJ},
                 {"a.ply", GRAZE_FORMAT_PLY_LITTLE_ENDIAN},
                 {"a.off", GRAZE_FORMAT_OFF},
                 {"a.OFF.GZ", GRAZE_FORMAT_OFF},
                 {"a.txt", GRAZE_FORMAT_AUTO},
                 {"stl", GRAZE_FORMAT_AUTO},
                 {".stl", GRAZE_FORMAT_AUTO},
                 {"", GRAZE_FORMAT_AUTO},
                 {NULL, GRAZE_FORMAT_AUTO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(graze_format_from_name(cases[i].name), cases[i].format);
}

static void a_format_that_is_given_is_taken_at_its_word(void **state)
{
    (void)state;
    graze_error error;
    graze_model *model = NULL;
    const char *text = "nonsense v 0 0 0\n" OBJ_TEXT;
    assert_int_equal(graze_model_read_memory(NULL, text, strlen(text), NULL, GRAZE_FORMAT_OBJ, NULL, &error, &model),
                     GRAZE_STATUS_OK);
    graze_model_destroy(model);
    model = NULL;
    assert_int_equal(
        graze_model_read_memory(NULL, text, strlen(text), NULL, GRAZE_FORMAT_PLY_ASCII, NULL, &error, &model),
        GRAZE_STATUS_BAD_FORMAT);
    assert_int_equal(graze_model_read_memory(NULL, text, strlen(text), NULL, (graze_format)99, NULL, &error, &model),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_model_read_memory(NULL, NULL, 5, NULL, GRAZE_FORMAT_AUTO, NULL, NULL, &model),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_model_read_memory(NULL, NULL, 0, NULL, GRAZE_FORMAT_AUTO, NULL, NULL, &model),
                     GRAZE_STATUS_EMPTY);
    assert_int_equal(graze_model_read_file(NULL, NULL, GRAZE_FORMAT_AUTO, NULL, NULL, &model),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_null(model);
}

/* --- gzip --- */

static void gzip_is_unpacked_also_in_several_members(void **state)
{
    (void)state;
    size_t sizes[2];
    unsigned char *first = pack(OFF_TEXT, 20, &sizes[0]);
    unsigned char *second = pack(&OFF_TEXT[20], sizeof OFF_TEXT - 21, &sizes[1]);
    unsigned char both[1000] = {0};
    memcpy(both, first, sizes[0]);
    memcpy(both + sizes[0], second, sizes[1]);
    size_t size = sizes[0] + sizes[1];
    for (size_t padding = 0; padding < 600; padding += 512)
    {
        graze_model *model = read_bytes("a.off.gz", both, size + padding);
        assert_int_equal(graze_mesh_face_count(graze_model_mesh(model)), 2);
        graze_model_destroy(model);
    }
    both[size] = 'x';
    assert_int_equal(read_bad_bytes("a.off.gz", both, size + 1).status, GRAZE_STATUS_BAD_FORMAT);
    free(first);
    free(second);
}

static void damaged_gzip_is_refused(void **state)
{
    (void)state;
    size_t size;
    unsigned char *packed = pack(OFF_TEXT, sizeof OFF_TEXT - 1, &size);
    for (size_t cut = 2; cut < size; cut++)
    {
        graze_error error = read_bad_bytes("a.off.gz", packed, cut);
        assert_int_equal(error.status, GRAZE_STATUS_TRUNCATED);
        assert_int_equal(error.byte_offset, cut);
    }
    for (size_t place = 10; place < size; place++)
    {
        packed[place] ^= 0x10;
        graze_error error = read_bad_bytes("a.off.gz", packed, size);
        assert_true(error.status == GRAZE_STATUS_BAD_FORMAT || error.status == GRAZE_STATUS_TRUNCATED);
        packed[place] ^= 0x10;
    }
    size_t twice_size;
    unsigned char *twice = pack(packed, size, &twice_size);
    assert_int_equal(read_bad_bytes("a.off.gz", twice, twice_size).status, GRAZE_STATUS_UNSUPPORTED);
    free(packed);
    free(twice);
}

static void a_file_made_to_fill_the_memory_is_refused(void **state)
{
    (void)state;
    enum
    {
        ZEROS = 100 << 20
    };
    unsigned char *zeros = calloc(ZEROS, 1);
    assert_non_null(zeros);
    size_t size;
    unsigned char *packed = pack(zeros, ZEROS, &size);
    free(zeros);
    graze_error error = read_bad_bytes("a.stl.gz", packed, size);
    assert_int_equal(error.status, GRAZE_STATUS_TOO_LARGE);
    free(packed);
}

/* --- files --- */

static void files_are_written_and_read(void **state)
{
    (void)state;
    static const char *const names[] = {"a.off", "a.obj", "a.ply", "c.stl"};
    graze_mesh *mesh = square();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        graze_error error;
        graze_model *model = NULL;
        assert_int_equal(graze_mesh_write_file(NULL, mesh, names[i], GRAZE_FORMAT_AUTO, &error), GRAZE_STATUS_OK);
        assert_int_equal(graze_model_read_file(NULL, names[i], GRAZE_FORMAT_AUTO, NULL, &error, &model),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_model_format(model), graze_format_from_name(names[i]));
        assert_int_equal(graze_mesh_triangle_count(graze_model_mesh(model)), 3);
        graze_model_destroy(model);
    }
    graze_mesh_destroy(mesh);
}

static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    graze_error error;
    graze_model *model = NULL;
    assert_int_equal(mkdir("folder.obj", 0777), 0);
    write_bytes("a.obj", "", 0);
    static const struct
    {
        const char *path;
        graze_status status;
        const char *text;
    } cases[] = {{"missing.obj", GRAZE_STATUS_NOT_FOUND, "missing.obj: there is no such file"},
                 {"a.obj/below.obj", GRAZE_STATUS_NOT_FOUND, "a.obj/below.obj: there is no such file"},
                 {"folder.obj", GRAZE_STATUS_UNREADABLE, "folder.obj: this is a directory, not a file"},
                 {"/dev/zero", GRAZE_STATUS_UNREADABLE, "/dev/zero: this is a device, not a file"},
                 {"a.obj", GRAZE_STATUS_EMPTY, "a.obj: it is empty"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        assert_int_equal(graze_model_read_file(NULL, cases[i].path, GRAZE_FORMAT_AUTO, NULL, &error, &model),
                         cases[i].status);
        assert_string_equal(error.text, cases[i].text);
        assert_int_equal(error.status, cases[i].status);
        assert_int_equal(graze_model_read_file(NULL, cases[i].path, GRAZE_FORMAT_AUTO, NULL, NULL, &model),
                         cases[i].status);
    }
    if (geteuid() != 0) /* root may write everywhere */
    {
        write_bytes("a.off", OFF_TEXT, sizeof OFF_TEXT - 1);
        assert_int_equal(chmod("a.off", 0), 0);
        assert_int_equal(graze_model_read_file(NULL, "a.off", GRAZE_FORMAT_AUTO, NULL, &error, &model),
                         GRAZE_STATUS_UNREADABLE);
    }
    assert_null(model);
}

static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], OFF_TEXT, sizeof OFF_TEXT - 1), sizeof OFF_TEXT - 1);
    close(ends[1]);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    graze_error error;
    graze_model *model = NULL;
    assert_int_equal(graze_model_read_file(NULL, path, GRAZE_FORMAT_AUTO, NULL, &error, &model), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_face_count(graze_model_mesh(model)), 2);
    graze_model_destroy(model);
    close(ends[0]);
}

static void a_write_that_fails_keeps_the_old_file(void **state)
{
    (void)state;
    graze_error error;
    graze_mesh *mesh = square();
    assert_int_equal(mkdir("folder.obj", 0777), 0);
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "folder.obj", GRAZE_FORMAT_AUTO, &error),
                     GRAZE_STATUS_UNREADABLE);
    assert_string_equal(error.text, "folder.obj: this is a directory, not a file");
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "missing/a.obj", GRAZE_FORMAT_AUTO, &error),
                     GRAZE_STATUS_UNREADABLE);
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "a.txt", GRAZE_FORMAT_AUTO, &error), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "a.obj.gz", GRAZE_FORMAT_AUTO, &error),
                     GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "a.txt", (graze_format)99, &error), GRAZE_STATUS_BAD_ARGUMENT);
    write_bytes("a.obj", "old", 3);
    failing_allocator allocator = {.allowed = 2};
    graze_context context = failing_allocator_context(&allocator);
    assert_int_equal(graze_mesh_write_file(&context, mesh, "a.obj", GRAZE_FORMAT_AUTO, &error),
                     GRAZE_STATUS_OUT_OF_MEMORY);
    assert_int_equal(allocator.live, 0);
    if (geteuid() != 0)
    {
        assert_int_equal(mkdir("locked", 0777), 0);
        write_bytes("locked/a.obj", "old", 3);
        assert_int_equal(chmod("locked", 0555), 0);
        assert_int_equal(graze_mesh_write_file(NULL, mesh, "locked/a.obj", GRAZE_FORMAT_AUTO, &error),
                         GRAZE_STATUS_UNREADABLE);
        assert_int_equal(chmod("locked", 0777), 0);
    }
    FILE *file = fopen("a.obj", "rb");
    char text[8] = {0};
    assert_int_equal(fread(text, 1, 7, file), 3);
    fclose(file);
    assert_string_equal(text, "old");
    graze_mesh_destroy(mesh);
}

static void a_link_stays_and_permissions_stay(void **state)
{
    (void)state;
    graze_mesh *mesh = square();
    graze_error error;
    struct stat info;
    write_bytes("a.obj", "old", 3);
    assert_int_equal(chmod("a.obj", 0640), 0);
    assert_int_equal(symlink("a.obj", "link.obj"), 0);
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "link.obj", GRAZE_FORMAT_AUTO, &error), GRAZE_STATUS_OK);
    assert_int_equal(lstat("link.obj", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat("a.obj", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_true(info.st_size > 3);
    unlink("a.obj"); /* a dangling link: writing creates the file it names */
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "link.obj", GRAZE_FORMAT_AUTO, &error), GRAZE_STATUS_OK);
    assert_int_equal(stat("a.obj", &info), 0);
    assert_int_equal(graze_mesh_write_file(NULL, mesh, "/dev/null", GRAZE_FORMAT_OBJ, &error), GRAZE_STATUS_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    graze_mesh_destroy(mesh);
}

/* --- memory --- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    size_t packed_size;
    unsigned char *packed = pack(OBJ_TEXT, sizeof OBJ_TEXT - 1, &packed_size);
    static const char *const texts[] = {OFF_TEXT, OBJ_TEXT, NULL,
                                        "solid a\nfacet normal 0 0 0 outer loop vertex 0 0 0 "
                                        "vertex 1 0 0 vertex 0 1 0 endloop endfacet\nendsolid a\nsolid b\nfacet normal "
                                        "0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
                                        "endsolid b\n",
                                        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                                        "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                                        "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"};
    size_t failures = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_error error = {0};
            graze_model *model = NULL;
            const void *bytes = texts[i] != NULL ? (const void *)texts[i] : packed;
            size_t size = texts[i] != NULL ? strlen(texts[i]) : packed_size;
            graze_status status =
                graze_model_read_memory(&context, bytes, size, "a", GRAZE_FORMAT_AUTO, NULL, &error, &model);
            graze_mesh *part = NULL;
            if (status == GRAZE_STATUS_OK)
                status = graze_model_create_part_mesh(&context, model, 0, &part);
            graze_mesh_destroy(part);
            graze_model_destroy(model);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
    }
    assert_true(failures > 50);
    free(packed);
}

static void every_allocation_of_writing_and_of_files_may_fail(void **state)
{
    (void)state;
    graze_mesh *mesh = square();
    write_bytes("x.stl", OFF_TEXT, sizeof OFF_TEXT - 1);
    size_t failures = 0;
    for (int format = GRAZE_FORMAT_STL_BINARY; format <= GRAZE_FORMAT_OFF; format++)
    {
        for (size_t allowed = 0;; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            graze_model *model = NULL;
            graze_status status = graze_mesh_write_file(&context, mesh, "b.obj", (graze_format)format, NULL);
            if (status == GRAZE_STATUS_OK)
                status = graze_model_read_file(&context, "b.obj", GRAZE_FORMAT_AUTO, NULL, NULL, &model);
            graze_model_destroy(model);
            assert_int_equal(allocator.live, 0);
            if (status == GRAZE_STATUS_OK)
                break;
            assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
            failures++;
        }
    }
    assert_true(failures > 50);
    graze_mesh_destroy(mesh);
}

static void long_and_strange_file_names_fit_the_message(void **state)
{
    (void)state;
    char name[2000];
    memset(name, 'n', sizeof name);
    strcpy(name + sizeof name - 10, "\n\x1b.obj");
    graze_error error = read_bad_text(name, "v 0 0 0\nf 1 2 3\n");
    assert_non_null(strstr(error.text, "??.obj, line 2: a face corner names vertex 3"));
    assert_true(strncmp(error.text, "...nnn", 6) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_decides_over_a_wrong_name),
        cmocka_unit_test(endings_name_formats),
        cmocka_unit_test(a_format_that_is_given_is_taken_at_its_word),
        cmocka_unit_test(gzip_is_unpacked_also_in_several_members),
        cmocka_unit_test(damaged_gzip_is_refused),
        cmocka_unit_test(a_file_made_to_fill_the_memory_is_refused),
        cmocka_unit_test_setup_teardown(files_are_written_and_read, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_refused, enter_folder, leave_folder),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
        cmocka_unit_test_setup_teardown(a_write_that_fails_keeps_the_old_file, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_link_stays_and_permissions_stay, enter_folder, leave_folder),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test_setup_teardown(every_allocation_of_writing_and_of_files_may_fail, enter_folder, leave_folder),
        cmocka_unit_test(long_and_strange_file_names_fit_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
