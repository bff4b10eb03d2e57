/* SPDX-License-Identifier: MIT */
/* Output of graze scene: one line per frame and a summary, or one JSON document written frame by frame. */
#include <inttypes.h>

#include "scene/run.h"
#include "shell/text_format.h"

static const char *name_of(const void *user)
{
    return ((const scene_object *)user)->name;
}

static const char *event_name(graze_event_kind kind)
{
    return kind == GRAZE_EVENT_BEGIN ? "begin" : kind == GRAZE_EVENT_STAY ? "stay" : "end";
}

static void write_event(json_writer *json, const graze_event *event)
{
    json_open(json, JSON_OBJECT);
    json_key(json, "event");
    json_text(json, event_name(event->kind));
    json_key(json, "a");
    json_text(json, name_of(event->user_a));
    json_key(json, "b");
    json_text(json, name_of(event->user_b));
    json_key(json, "triangles");
    if (event->has_witness)
    {
        json_open(json, JSON_ARRAY);
        json_count(json, event->witness.triangle_a);
        json_count(json, event->witness.triangle_b);
        json_close(json);
    }
    else
        json_null(json);
    if (event->sensor)
    {
        json_key(json, "sensor");
        json_bool(json, true);
    }
    json_close(json);
}

static void write_undecided(const scene_run *run, json_writer *json, const graze_undecided_pair *pair)
{
    json_open(json, JSON_OBJECT);
    json_key(json, "a");
    json_text(json, name_of(graze_scene_user(run->scene, pair->a)));
    json_key(json, "b");
    json_text(json, name_of(graze_scene_user(run->scene, pair->b)));
    json_key(json, "lower");
    json_real(json, pair->lower);
    json_key(json, "since");
    json_count(json, pair->since);
    json_close(json);
}

/* Milliseconds by stage, rounded to nanoseconds, the resolution of the clock. */
static void write_times(json_writer *json, const char *key, const double seconds[STAGE_COUNT])
{
    json_key(json, key);
    json_open(json, JSON_OBJECT);
    for (int i = 0; i < STAGE_COUNT; i++)
    {
        json_key(json, scene_stage_names[i]);
        json_real(json, (double)(int64_t)(seconds[i] * 1e9 + 0.5) / 1e6);
    }
    json_close(json);
}

static void write_frame(scene_run *run, const graze_frame *frame)
{
    json_writer *json = &run->writer;
    json_open(json, JSON_OBJECT);
    json_member_count(json, "frame", frame->number);
    json_member_count(json, "moved", frame->moved_count);
    json_member_count(json, "box_pairs", frame->box_pairs);
    json_member_count(json, "examined", frame->examined);
    json_member_count(json, "colliding", frame->colliding);
    json_key(json, "events");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < frame->event_count; i++)
        if (run->lists_stays || frame->events[i].kind != GRAZE_EVENT_STAY)
            write_event(json, &frame->events[i]);
    json_close(json);
    json_key(json, "undecided");
    json_open(json, JSON_ARRAY);
    for (size_t i = 0; i < frame->undecided_count; i++)
        write_undecided(run, json, &frame->undecided[i]);
    json_close(json);
    double seconds[STAGE_COUNT];
    scene_stages(&frame->times, seconds);
    if (run->times)
        write_times(json, "milliseconds", seconds);
    json_close(json);
}

/* "; begin a + b, c + d" for all events of one kind, if there are any. */
static void say_events(const graze_frame *frame, graze_event_kind kind, bool *is_first)
{
    bool is_first_pair = true;
    for (size_t i = 0; i < frame->event_count; i++)
    {
        const graze_event *event = &frame->events[i];
        if (event->kind != kind)
            continue;
        if (is_first_pair)
            printf("%s %s ", *is_first ? ":" : ";", event_name(kind));
        else
            fputs(", ", stdout);
        print_name(stdout, name_of(event->user_a));
        fputs(" + ", stdout);
        print_name(stdout, name_of(event->user_b));
        is_first_pair = *is_first = false;
    }
}

