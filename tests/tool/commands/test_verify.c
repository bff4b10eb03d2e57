/* SPDX-License-Identifier: MIT */
/* graze verify, as a user runs it. */
#include <stdlib.h>
#include <string.h>

#include "graze/certificate_file.h"
#include "graze/io.h"
#include "support/certificates.h"
#include "support/tool_json.h"
#include "support/tool_process.h"
#include "support/unit.h"

static int set_up(void **state)
{
    int code = enter_temporary_directory(state);
    moving_pair pair = moving_boxes();
    graze_certificate *certificate = NULL;
    assert_int_equal(graze_pair_prove_clear(NULL, &pair.moving[0], &pair.moving[1], 0.125, NULL, &certificate),
                     GRAZE_STATUS_OK);
    const graze_certificate *list[] = {certificate, certificate};
    assert_int_equal(graze_certificate_write_file(NULL, list, 2, GRAZE_CERTIFICATE_JSON, "proof.json", NULL),
                     GRAZE_STATUS_OK);
    assert_int_equal(graze_certificate_write_file(NULL, list, 1, GRAZE_CERTIFICATE_BINARY, "proof.cert", NULL),
                     GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(graze_mesh_write_file(NULL, pair.meshes[i], i == 0 ? "a.obj" : "b.stl",
                                               i == 0 ? GRAZE_FORMAT_OBJ : GRAZE_FORMAT_STL_BINARY, NULL),
                         GRAZE_STATUS_OK);
    write_box_obj("other.obj", 0.75);
    graze_certificate_destroy(certificate);
    moving_pair_release(&pair);
    return code;
}

static void valid_certificates_are_accepted(void **state)
{
    (void)state;
    tool_result result = RUN("verify", "proof.json", "a.obj", "b.stl");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "valid: 2 certificates"));
    assert_non_null(strstr(result.out, "at least 0.125 apart"));
    assert_string_equal(result.err, "");
    tool_release(&result);
    result = RUN("verify", "proof.cert", "a.obj", "b.stl", "--json");
    assert_int_equal(result.code, 0);
    cJSON *json = cJSON_Parse(result.out);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "valid")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "reason")));
    assert_true(cJSON_GetObjectItem(json, "clearance")->valuedouble == 0.125);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "certificates"), 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "certificates")), 1);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(first, "motion"), "b"), "kind"));
    cJSON_Delete(json);
    tool_release(&result);
}

static void refused_certificates_say_why(void **state)
{
    (void)state;
    tool_expect_refusal(RUN("verify", "proof.cert", "a.obj", "other.obj"), 3, "mesh b is not the one");
    tool_result proved =
        RUN("sweep", "a.obj", "other.obj", "--from-a", "1 0 0 0 0 1 0 0 0 0 1 90", "--prove", "order.cert");
    assert_int_equal(proved.code, 0);
    tool_release(&proved);
    tool_expect_refusal(RUN("verify", "order.cert", "other.obj", "a.obj"), 3, "in the other order");
    proved = RUN("verify", "order.cert", "a.obj", "other.obj");
    assert_non_null(strstr(proved.out, "share no point throughout this motion:\n  A  still, at (0, 0, 90)\n"));
    tool_release(&proved);
    tool_expect_refusal(RUN("verify", "proof.json", "other.obj", "b.stl"), 3, "2 refused of 2 certificates");
    tool_expect_refusal(RUN("verify", "a.obj", "a.obj", "b.stl"), 3, "refused: a.obj: this is no certificate");
    write_text("sphere.json", "{\"kind\": \"sphere\", \"radius\": 1}");
    tool_expect_refusal(RUN("verify", "sphere.json", "a.obj", "b.stl"), 3,
                        "refused: sphere.json: this is no certificate: 'graze' is missing");
    tool_expect_refusal(RUN("verify", "nowhere", "a.obj", "b.stl"), 3, "there is no such file");
    tool_result result = RUN("verify", "proof.cert", "a.obj", "other.obj", "--json");
    assert_int_equal(result.code, 3);
    cJSON *json = cJSON_Parse(result.out);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(json, "valid")));
    assert_non_null(strstr(cJSON_GetObjectItem(json, "reason")->valuestring, "mesh b"));
    cJSON_Delete(json);
    tool_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_certificates_are_accepted),
        cmocka_unit_test(refused_certificates_say_why),
    };
    return cmocka_run_group_tests(tests, set_up, leave_temporary_directory);
}
