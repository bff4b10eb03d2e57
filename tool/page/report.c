/* SPDX-License-Identifier: MIT */
/* Writes a report page; see report.h. */
#include "page/report.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graze/status.h"
#include "page/mesh_block.h"
#include "page/mesh_selection.h"
#include "page/title.h"
#include "page/viewer_page.h"
#include "shell/line_reader.h"
#include "shell/output.h"

bool page_budget_from(const char *text, size_t *out_budget)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long long number = strtoull(text, &end, 10);
    if (*end != '\0' || number > SIZE_MAX / 4)
        return false;
    *out_budget = (size_t)number;
    return true;
}

void page_real(grz_json_writer *json, const char *key, double number)
{
    grz_json_put_key(json, key);
    grz_json_put_real(json, number);
}

void page_problem(grz_json_writer *json, const char *part, const char *what)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "part", part != NULL && part[0] != '\0' ? part : NULL);
    grz_json_put_member_text(json, "what", what);
    grz_json_close(json);
}

/* By part, the index of its input; input_count where there is none. Parts of one file are mostly contiguous. */
static size_t *inputs_of_parts(const page_report *page)
{
    size_t *of = calloc(page->part_count + 1, sizeof *of);
    for (size_t i = 0, at = 0; i < page->part_count && of != NULL; i++)
    {
        for (size_t tried = 0; tried < page->input_count; tried++, at = (at + 1) % page->input_count)
            if (strcmp(display_name(page->inputs[at].path), page->parts[i].file) == 0)
                break;
        bool found = at < page->input_count && strcmp(display_name(page->inputs[at].path), page->parts[i].file) == 0;
        of[i] = found ? at : page->input_count;
    }
    return of;
}

static bool write_inputs(grz_json_writer *json, const page_report *page, const size_t *input_of)
{
    uint64_t *counts = calloc(2 * page->input_count + 2, sizeof *counts);
    if (counts == NULL)
        return false;
    for (size_t i = 0; i < page->part_count; i++)
    {
        counts[2 * input_of[i]]++;
        counts[2 * input_of[i] + 1] += graze_mesh_triangle_count(page->parts[i].mesh);
    }
    grz_json_put_key(json, "inputs");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < page->input_count; i++)
    {
        const page_input *input = &page->inputs[i];
        bool is_known = input->sha256[0] != '\0';
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_member_text(json, "path", display_name(input->path));
        grz_json_put_member_text(json, "sha256", is_known ? input->sha256 : NULL);
        if (is_known)
            grz_json_put_member_count(json, "size", input->size);
        grz_json_put_member_count(json, "parts", counts[2 * i]);
        grz_json_put_member_count(json, "triangles", counts[2 * i + 1]);
        grz_json_close(json);
    }
    grz_json_close(json);
    free(counts);
    return true;
}

static bool write_header(grz_json_writer *json, const page_report *page, const size_t *input_of)
{
    char tool[64];
    snprintf(tool, sizeof tool, "graze %s", graze_version_text());
    char *title = page_title(page->inputs, page->input_count);
    if (title == NULL)
        return false;
    grz_json_put_key(json, "header");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "tool", tool);
    grz_json_put_member_text(json, "title", title);
    grz_json_put_member_text(json, "units", page->units);
    grz_json_put_member_text(json, "up", page_has_y_up(page->inputs, page->input_count) ? "y" : "z");
    bool done = write_inputs(json, page, input_of);
    if (page->frames > 0)
        grz_json_put_member_count(json, "frames", page->frames);
    if (page->step != NULL)
        grz_json_put_member_text(json, "step", page->step);
    if (page->write_header != NULL)
        page->write_header(json, page->user);
    grz_json_close(json);
    free(title);
    return done;
}

/* Writes the components between slashes. */
static bool write_path(grz_json_writer *json, const char *name)
{
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (copy == NULL)
        return false;
    memcpy(copy, name, size);
    grz_json_put_key(json, "path");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (char *at = copy, *slash; at != NULL; at = slash)
    {
        slash = strchr(at, '/');
        if (slash != NULL)
            *slash++ = '\0';
        if (*at != '\0' || slash == NULL)
            grz_json_put_text(json, *at != '\0' ? at : name);
    }
    grz_json_close(json);
    free(copy);
    return true;
}

/* AABB of the placed vertices, rounded to nearest: for display only. */
static void box_of(const page_part *part, double box[6])
{
    const double *vertices = graze_mesh_vertices(part->mesh), *m = part->pose.m;
    const uint32_t *corners = graze_mesh_triangles(part->mesh);
    size_t corner_count = 3 * graze_mesh_triangle_count(part->mesh);
    for (size_t axis = 0; axis < 3; axis++)
    {
        box[axis] = DBL_MAX;
        box[3 + axis] = -DBL_MAX;
        for (size_t i = 0; i < corner_count; i++)
        {
            const double *v = vertices + 3 * (size_t)corners[i], *row = m + 4 * axis;
            double at = fmin(fmax(row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3], -DBL_MAX), DBL_MAX);
            box[axis] = fmin(box[axis], at);
            box[3 + axis] = fmax(box[3 + axis], at);
        }
        if (box[axis] > box[3 + axis])
            box[axis] = box[3 + axis] = m[4 * axis + 3];
    }
}

