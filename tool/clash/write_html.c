/* SPDX-License-Identifier: MIT */
/* graze clash as a report page (page/report.h): the library writes what is the report's, the page its parts and meshes.
 * Parts in findings are stored in full. */
#include <stdlib.h>

#include "clash/output.h"
#include "page/report.h"

static bool put_bytes(void *user, const char *bytes, size_t size)
{
    grz_sink *sink = user;
    grz_sink_bytes(sink, bytes, size);
    return !sink->failed;
}

static void write_header(grz_json_writer *json, const void *user)
{
    (void)graze_clash_write_page_header(user, put_bytes, json->out); /* the file notices what fails */
}

static void write_body(grz_json_writer *json, const void *user)
{
    (void)graze_clash_write_page_body(user, put_bytes, json->out);
}

static void mark_findings(const graze_clash_report *report, page_part *parts)
{
    for (size_t i = 0; i < report->undecided_count; i++)
        parts[report->undecided[i].a].matters = parts[report->undecided[i].b].matters = true;
    for (size_t i = 0; i < report->finding_count; i++)
    {
        const graze_clash_finding *f = &report->findings[i];
        parts[f->a].matters = parts[f->b].matters = true;
        for (size_t k = 0; k < f->set_count; k++)
            parts[f->set[k]].matters = true;
    }
}

bool clash_write_html(const clash_document *document, FILE *out)
{
    const graze_clash_report *report = document->report;
    page_part *parts = calloc(report->part_count + 1, sizeof *parts);
    page_input *inputs = calloc(report->input_count + 1, sizeof *inputs);
    bool done = parts != NULL && inputs != NULL;
    for (size_t i = 0; i < report->part_count && done; i++)
    {
        const graze_clash_part *part = &report->parts[i];
        parts[i] = (page_part){.name = part->name,
                               .file = part->file,
                               .mesh = part->mesh,
                               .shape = part->shape,
                               .pose = part->pose,
                               .closed = report->facts[i].closed,
                               .motions = document->tracks != NULL ? document->tracks[i].motions : NULL};
    }
    for (size_t i = 0; i < report->input_count && done; i++)
        inputs[i] = (page_input){report->inputs[i].path, report->inputs[i].hash, report->inputs[i].size};
    if (done)
    {
        mark_findings(report, parts);
        page_report page = {.inputs = inputs,
                            .input_count = report->input_count,
                            .parts = parts,
                            .part_count = report->part_count,
                            .units = report->units,
                            .budget = document->page_budget,
                            .frames = report->frame_count,
                            .write_header = write_header,
                            .write_body = write_body,
                            .user = report};
        done = page_write(&page, out);
    }
    free(parts);
    free(inputs);
    return done;
}
