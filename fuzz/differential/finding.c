/* SPDX-License-Identifier: MIT */
/* Reports of wrong answers; see finding.h. */
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_NOTES = 64,
    NOTES_TEXT = 4096
};

typedef struct note
{
    const char *name;
    const small_mesh *shape; /* or */
    const graze_pose *pose;
} note;

static note notes[MOST_NOTES];
static int note_count;
static char text[NOTES_TEXT];

void finding_start(void)
{
    note_count = 0;
    text[0] = '\0';
}

void finding_note_mesh(const char *name, const small_mesh *shape)
{
    if (note_count < MOST_NOTES)
        notes[note_count++] = (note){name, shape, NULL};
}

void finding_note_pose(const char *name, const graze_pose *pose)
{
    if (note_count < MOST_NOTES)
        notes[note_count++] = (note){name, NULL, pose};
}

void finding_note_text(const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
}

static void print_mesh(const char *name, const small_mesh *shape)
{
    fprintf(stderr, "double %s_vertices[][3] = {", name);
    for (uint32_t i = 0; i < shape->vertex_count; i++)
        fprintf(stderr, "%s{%.17g, %.17g, %.17g}", i > 0 ? ", " : "", shape->vertices[i][0], shape->vertices[i][1],
                shape->vertices[i][2]);
    fprintf(stderr, "};\nuint32_t %s_corners[][3] = {", name);
    for (uint32_t i = 0; i < shape->triangle_count; i++)
        fprintf(stderr, "%s{%u, %u, %u}", i > 0 ? ", " : "", shape->triangles[i][0], shape->triangles[i][1],
                shape->triangles[i][2]);
    fprintf(stderr, "};\n");
}

static void print_pose(const char *name, const graze_pose *pose)
{
    fprintf(stderr, "graze_pose %s = {{", name);
    for (int i = 0; i < 12; i++)
        fprintf(stderr, "%s%.17g", i > 0 ? ", " : "", pose->m[i]);
    fprintf(stderr, "}};\n");
}

static void print_notes(void)
{
    for (int i = 0; i < note_count; i++)
    {
        if (notes[i].shape != NULL)
            print_mesh(notes[i].name, notes[i].shape);
        else
            print_pose(notes[i].name, notes[i].pose);
    }
    fprintf(stderr, "%s\n", text);
}

void finding_show(void)
{
    if (getenv("GRAZE_FUZZ_SHOW") != NULL)
        print_notes();
}

void finding(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "\n---- a finding ----\n");
    print_notes();
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n-------------------\n");
    abort();
}
