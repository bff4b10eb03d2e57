/* SPDX-License-Identifier: MIT */
/* BCF files and folders of pictures; see pictures.h. Parts too large for a camera have no picture, and are counted. */
#define _POSIX_C_SOURCE 200809L

#include "clash/pictures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "page/title.h"
#include "picture/finding_picture.h"
#include "scene/inputs.h"
#include "shell/execution.h"
#include "shell/output.h"
#include "text/format.h"

static const int64_t earliest = 315532800;    /* 1980-01-01, which is the first that zip archives know */
static const long long latest = 253402300799; /* 9999-12-31T23:59:59Z */

/* One picture and the memory to draw it. */
typedef struct picture_slot
{
    picture_maker maker;
    png_file file; /* empty: none */
    graze_status status;
} picture_slot;

/* A report as it is drawn and written: pictures in batches of consecutive findings, in parallel. */
typedef struct picture_run
{
    const graze_context *context;
    const graze_clash_report *report;
    picture_slot *slots;
    size_t slot_count;
    size_t first, end; /* findings in the slots */
    bool y_up;
    int64_t date;
    size_t missing;      /* findings without a picture */
    graze_status status; /* of the writer */
} picture_run;

exit_code clash_date_of(const tool_console *console, const graze_clash_report *report, int64_t *out_seconds)
{
    const char *variable = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds = 0;
    if (variable != NULL && variable[0] != '\0')
    {
        char *end = NULL;
        errno = 0;
        long long value = strtoll(variable, &end, 10);
        if (errno != 0 || *end != '\0' || variable[0] < '0' || variable[0] > '9' || value > latest)
            return report_error(console, EXIT_USAGE,
                                "SOURCE_DATE_EPOCH is '%s', which is no number of seconds since 1970", variable);
        *out_seconds = value;
        return 0;
    }
    for (size_t i = 0; i < report->input_count; i++)
    {
        struct stat facts;
        if (stat(report->inputs[i].path, &facts) == 0 && (int64_t)facts.st_mtime > seconds)
            seconds = facts.st_mtime;
    }
    *out_seconds = seconds > 0 ? seconds : earliest;
    return 0;
}

static bool has_y_up(const graze_clash_report *report)
{
    page_input *inputs = calloc(report->input_count + 1, sizeof *inputs);
    for (size_t i = 0; i < report->input_count && inputs != NULL; i++)
        inputs[i].path = report->inputs[i].path;
    bool result = inputs != NULL && page_has_y_up(inputs, report->input_count);
    free(inputs);
    return result;
}

/* False when out of memory. Close in any case. */
static bool open_run(picture_run *run, const graze_context *context, const graze_clash_report *report)
{
    size_t threads = context->tasks.concurrency;
    *run = (picture_run){.context = context, .report = report, .y_up = has_y_up(report)};
    run->slot_count = threads > 1 ? 2 * threads : 1;
    run->slots = calloc(run->slot_count, sizeof *run->slots);
    bool fits = run->slots != NULL;
    for (size_t i = 0; i < run->slot_count && fits; i++)
        fits = picture_maker_create(&run->slots[i].maker);
    return fits;
}

static void close_run(picture_run *run)
{
    for (size_t i = 0; i < run->slot_count && run->slots != NULL; i++)
    {
        free(run->slots[i].file.bytes);
        picture_maker_release(&run->slots[i].maker);
    }
    free(run->slots);
}

static void draw_slot(void *argument, size_t index)
{
    picture_run *run = argument;
    picture_slot *slot = &run->slots[index];
    free(slot->file.bytes);
    slot->file = (png_file){NULL, 0};
    slot->status = picture_of_finding(&slot->maker, run->report, &run->report->findings[run->first + index], run->y_up,
                                      &slot->file);
}

/* The picture of a finding, which is drawn with those that follow; of a finding without one the size is 0. Findings are
 * asked for in their order. */
