/* SPDX-License-Identifier: MIT */
/* Files of poses; see pose_file.h. */
#include "scene/pose_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shell/line_reader.h"
#include "shell/parse_numbers.h"

typedef struct pose_list
{
    pose_pair *poses;
    size_t count, capacity;
    bool takes_pairs;
} pose_list;

static bool append(pose_list *list, const double *numbers, bool is_pair)
{
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity == 0 ? 256 : list->capacity * 2;
        pose_pair *poses = capacity <= SIZE_MAX / sizeof *poses ? realloc(list->poses, capacity * sizeof *poses) : NULL;
        if (poses == NULL)
            return false;
        list->poses = poses;
        list->capacity = capacity;
    }
    pose_pair *pair = &list->poses[list->count++];
    pair->a = graze_pose_identity();
    if (is_pair)
        memcpy(pair->a.m, numbers, sizeof pair->a.m);
    memcpy(pair->b.m, numbers + (is_pair ? 12 : 0), sizeof pair->b.m);
    return true;
}

static exit_code take_line(const tool_console *console, const line_reader *reader, pose_list *list)
{
    char fault[FAULT_SIZE];
    double numbers[24];
    size_t count = 0;
    bool fits = parse_numbers(reader->text, numbers, 24, &count, fault);
    if (fits && count != 0 && count != 12 && !(count == 24 && list->takes_pairs))
    {
        snprintf(fault, sizeof fault, "a pose is 12 numbers%s, but there %s %zu",
                 list->takes_pairs ? ", two poses are 24" : "", count == 1 ? "is" : "are", count);
        fits = false;
    }
    if (!fits)
        return report_error(console, EXIT_INPUT, "%s, line %" PRIu64 ": %s", display_name(reader->path), reader->number,
                            fault);
    if (count > 0 && !append(list, numbers, count == 24))
        return report_error(console, EXIT_INTERNAL, "%s: out of memory", display_name(reader->path));
    return 0;
}

static exit_code read_lines(const tool_console *console, line_reader *reader, pose_list *list)
{
    for (;;)
    {
        line_state state = lines_next(reader);
        if (state == LINE_FAULT)
            return report_error(console, EXIT_INPUT, "%s", reader->fault);
        if (state == LINE_END)
            break;
        exit_code code = take_line(console, reader, list);
        if (code != 0)
            return code;
    }
    if (list->count == 0)
        return report_error(console, EXIT_INCOMPLETE, "%s: there is no pose in it, so nothing was checked",
                            display_name(reader->path));
    return 0;
}

static exit_code load(const tool_console *console, const char *path, pose_list *list)
{
    line_reader reader;
    if (!lines_open(&reader, path))
        return report_error(console, EXIT_INPUT, "%s", reader.fault);
    exit_code code = read_lines(console, &reader, list);
    lines_close(&reader);
    if (code != 0)
        free(list->poses);
    return code;
}

exit_code load_poses(const tool_console *console, const char *path, pose_pair **out_poses, size_t *out_count)
{
    pose_list list = {.takes_pairs = true};
    exit_code code = load(console, path, &list);
    if (code != 0)
        return code;
    *out_poses = list.poses;
    *out_count = list.count;
    return 0;
}

exit_code load_track(const tool_console *console, const char *path, graze_pose **out_poses, size_t *out_count)
{
    pose_list list = {0};
    exit_code code = load(console, path, &list);
    if (code != 0)
        return code;
    graze_pose *poses = calloc(list.count + 1, sizeof *poses);
    for (size_t i = 0; poses != NULL && i < list.count; i++)
        poses[i] = list.poses[i].b;
    free(list.poses);
    if (poses == NULL)
        return report_error(console, EXIT_INTERNAL, "%s: out of memory", path);
    *out_poses = poses;
    *out_count = list.count;
    return 0;
}
