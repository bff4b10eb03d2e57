/* SPDX-License-Identifier: MIT */
/*
 * A page to look at: the viewer (viewer_page.h), followed by what it shows as JSON, and by meshes as blocks
 * (viewer/README.md). graze clash and graze view write it; what only one of them has to say, it says through the
 * functions it gives. Nothing in a page depends on clocks, addresses or threads.
 */
#ifndef TOOL_PAGE_REPORT_H
#define TOOL_PAGE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "graze/mesh.h"
#include "graze/pose.h"
#include "shell/json_writer.h"

/* A file that parts come from. */
typedef struct page_input
{
    const char *path;
    const char *sha256; /* "" where it is not known */
    uint64_t size;
} page_input;

typedef struct page_part
{
    const char *name;
    const char *file; /* path of an input */
    const graze_mesh *mesh;
    graze_pose pose;
    bool closed;
    bool matters; /* it is to be there in full */
} page_part;

/* Writes some members of the object that is open. */
typedef void (*page_writer)(json_writer *json, const void *user);

typedef struct page_report
{
    const page_input *inputs;
    size_t input_count;
    const page_part *parts;
    size_t part_count;
    const char *units;        /* or NULL */
    size_t budget;            /* triangles; see mesh_selection.h */
    page_writer write_header; /* what stands in the header besides tool, title, inputs and units; or NULL */
    page_writer write_body;   /* what follows the parts: findings, problems; or NULL */
    const void *user;
} page_report;

/* What a page holds unless told otherwise: see mesh_selection.h. */
enum
{
    PAGE_BUDGET = 1000000
};

/* Reads the value of an option, a number from 0. False when it is none. */
bool page_budget_from(const char *text, size_t *out_budget);

/* False when memory ends. */
bool page_write(const page_report *page, FILE *out);

/* A member of an object. */
void page_real(json_writer *json, const char *key, double number);

/* A member of "problems". */
void page_problem(json_writer *json, const char *part, const char *what);

#endif