static graze_status picture_at(picture_run *run, size_t finding, const png_file **out_file)
{
    if (finding >= run->end)
    {
        size_t left = run->report->finding_count - finding;
        size_t count = left < run->slot_count ? left : run->slot_count;
        run->first = finding;
        run->end = finding + count;
        run_tasks(run->context, count, draw_slot, run);
    }
    const picture_slot *slot = &run->slots[finding - run->first];
    *out_file = &slot->file;
    run->missing += slot->status == GRAZE_STATUS_NOT_FINITE;
    return slot->status == GRAZE_STATUS_NOT_FINITE ? GRAZE_STATUS_OK : slot->status;
}

static graze_status take_snapshot(void *user, size_t finding, const void **out_png, size_t *out_size)
{
    picture_run *run = user;
    const png_file *file = NULL;
    graze_status status = picture_at(run, finding, &file);
    *out_png = file->bytes;
    *out_size = file->size;
    return status;
}

static bool write_bcf(const void *user, FILE *out)
{
    picture_run *run = *(picture_run *const *)user;
    graze_clash_bcf_options options = graze_clash_bcf_options_default();
    options.date = run->date;
    options.y_up = run->y_up;
    options.snapshot = take_snapshot;
    options.snapshot_user = run;
    run->status = graze_clash_write_bcf(run->report, &options, write_to_file, out);
    return run->status != GRAZE_STATUS_OUT_OF_MEMORY;
}

static void print_written(const tool_console *console, const picture_run *run, const char *path, const char *what)
{
    print_note(console, "%s: %s written", path, what);
    if (run->missing > 0)
        print_note(console, "%s: %s too large for a picture", path, grz_counted(run->missing, "finding").text);
}

exit_code clash_write_bcf(const tool_console *console, const graze_context *context, const char *path,
                          const graze_clash_report *report)
{
    picture_run run, *user = &run;
    bool fits = open_run(&run, context, report);
    exit_code code = fits ? clash_date_of(console, report, &run.date)
                          : report_error(console, EXIT_INTERNAL, "%s: out of memory", path);
    if (code == 0)
        code = output_write(console, path, write_bcf, &user);
    if (code == 0 && run.status == GRAZE_STATUS_TOO_LARGE)
        code =
            report_error(console, EXIT_INPUT,
                         "%s cannot be written: a BCF file holds up to 21,844 findings with pictures, and 4 GiB", path);
    else if (code == 0 && run.status != GRAZE_STATUS_OK && run.status != GRAZE_STATUS_CANCELLED)
        code = report_error(console, exit_code_of(run.status), "%s: %s", path, graze_status_text(run.status));
    if (code == 0)
        print_written(console, &run, path, grz_counted(report->finding_count, "topic").text);
    close_run(&run);
    return code;
}

static bool put_picture(const void *user, FILE *out)
{
    const png_file *file = user;
    (void)!fwrite(file->bytes, 1, file->size, out); /* the file notices what fails */
    return true;
}

/* Makes a folder unless there is one. */
static exit_code make_folder(const tool_console *console, const char *folder)
{
    struct stat facts;
    if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode)))
        return 0;
    return report_error(console, EXIT_INPUT, "%s: no folder for pictures: %s", folder, strerror(errno));
}

exit_code clash_write_pictures(const tool_console *console, const graze_context *context, const char *folder,
                               const graze_clash_report *report)
{
    picture_run run;
    exit_code code = make_folder(console, folder);
    bool fits = open_run(&run, context, report);
    for (size_t i = 0; i < report->finding_count && fits && code == 0; i++)
    {
        const png_file *file = NULL;
        graze_status status = picture_at(&run, i, &file);
        char *path = format_text("%s/%03zu-%s.png", folder, i + 1, report->findings[i].id);
        fits = path != NULL && status == GRAZE_STATUS_OK;
        if (fits && file->size > 0)
            code = output_write(console, path, put_picture, file);
        free(path);
    }
    if (!fits && code == 0)
        code = report_error(console, EXIT_INTERNAL, "%s: out of memory", folder);
    if (code == 0)
        print_written(console, &run, folder, grz_counted(report->finding_count - run.missing, "picture").text);
    close_run(&run);
    return code;
}
