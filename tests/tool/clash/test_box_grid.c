/* SPDX-License-Identifier: MIT */
/*
 * graze clash against arithmetic: boxes on an integer grid, near the origin and at (8e4, 1.2e6), whose verdicts are
 * sums and comparisons. Boxes often touch, nest, repeat (triangulated differently) and overlap. Every finding must be
 * there and no other, with the same bytes for one thread and two, and the same findings for every order of the parts.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>

#include "clash_boxes.h"
#include "support/random.h"

enum
{
    MOST_BOXES = 9,
    RUNS = 40
};

typedef struct expected
{
    const char *verdict; /* NULL: no finding */
    const char *touch;
    double number; /* way out, area, or the square of the gap */
    double depth, volume;
    bool a_in_b;
    bool met;
} expected;

typedef struct tally
{
    size_t contains, crosses, touches, too_close, duplicates;
} tally;

/* A box as triangles: the diagonal of each side and the first corner of each triangle are random. */
static void put_triangles(FILE *file, const box *b, test_random *random, int first)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int turn = random_below(random, 8);
    fprintf(file, "o %s\n", b->name);
    for (int k = 0; k < 8; k++)
    {
        int i = (k + turn) % 8;
        fprintf(file, "v %.17g %.17g %.17g\n", i & 1 ? b->upper[0] : b->lower[0], i & 2 ? b->upper[1] : b->lower[1],
                i & 4 ? b->upper[2] : b->lower[2]);
    }
    for (int i = 0; i < 6; i++)
    {
        int start = random_below(random, 4), corners[4];
        for (int k = 0; k < 4; k++)
            corners[k] = first + (faces[i][(start + k) % 4] - turn + 8) % 8;
        fprintf(file, "f %d %d %d\nf %d %d %d\n", corners[0], corners[1], corners[2], corners[0], corners[2],
                corners[3]);
    }
}

static bool within(const box *inner, const box *outer)
{
    for (int axis = 0; axis < 3; axis++)
        if (inner->lower[axis] < outer->lower[axis] || inner->upper[axis] > outer->upper[axis])
            return false;
    return true;
}

/* The interference of two boxes that cross: how deep a common point lies below the faces of one of them. Each axis may
 * be chosen for itself. */
static double interference(const box *a, const box *b)
{
    double deepest = 0;
    for (int side = 0; side < 2; side++)
    {
        const box *in = side == 0 ? a : b;
        double depth = INFINITY;
        for (int axis = 0; axis < 3; axis++)
        {
            double lower = fmax(a->lower[axis], b->lower[axis]), upper = fmin(a->upper[axis], b->upper[axis]);
            double middle = 0.5 * (in->lower[axis] + in->upper[axis]), x = fmin(fmax(middle, lower), upper);
            depth = fmin(depth, fmin(x - in->lower[axis], in->upper[axis] - x));
        }
        deepest = fmax(deepest, depth);
    }
    return deepest;
}

/* The verdict on two boxes. `excess`: the square of the gap minus that of the clearance. */
static expected judge(const box *a, const box *b, double clearance)
{
    static const char *const kinds[] = {"", "face", "edge", "point"};
    double depth = INFINITY, area = 1, gap_sq = 0;
    int flat = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double overlap = fmin(a->upper[axis], b->upper[axis]) - fmax(a->lower[axis], b->lower[axis]);
        depth = fmin(depth, fmin(a->upper[axis] - b->lower[axis], b->upper[axis] - a->lower[axis]));
        area *= overlap > 0 ? overlap : 1;
        flat += overlap == 0;
        gap_sq += overlap < 0 ? overlap * overlap : 0;
    }
    if (gap_sq > 0)
    {
        double square = clearance * clearance, excess = (square - gap_sq) + fma(clearance, clearance, -square);
        return (expected){.verdict = excess > 0 ? "too_close" : NULL, .number = gap_sq};
    }
    if (flat > 0)
        return (expected){.verdict = "touches", .touch = kinds[flat], .number = flat == 1 ? area : 0};
    if (within(a, b) && within(b, a))
        return (expected){.verdict = "duplicate"};
    if (within(a, b) || within(b, a))
        return (expected){.verdict = "contains", .a_in_b = within(a, b)};
    return (expected){.verdict = "crosses", .number = depth, .depth = interference(a, b), .volume = area};
}

