/* SPDX-License-Identifier: MIT */
/*
 * Stands before cmocka's own runner in the copy that scripts/mutants.py builds. With GRAZE_MUTANT_RECORD every case
 * runs by itself, and its name, whether it passed, its processor time and the mutants that would have made a difference
 * are written to that file. With GRAZE_MUTANT_CASES (numbers or names of cases, with commas) only those run, until one
 * fails; the exit code is its number + 1.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef int run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                      CMFixtureFunction teardown);

extern int grz_mutant;
extern unsigned char grz_mutant_seen[];
extern const int grz_mutant_count;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void record(run_group *run, FILE *out, const struct CMUnitTest *test, CMFixtureFunction setup,
                   CMFixtureFunction teardown)
{
    memset(grz_mutant_seen, 0, (size_t)grz_mutant_count);
    double before = processor_time();
    int failed = run("case", test, 1, setup, teardown);
    fprintf(out, "%s %d %.4f", test->name, failed, processor_time() - before);
    for (int n = 1; n < grz_mutant_count; n++)
        if (grz_mutant_seen[n])
            fprintf(out, " %d", n);
    fprintf(out, "\n");
    fflush(out);
}

static size_t find_case(const struct CMUnitTest *tests, size_t count, const char *name, size_t length)
{
    if (name[0] >= '0' && name[0] <= '9')
        return (size_t)strtoul(name, NULL, 10);
    size_t i = 0;
    while (i < count && (strncmp(tests[i].name, name, length) != 0 || tests[i].name[length] != '\0'))
        i++;
    return i;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *const tests, const size_t count,
                            CMFixtureFunction setup, CMFixtureFunction teardown)
{
    run_group *run = (run_group *)dlsym(RTLD_NEXT, "_cmocka_run_group_tests");
    const char *file = getenv("GRAZE_MUTANT_RECORD"), *cases = getenv("GRAZE_MUTANT_CASES");
    if (file != NULL)
    {
        FILE *out = fopen(file, "w");
        for (size_t i = 0; i < count; i++)
            record(run, out, &tests[i], setup, teardown);
        fclose(out);
        return 0;
    }
    if (cases == NULL)
        return run(name, tests, count, setup, teardown);
    while (*cases != '\0')
    {
        size_t length = strcspn(cases, ","), i = find_case(tests, count, cases, length);
        if (i < count && run("case", &tests[i], 1, setup, teardown) != 0)
            return (int)i + 1;
        cases += length + (cases[length] == ',');
    }
    return 0;
}