/* Twelve digits, more than a screen can tell. */
static void put_shown(grz_json_writer *json, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        char text[40];
        snprintf(text, sizeof text, "%.12g", numbers[i]);
        grz_json_put_real(json, strtod(text, NULL));
    }
}

static bool is_translation(const graze_motion *motion)
{
    return memcmp(motion->quaternion[0], motion->quaternion[1], sizeof motion->quaternion[0]) == 0;
}

/* From frame to frame: null where it rests, else the turn: both quaternions (one where they are the same), centre,
 * start and way. */
static void write_track(grz_json_writer *json, const page_part *part, uint32_t frames)
{
    grz_json_put_key(json, "track");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (uint32_t i = 0; i + 1 < frames; i++)
    {
        const graze_motion *motion = &part->motions[i];
        if (motion->kind == GRAZE_MOTION_STILL)
        {
            grz_json_put_null(json);
            continue;
        }
        grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
        put_shown(json, motion->quaternion[0], 4);
        if (!is_translation(motion))
            put_shown(json, motion->quaternion[1], 4);
        put_shown(json, motion->centre, 3);
        put_shown(json, motion->path[0], 3);
        put_shown(json, motion->path[1], 3);
        grz_json_close(json);
    }
    grz_json_close(json);
}

static bool write_part(grz_json_writer *json, const page_report *page, size_t i, const page_meshes *meshes,
                       const size_t *input_of)
{
    const page_part *part = &page->parts[i];
    graze_pose identity = graze_pose_identity();
    double box[6];
    box_of(part, box);
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_text(json, "name", part->name);
    bool done = write_path(json, part->name);
    if (input_of[i] < page->input_count)
        grz_json_put_member_count(json, "file", input_of[i]);
    grz_json_put_member_count(json, "triangles", graze_mesh_triangle_count(part->mesh));
    grz_json_put_key(json, "box");
    grz_json_put_reals(json, box, 6);
    grz_json_put_key(json, "closed");
    grz_json_put_bool(json, part->closed);
    if (memcmp(part->pose.m, identity.m, sizeof identity.m) != 0)
    {
        grz_json_put_key(json, "transform");
        grz_json_put_reals(json, part->pose.m, 12);
    }
    if (part->motions != NULL && page->frames > 1)
        write_track(json, part, page->frames);
    if (part->hidden)
    {
        grz_json_put_key(json, "hidden");
        grz_json_put_bool(json, true);
    }
    if (part->piece != 0)
        grz_json_put_member_count(json, "piece", part->piece);
    if (meshes->full[i] != 0)
        grz_json_put_member_count(json, "geometry", meshes->full[i] - 1);
    if (meshes->reduced[i] != 0)
        grz_json_put_member_count(json, "reduced", meshes->reduced[i] - 1);
    grz_json_close(json);
    return done;
}

static bool write_json(grz_json_writer *json, const page_report *page, const page_meshes *meshes)
{
    size_t *input_of = inputs_of_parts(page);
    bool done = input_of != NULL;
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_text(json, "graze", "report");
    grz_json_put_member_count(json, "version", 2);
    done = done && write_header(json, page, input_of);
    grz_json_put_key(json, "parts");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < page->part_count && done; i++)
        done = write_part(json, page, i, meshes, input_of);
    grz_json_close(json);
    grz_json_put_key(json, "geometries");
    grz_json_open(json, GRZ_JSON_LONG_ARRAY);
    for (size_t i = 0; i < meshes->count; i++)
        mesh_block_describe(json, meshes->blocks[i].mesh, meshes->blocks[i].closed, meshes->blocks[i].shape);
    grz_json_close(json);
    if (page->write_body != NULL)
        page->write_body(json, page->user);
    grz_json_close(json);
    free(input_of);
    return done;
}

/* A name in the JSON may hold "</script>", which would end the element: every "<" is escaped. */
static bool copy_safely(FILE *from, FILE *out)
{
    rewind(from);
    for (int c; (c = getc(from)) != EOF;)
    {
        if (c == '<')
            fputs("\\u003c", out);
        else
            putc(c, out);
    }
    return ferror(from) == 0;
}

bool page_write(const page_report *page, FILE *out)
{
    page_meshes meshes;
    bool done = page_meshes_select(page, &meshes);
    FILE *json_file = done ? tmpfile() : NULL;
    done = json_file != NULL;
    if (done)
    {
        grz_sink sink = file_sink(json_file);
        grz_json_writer json = grz_json_start(&sink);
        done = write_json(&json, page, &meshes);
        fwrite(page_bytes, 1, page_size, out);
        fprintf(out, "<script type=\"application/json\" id=\"graze-report\">");
        done = fflush(json_file) == 0 && copy_safely(json_file, out) && done;
        fprintf(out, "</script>\n");
        fclose(json_file);
    }
    for (size_t i = 0; i < meshes.count && done; i++)
        done = mesh_block_write(out, meshes.blocks[i].mesh, i);
    page_meshes_release(&meshes);
    return done;
}