static void check_numbers(const cJSON *found, const expected *e, tally *t)
{
    if (strcmp(e->verdict, "contains") == 0)
    {
        t->contains++;
        assert_string_equal(json_string(found, "contains"), e->a_in_b ? "a_in_b" : "b_in_a");
    }
    else if (strcmp(e->verdict, "crosses") == 0)
    {
        t->crosses++;
        assert_true(number_at(found, "way_out", 0) > 0 && number_at(found, "way_out", 0) <= e->number &&
                    number_at(found, "way_out", 1) >= e->number);
        assert_true(number_at(found, "depth", 0) > 0 && number_at(found, "depth", 0) <= e->depth &&
                    number_at(found, "depth", 1) >= e->depth);
        const cJSON *volume = cJSON_GetObjectItem(found, "volume");
        assert_true(fabs(json_number(volume, "value") - e->volume) <= json_number(volume, "error"));
    }
    else if (strcmp(e->verdict, "touches") == 0)
    {
        t->touches++;
        assert_string_equal(json_string(found, "touch"), e->touch);
        assert_true(fabs(json_number(found, "area") - e->number) <= 1e-9 * e->number);
    }
    else if (strcmp(e->verdict, "too_close") == 0)
    {
        t->too_close++;
        double lower = number_at(found, "gap", 0), upper = number_at(found, "gap", 1);
        assert_true(lower * lower <= e->number * (1 + 1e-15) && upper * upper >= e->number * (1 - 1e-15));
    }
    else
        t->duplicates++;
}

static const box *box_named(const box *boxes, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(boxes[i].name, name) == 0)
            return &boxes[i];
    fail_msg("there is no box '%s'", name);
    return NULL;
}

/* Boxes are in the order of their names. */
static void check_findings(const cJSON *document, const box *boxes, size_t count, double clearance, tally *t)
{
    const cJSON *found;
    size_t wanted = 0, duplicates = 0;
    for (size_t i = 0; i < count; i++)
    {
        bool first = true; /* box of a set that has a later one */
        for (size_t k = 0; k < count; k++)
        {
            expected e = judge(&boxes[i], &boxes[k], clearance);
            bool same = i != k && e.verdict != NULL && strcmp(e.verdict, "duplicate") == 0;
            first = first && !(same && k < i);
            wanted += k > i && e.verdict != NULL && !same;
        }
        for (size_t k = i + 1; k < count && first; k++)
        {
            expected e = judge(&boxes[i], &boxes[k], clearance);
            bool same = e.verdict != NULL && strcmp(e.verdict, "duplicate") == 0;
            duplicates += same;
            first = !same;
        }
    }
    assert_int_equal(summary(document, "findings"), wanted + duplicates);
    cJSON_ArrayForEach(found, cJSON_GetObjectItem(document, "findings"))
    {
        const box *a = box_named(boxes, count, json_string(found, "a"));
        const box *b = box_named(boxes, count, json_string(found, "b"));
        expected e = judge(a, b, clearance);
        assert_true(a < b && e.verdict != NULL);
        assert_string_equal(json_string(found, "verdict"), e.verdict);
        check_numbers(found, &e, t);
    }
    assert_int_equal(summary(document, "parts"), count);
    assert_int_equal(summary(document, "pairs_possible"), count * (count - 1) / 2);
    assert_int_equal(summary(document, "pairs_culled") + summary(document, "pairs_tested"), count * (count - 1) / 2);
}

