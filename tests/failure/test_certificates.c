/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: certificates of clearance and their files. */
#include "graze/certificate.h"
#include "graze/certificate_file.h"
#include "graze/generate.h"
#include "support/failure.h"
#include "support/tool_process.h"
#include "support/unit.h"

static struct
{
    graze_mesh *meshes[2];
    graze_moving_mesh moving[2];
    graze_certificate *certificate;
    graze_certificate_set *set;
    const graze_certificate *list[1];
    graze_prove_options options;
    graze_budget budget;
    graze_error error;
    graze_prove_failure failure;
    graze_prove_stats stats;
    unsigned char bytes[1 << 14];
    size_t size;
    double visited;
} world;

static struct
{
    graze_certificate *certificate;
    graze_certificate_set *set;
    graze_certificate_facts facts;
    graze_certificate_check check;
    size_t size;
    void *bytes;
    char text[65];
} out;

static void set_up(void)
{
    for (int i = 0; i < 2; i++)
    {
        graze_pose pose = graze_pose_translation(2 * i, 0, 0);
        assert_int_equal(graze_mesh_create_box(&failure.context, 1, 1, 1, 1, &world.meshes[i]), GRAZE_STATUS_OK);
        world.moving[i] = (graze_moving_mesh){.mesh = world.meshes[i]};
        assert_int_equal(graze_motion_still(&pose, &world.moving[i].motion), GRAZE_STATUS_OK);
    }
    assert_int_equal(
        graze_pair_prove_clear(&failure.context, &world.moving[0], &world.moving[1], 0.5, NULL, &world.certificate),
        GRAZE_STATUS_OK);
    world.size = graze_certificate_saved_size(world.certificate);
    assert_true(world.size <= sizeof world.bytes);
    assert_int_equal(graze_certificate_save(world.certificate, world.bytes, world.size), GRAZE_STATUS_OK);
    assert_int_equal(
        graze_certificate_set_read_memory(&failure.context, world.bytes, world.size, NULL, NULL, NULL, &world.set),
        GRAZE_STATUS_OK);
    write_bytes("certificate", world.bytes, world.size);
}

static void tear_down(void)
{
    graze_certificate_set_destroy(world.set);
    graze_certificate_destroy(world.certificate);
    graze_mesh_destroy(world.meshes[0]);
    graze_mesh_destroy(world.meshes[1]);
}

static bool go_on(void *user, double share)
{
    (void)user;
    return share >= 0;
}

static const graze_moving_mesh *moving(int side)
{
    world.moving[side].mesh = NEED(INNER + side, world.meshes[side]);
    world.moving[side].end_mesh = NULL;
    return &world.moving[side];
}

static const graze_budget *budget(void)
{
    world.budget = (graze_budget){.progress = MAY(INNER + 4, go_on), .progress_user = MAY(INNER + 5, &world)};
    return &world.budget;
}

static const graze_prove_options *options(void)
{
    world.options = graze_prove_options_default();
    world.options.failure = MAY(INNER + 2, &world.failure);
    world.options.stats = MAY(INNER + 3, &world.stats);
    world.options.budget = *budget();
    return &world.options;
}

static const graze_certificate *const *list(void)
{
    world.list[0] = NEED(INNER, world.certificate);
    return world.list;
}

static graze_status call_graze_certificate_destroy(void)
{
    graze_certificate_destroy(MAY(0, world.certificate));
    if (failure.missing == NOTHING)
        world.certificate = NULL;
    return GRAZE_STATUS_OK;
}

static graze_status call_graze_certificate_set_destroy(void)
{
    graze_certificate_set_destroy(MAY(0, world.set));
    if (failure.missing == NOTHING)
        world.set = NULL;
    return GRAZE_STATUS_OK;
}

CALL(graze_pair_prove_clear,
     (MAY(0, &failure.context), NEED(1, moving(0)), NEED(2, moving(1)), 0.5, MAY(3, options()),
      NEED(4, &out.certificate)),
     graze_certificate_destroy(out.certificate))
CALL(graze_certificate_describe, (NEED(0, world.certificate), NEED(1, &out.facts)), (void)0)
CALL(graze_certificate_verify,
     (MAY(0, &failure.context), NEED(1, world.certificate), NEED(2, world.meshes[0]), NEED(3, world.meshes[1]),
      MAY(4, budget()), NEED(5, &out.check)),
     (void)0)
VALUE(size_t, graze_certificate_saved_size, (NEED(0, world.certificate)), result > 0)
CALL(graze_certificate_save, (NEED(0, world.certificate), NEED(1, world.bytes), sizeof world.bytes), (void)0)
CALL(graze_certificate_load,
     (MAY(0, &failure.context), NEED(1, world.bytes), world.size, MAY(2, &world.error), NEED(3, &out.certificate),
      NEED(4, &out.size)),
     graze_certificate_destroy(out.certificate))
CALL(graze_mesh_sha256, (NEED(0, world.meshes[0]), NEED(1, out.text)), (void)0)
CALL(graze_certificate_set_read_file,
     (MAY(0, &failure.context), NEED(1, "certificate"), MAY(2, budget()), MAY(3, &world.error), NEED(4, &out.set)),
     graze_certificate_set_destroy(out.set))
CALL(graze_certificate_set_read_memory,
     (MAY(0, &failure.context), NEED(1, world.bytes), world.size, MAY(2, "name"), MAY(3, budget()),
      MAY(4, &world.error), NEED(5, &out.set)),
     graze_certificate_set_destroy(out.set))
VALUE(graze_prove_options, graze_prove_options_default, (), result.struct_size == sizeof result)
VALUE(size_t, graze_certificate_set_count, (NEED(0, world.set)), result == 1)
VALUE(const graze_certificate *, graze_certificate_set_get, (NEED(0, world.set), 0), result != NULL)
CALL(graze_certificate_write_file,
     (MAY(0, &failure.context), NEED(1, list()), 1, GRAZE_CERTIFICATE_JSON, NEED(2, "written"), MAY(3, &world.error)),
     (void)0)
CALL(graze_certificate_write_memory,
     (MAY(0, &failure.context), NEED(1, list()), 1, GRAZE_CERTIFICATE_JSON, NEED(2, &out.bytes), NEED(3, &out.size)),
     graze_memory_release(failure.missing == 0 ? NULL : &failure.context, out.bytes))

static const failure_row rows[] = {
    ROW(graze_pair_prove_clear, 5, ALLOCATES),
    ROW(graze_prove_options_default, 0, 0),
    ROW(graze_certificate_destroy, 1, 0),
    ROW(graze_certificate_describe, 2, 0),
    ROW(graze_certificate_verify, 6, ALLOCATES),
    ROW(graze_certificate_saved_size, 1, 0),
    ROW(graze_certificate_save, 2, 0),
    ROW(graze_certificate_load, 5, ALLOCATES),
    ROW(graze_mesh_sha256, 2, 0),
    ROW(graze_certificate_set_read_file, 5, ALLOCATES),
    ROW(graze_certificate_set_read_memory, 6, ALLOCATES),
    ROW(graze_certificate_set_destroy, 1, 0),
    ROW(graze_certificate_set_count, 1, 0),
    ROW(graze_certificate_set_get, 1, 0),
    ROW(graze_certificate_write_file, 4, ALLOCATES),
    ROW(graze_certificate_write_memory, 4, ALLOCATES),
};

FAILURE_TESTS(rows, out, enter_temporary_directory, leave_temporary_directory)