static void say_frame(scene_run *run, const graze_frame *frame, const scene_events *events)
{
    bool is_first = true;
    if (events->begins + events->ends == 0 && frame->undecided_count == 0 && !(run->lists_stays && events->stays > 0))
        return;
    run->said_frame = true;
    printf("frame %" PRIu64, frame->number);
    say_events(frame, GRAZE_EVENT_BEGIN, &is_first);
    say_events(frame, GRAZE_EVENT_END, &is_first);
    if (run->lists_stays)
        say_events(frame, GRAZE_EVENT_STAY, &is_first);
    else if (events->stays > 0)
        printf("%s %s stay%s", is_first ? ":" : ";", grouped(events->stays).text, events->stays == 1 ? "s" : "");
    if (frame->undecided_count > 0)
        printf("%s %s undecided", is_first && events->stays == 0 ? ":" : ";", grouped(frame->undecided_count).text);
    putchar('\n');
}

void scene_report_start(scene_run *run)
{
    if (!run->json)
        return;
    run->writer = json_start(stdout);
    json_open(&run->writer, JSON_OBJECT_LINES);
    if (run->quiet)
        return;
    json_key(&run->writer, "frames");
    json_open(&run->writer, JSON_ARRAY_LINES);
}

void scene_report_frame(scene_run *run, const graze_frame *frame, const scene_events *events)
{
    if (run->quiet)
        return;
    if (run->json)
        write_frame(run, frame);
    else
        say_frame(run, frame, events);
}

static void mean_times(const scene_run *run, double out_seconds[STAGE_COUNT])
{
    for (int i = 0; i < STAGE_COUNT; i++)
        out_seconds[i] = run->frames > 0 ? run->time_sums[i] / (double)run->frames : 0;
}

static void write_summary(scene_run *run)
{
    json_writer *json = &run->writer;
    if (!run->quiet)
        json_close(json);
    json_key(json, "summary");
    json_open(json, JSON_OBJECT_LINES);
    json_member_count(json, "objects", run->file.object_count);
    json_member_count(json, "triangles", run->triangles);
    json_member_count(json, "frames", run->frames);
    json_key(json, "broad");
    json_text(json, graze_broad_phase_method_name(graze_scene_broad_phase_method(run->scene)));
    json_member_count(json, "begins", run->events.begins);
    json_member_count(json, "stays", run->events.stays);
    json_member_count(json, "ends", run->events.ends);
    json_member_count(json, "colliding", run->colliding);
    json_member_count(json, "undecided", run->undecided);
    json_member_count(json, "undecided_sum", run->undecided_sum);
    if (run->times)
    {
        double mean[STAGE_COUNT];
        mean_times(run, mean);
        write_times(json, "milliseconds", mean);
        write_times(json, "milliseconds_max", run->time_maxima);
    }
    json_close(json);
    json_close(json);
}

static void say_times(const scene_run *run)
{
    double mean[STAGE_COUNT], sum = 0;
    mean_times(run, mean);
    for (int i = 0; i < STAGE_COUNT; i++)
        sum += mean[i];
    printf("  time        %s a frame\n", human_time(sum * 1e9).text);
    for (int i = 0; i < STAGE_COUNT; i++)
        printf("    %-9s %s, at most %s\n", scene_stage_names[i], human_time(mean[i] * 1e9).text,
               human_time(run->time_maxima[i] * 1e9).text);
}

static void say_summary(const scene_run *run)
{
    const tool_console *console = run->request->console;
    bool found = run->events.begins > 0, unknown = !found && (run->undecided > 0 || run->missed_some);
    if (run->frames == 0)
        return;
    printf("%s%s%s%s: ", run->said_frame ? "\n" : "",
           console_tone(console, found     ? TONE_BAD
                                 : unknown ? TONE_BOLD
                                           : TONE_GOOD),
           found     ? "collision"
           : unknown ? "unknown"
                     : "no collision",
           console_tone(console, TONE_PLAIN));
    printf("%s began and %s ended within %s\n\n", grouped(run->events.begins).text, grouped(run->events.ends).text,
           counted(run->frames, "frame").text);
    printf("  objects     %s, %s\n", grouped(run->file.object_count).text, counted(run->triangles, "triangle").text);
    printf("  colliding   %s in the last frame\n", counted(run->colliding, "pair").text);
    if (run->options.budget.seconds > 0)
        printf("  undecided   %s in the last frame, %s in all frames\n", counted(run->undecided, "pair").text,
               grouped(run->undecided_sum).text);
    printf("  broad phase %s\n", graze_broad_phase_method_name(graze_scene_broad_phase_method(run->scene)));
    if (run->times)
        say_times(run);
}

void scene_report_end(scene_run *run)
{
    if (run->json)
        write_summary(run);
    else
        say_summary(run);
}
