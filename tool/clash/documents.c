/* SPDX-License-Identifier: MIT */
/* Rules and baselines from files, and values of options; see documents.h. */
#include "clash/documents.h"

#include <stdlib.h>
#include <string.h>

#include "shell/file_hash.h"
#include "shell/json_document.h"
#include "text/normalization.h"
#include "text/pattern.h"

static exit_code print_source_error(const tool_console *console, const char *path, const graze_error *error)
{
    return print_document_error(console, error->status == GRAZE_STATUS_OUT_OF_MEMORY ? EXIT_INTERNAL : EXIT_INPUT, path,
                                error->text, error->line != GRAZE_NO_INDEX);
}

/* A source with the text of a file, which the caller frees. */
static exit_code read_source(const tool_console *console, const char *path, graze_clash_source *out_source)
{
    char *text = NULL;
    *out_source = (graze_clash_source){.name = path};
    exit_code code = read_text_file(console, path, &text, &out_source->size);
    out_source->text = text;
    return code;
}

exit_code clash_read_rules(const tool_request *request, size_t option, graze_clash_rules **out_rules)
{
    graze_clash_source sources[REPEAT_LIMIT];
    size_t count = 0, at = 0;
    exit_code code = 0;
    for (const char *path = request_next(request, option, &at); path != NULL && code == 0;
         path = request_next(request, option, &at))
        code = read_source(request->console, path, &sources[count++]);
    graze_error error = {.status = GRAZE_STATUS_OK, .index = 0};
    *out_rules = NULL;
    if (code == 0 && count > 0 && graze_clash_rules_create(NULL, sources, count, &error, out_rules) != GRAZE_STATUS_OK)
        code = print_source_error(request->console, sources[error.index < count ? error.index : 0].name, &error);
    for (size_t i = 0; i < count; i++)
        free((char *)sources[i].text);
    return code;
}

exit_code clash_read_baseline(const tool_console *console, const char *path, graze_clash_baseline **out_baseline)
{
    graze_clash_source source;
    graze_error error;
    exit_code code = read_source(console, path, &source);
    *out_baseline = NULL;
    if (code == 0 && graze_clash_baseline_create(NULL, &source, &error, out_baseline) != GRAZE_STATUS_OK)
        code = print_source_error(console, path, &error);
    free((char *)source.text);
    return code;
}

bool clash_warn_unmatched(const graze_clash_report *report, const char *option, const char *pattern,
                          input_warnings *warnings)
{
    char *normal = pattern != NULL ? grz_nfc(NULL, pattern) : NULL;
    bool is_met = false, fits = pattern == NULL || normal != NULL;
    for (size_t i = 0; i < report->part_count && normal != NULL && !is_met && fits; i++)
    {
        char *name = grz_nfc(NULL, report->parts[i].name);
        fits = name != NULL;
        is_met = fits && grz_pattern_matches(normal, name);
        free(name);
    }
    free(normal);
    if (pattern != NULL && !is_met && fits)
        fits = warnings_add(warnings, format_text("--%s: no part matches '%s'", option, pattern));
    return fits;
}

exit_code clash_read_patterns(const tool_request *request, size_t option, const char *out_patterns[REPEAT_LIMIT],
                              size_t *out_count)
{
    size_t at = 0;
    *out_count = 0;
    for (const char *pattern = request_next(request, option, &at); pattern != NULL;
         pattern = request_next(request, option, &at))
    {
        const char *fault = grz_pattern_fault(pattern);
        if (fault != NULL)
            return report_error(request->console, EXIT_USAGE, "--%s '%s': %s", request->command->options[option].name,
                                pattern, fault);
        out_patterns[(*out_count)++] = pattern;
    }
    return 0;
}

bool clash_fail_on_named(const char *word, graze_clash_fail_on *out_fail_on)
{
    for (int i = GRAZE_CLASH_FAIL_ON_ANY; i <= GRAZE_CLASH_FAIL_ON_WORSE; i++)
        if (strcmp(word, graze_clash_fail_on_name((graze_clash_fail_on)i)) == 0)
        {
            *out_fail_on = (graze_clash_fail_on)i;
            return true;
        }
    return false;
}

exit_code clash_note_files(const tool_console *console, const tool_inputs *inputs, bool hashes,
                           graze_clash_input **out_files, size_t *out_count)
{
    const input_paths *paths = &inputs->paths;
    graze_clash_input *files = calloc(paths->count + 1, sizeof *files);
    if (files == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory");
    for (size_t i = 0; i < paths->count; i++)
    {
        files[i].path = paths->files[i].path;
        if (strcmp(paths->files[i].path, "-") == 0)
        {
            memcpy(files[i].hash, inputs->standard_input_hash, sizeof files[i].hash);
            files[i].size = inputs->standard_input_size;
        }
        else if (hashes)
            sha256_file(paths->files[i].path, files[i].hash, &files[i].size);
    }
    *out_files = files;
    *out_count = paths->count;
    return 0;
}

bool clash_add_problems(const tool_inputs *inputs, const input_warnings *warnings, graze_clash_report *report)
{
    bool done = true;
    for (size_t i = 0; i < inputs->problem_count && done; i++)
    {
        const input_problem *problem = &inputs->problems[i];
        done =
            graze_clash_report_add_problem(report, problem->part, problem->what, problem->left_out) == GRAZE_STATUS_OK;
    }
    for (size_t i = 0; i < warnings->count && done; i++)
        done = graze_clash_report_add_problem(report, "", warnings->texts[i], false) == GRAZE_STATUS_OK;
    return done;
}
