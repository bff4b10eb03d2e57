/* SPDX-License-Identifier: MIT */
/*
 * A report page: the viewer (viewer_page.h), followed by its data as JSON, and by meshes as blocks (viewer/README.md).
 * graze clash and graze view write it; each adds its own members through callbacks. No byte of a page depends on
 * clocks, addresses or threads.
 */
#ifndef TOOL_PAGE_REPORT_H
#define TOOL_PAGE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "graze/mesh.h"
#include "graze/motion.h"
#include "graze/pose.h"
#include "graze/shape.h"
#include "text/json_writer.h"

/* An input file. */
typedef struct page_input
{
    const char *path;
    const char *sha256; /* "" if not known */
    uint64_t size;
} page_input;

typedef struct page_part
{
    const char *name;
    const char *file; /* path of an input */
    const graze_mesh *mesh;
    graze_pose pose;
    bool closed;
    bool matters;                /* it is stored in full */
    const graze_shape *shape;    /* what the mesh stands for, in the same frame; NULL: nothing but itself */
    size_t piece;                /* number of a piece of a compound, from 1; 0: no piece */
    bool hidden;                 /* until one asks for it */
    const graze_motion *motions; /* still ones and turns from frame to frame, frames - 1 of them; NULL: it stays */
} page_part;

/* Writes members of the open object. */
typedef void (*page_writer)(grz_json_writer *json, const void *user);

typedef struct page_report
{
    const page_input *inputs;
    size_t input_count;
    const page_part *parts;
    size_t part_count;
    const char *units;        /* or NULL */
    size_t budget;            /* triangles; see mesh_selection.h */
    uint32_t frames;          /* 0: nothing moves */
    const char *step;         /* what leads from one to the next: "move"; NULL: nothing in particular */
    page_writer write_header; /* further members of the header besides tool, title, inputs and units; or NULL */
    page_writer write_body;   /* members after the parts: findings, problems; or NULL */
    const void *user;
} page_report;

/* Default budget: see mesh_selection.h. */
enum
{
    PAGE_BUDGET = 1000000
};

/* Parses the value of an option, an integer from 0. False when it is none. */
bool page_budget_from(const char *text, size_t *out_budget);

/* Returns false when out of memory. */
bool page_write(const page_report *page, FILE *out);

/* Writes a number as member of an object. */
void page_real(grz_json_writer *json, const char *key, double number);

/* Writes an entry of "problems". */
void page_problem(grz_json_writer *json, const char *part, const char *what);

#endif