static size_t make_boxes(test_random *random, box *boxes, char names[][8])
{
    size_t count = (size_t)random_between(random, 2, MOST_BOXES);
    bool far = random_below(random, 3) == 0;
    const double origin[3] = {far ? 8e4 : 0, far ? 1.2e6 : 0, 0};
    for (size_t i = 0; i < count; i++)
    {
        snprintf(names[i], 8, "p%d", (int)(i % 10));
        if (i > 0 && random_below(random, 5) == 0)
            boxes[i] = boxes[random_below(random, (int)i)];
        else
            for (int axis = 0; axis < 3; axis++)
            {
                boxes[i].lower[axis] = origin[axis] + random_below(random, 6);
                boxes[i].upper[axis] = boxes[i].lower[axis] + 1 + random_below(random, 5);
            }
        boxes[i].name = names[i];
    }
    return count;
}

/* Writes the boxes from the given one on, and then those before it. */
static void write_from(const char *path, const box *boxes, size_t count, size_t start, test_random random)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++)
        put_triangles(file, &boxes[(start + i) % count], &random, 1 + 8 * (int)i);
    assert_int_equal(fclose(file), 0);
}

static void verdicts_of_boxes_on_a_grid_are_those_of_arithmetic(void **state)
{
    (void)state;
    test_random random = test_random_start("verdicts of boxes on a grid", 5);
    const double clearances[] = {0, 1, nextafter(1, 2), 1.5, 2, sqrt(2), nextafter(sqrt(2), 2), sqrt(3), sqrt(5), 3};
    tally t = {0};
    for (int n = 0; n < RUNS; n++)
    {
        box boxes[MOST_BOXES + 1];
        char names[MOST_BOXES + 1][8], text[32];
        size_t count = make_boxes(&random, boxes, names);
        double clearance = clearances[n % 10];
        snprintf(text, sizeof text, "%.17g", clearance);
        write_from("grid.obj", boxes, count, 0, random);
        tool_result one = RUN("clash", "grid.obj", "--clearance", text, "--json");
        tool_result two = RUN("clash", "grid.obj", "--clearance", text, "--json", "--threads", "2");
        assert_string_equal(one.out, two.out);
        tool_release(&two);
        cJSON *document = cJSON_Parse(one.out);
        check_findings(document, boxes, count, clearance, &t);
        assert_int_equal(one.code, summary(document, "findings") > 0);
        write_from("grid.obj", boxes, count, 1 + (size_t)random_below(&random, (int)count), random);
        two = RUN("clash", "grid.obj", "--clearance", text, "--json");
        cJSON *other = cJSON_Parse(two.out);
        check_findings(other, boxes, count, clearance, &t);
        tool_release(&one);
        tool_release(&two);
        cJSON_Delete(document);
        cJSON_Delete(other);
    }
    printf("%zu contain, %zu cross, %zu touch, %zu too close, %zu duplicates\n", t.contains, t.crosses, t.touches,
           t.too_close, t.duplicates);
    assert_true(t.contains > 10 && t.crosses > 100 && t.touches > 100 && t.too_close > 50 && t.duplicates > 20);
}

/* The order of files does not change the answer, down to the last digit. */
static void findings_do_not_depend_on_the_order_of_files(void **state)
{
    (void)state;
    WRITE_BOXES("one.obj", {"a", {0, 0, 0}, {4, 4, 4}}, {"z", {0.5, 0.25, 6}, {3, 3, 7}});
    WRITE_BOXES("two.obj", {"m", {1, 1, 3}, {2, 2, 5}}, {"b", {4, 1, 1}, {5, 2, 2}});
    cJSON *first = expect_json(RUN("clash", "one.obj", "two.obj", "--clearance", "2", "--json"), 1);
    cJSON *second = expect_json(RUN("clash", "two.obj", "one.obj", "--clearance", "2", "--json"), 1);
    assert_int_equal(summary(first, "findings"), 3);
    assert_true(cJSON_Compare(cJSON_GetObjectItem(first, "findings"), cJSON_GetObjectItem(second, "findings"), true));
    cJSON_Delete(first);
    cJSON_Delete(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_of_boxes_on_a_grid_are_those_of_arithmetic),
                                       cmocka_unit_test(findings_do_not_depend_on_the_order_of_files)};
    return cmocka_run_group_tests(tests, enter_temporary_directory, leave_temporary_directory);
}
