/* SPDX-License-Identifier: MIT */
/* Links and assemblies of parts, from members and from paths, and the rules that select pairs by them. */
#include <stdio.h>
#include <string.h>

#include "clash/hierarchy.h"
#include "clash/rules.h"
#include "support/unit.h"

enum
{
    PARTS = 6
};

static grz_clash_part part_of(const char *name, const char *file, const char *parent)
{
    return (grz_clash_part){.name = name, .file = file, .parent = parent};
}

static void make_robot(grz_clash_part parts[PARTS])
{
    parts[0] = part_of("base", "robot.glb", "");
    parts[1] = part_of("base/arm", "robot.glb", "base");
    parts[2] = part_of("base/arm/hand", "robot.glb", "base/arm");
    parts[3] = part_of("base/box/cover", "robot.glb", "base/box"); /* its parent shows nothing */
    parts[4] = part_of("table", "robot.glb", "");
    parts[5] = part_of("base/arm/cup", "cup.glb", "base/arm"); /* of another file */
}

static void paths_link_parts_of_a_file(void **state)
{
    (void)state;
    grz_clash_part parts[PARTS];
    make_robot(parts);
    assert_true(grz_clash_find_hierarchy(NULL, NULL, parts, PARTS));
    static const uint32_t links[PARTS] = {0, 1, 2, 0, 0, 0};
    for (size_t i = 0; i < PARTS; i++)
    {
        assert_int_equal(parts[i].link, links[i]);
        assert_true(parts[i].assembly != 0);
        assert_int_equal(parts[i].assembly == parts[0].assembly, i < 4);
    }
}

static void members_decide_where_they_are_given(void **state)
{
    (void)state;
    grz_clash_part parts[PARTS];
    graze_clash_member members[PARTS];
    make_robot(parts);
    for (size_t i = 0; i < PARTS; i++)
        members[i] = (graze_clash_member){.scene = UINT32_MAX, .parent = GRAZE_CLASH_NO_PART};
    members[0].parent = 4;
    members[3].parent = 4;
    members[1].top = members[2].top = 77;
    assert_true(grz_clash_find_hierarchy(NULL, members, parts, PARTS));
    static const uint32_t links[PARTS] = {5, 0, 0, 5, 0, 0};
    for (size_t i = 0; i < PARTS; i++)
        assert_int_equal(parts[i].link, links[i]);
    assert_true(parts[0].assembly == parts[3].assembly && parts[0].assembly == parts[4].assembly);
    assert_true(parts[1].assembly == parts[2].assembly && parts[1].assembly != parts[0].assembly);
    assert_true(parts[5].assembly != parts[0].assembly && parts[5].assembly != parts[1].assembly);
}

static void expect_ignored(const char *selection, const char *pairs)
{
    char text[200];
    grz_clash_part parts[PARTS];
    snprintf(text, sizeof text, "{\"graze\": \"rules\", \"version\": 1, \"ignore\": [{%s, \"reason\": \"r\"}]}",
             selection);
    graze_clash_source source = {"r", text, strlen(text)};
    graze_clash_rules *book = NULL;
    graze_clash_tolerances tolerances = {0};
    assert_int_equal(graze_clash_rules_create(NULL, &source, 1, NULL, &book), GRAZE_STATUS_OK);
    grz_clash_rules *rules = grz_clash_rules_make(NULL, book, &tolerances);
    make_robot(parts);
    assert_true(grz_clash_find_hierarchy(NULL, NULL, parts, PARTS));
    assert_true(rules != NULL && grz_clash_rules_prepare(rules, parts, PARTS));
    char found[200] = "";
    for (size_t a = 0; a < PARTS; a++)
        for (size_t b = a; b < PARTS; b++)
        {
            size_t entry, used = strlen(found);
            assert_int_equal(grz_clash_rules_limits(rules, b, a).ignored, grz_clash_rules_ignore(rules, a, b, &entry));
            if (grz_clash_rules_ignore(rules, a, b, &entry))
                snprintf(found + used, sizeof found - used, "%zu%zu ", a, b);
        }
    assert_string_equal(found, pairs);
    grz_clash_rules_release(rules);
    graze_clash_rules_destroy(book);
}

static void rules_select_pairs_by_links_and_assemblies(void **state)
{
    (void)state;
    expect_ignored("\"linked\": \"parent\"", "01 12 ");
    expect_ignored("\"same\": \"assembly\"", "01 02 03 12 13 23 ");
    expect_ignored("\"same\": \"file\"", "01 02 03 04 12 13 14 23 24 34 ");
    expect_ignored("\"same\": \"parent\"", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_link_parts_of_a_file),
        cmocka_unit_test(members_decide_where_they_are_given),
        cmocka_unit_test(rules_select_pairs_by_links_and_assemblies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
