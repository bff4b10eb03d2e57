/* SPDX-License-Identifier: MIT */
/* Output of graze scene: one line per frame and a summary, or one JSON document written frame by frame. */
#include <inttypes.h>
#include <math.h>

#include "scene/run.h"
#include "shell/contact_output.h"
#include "shell/output.h"
#include "shell/text_format.h"

static const char *name_of(const void *user)
{
    return ((const scene_object *)user)->name;
}

static const char *event_name(graze_event_kind kind)
{
    static const char *const names[] = {[GRAZE_EVENT_BEGIN] = "begin",
                                        [GRAZE_EVENT_STAY] = "stay",
                                        [GRAZE_EVENT_END] = "end",
                                        [GRAZE_EVENT_PASS] = "pass"};
    return names[kind];
}

/* A time within the step to a frame, in frames, rounded down or up. In the first frame nothing has moved yet. */
static double in_frames(uint64_t frame, double t, double direction)
{
    if (frame == 1)
        return 1;
    double before = (double)(frame - 1), sum = before + t;
    return sum - before == t ? sum : nextafter(sum, direction);
}

static void write_interval(grz_json_writer *json, const char *key, uint64_t frame, double lower, double upper)
{
    const double times[2] = {in_frames(frame, lower, 0), in_frames(frame, upper, INFINITY)};
    grz_json_put_key(json, key);
    grz_json_put_reals(json, times, 2);
}

static void write_event_times(grz_json_writer *json, uint64_t frame, const graze_event *event)
{
    if (event->kind == GRAZE_EVENT_END && event->has_end_time)
        write_interval(json, "time", frame, event->end_lower, event->end_upper);
    else if (event->has_time)
    {
        write_interval(json, "time", frame, event->time_lower, event->time_upper);
        grz_json_put_key(json, "impact");
        grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
        grz_json_put_key(json, "lower");
        grz_json_put_real(json, event->time_lower);
        grz_json_put_key(json, "upper");
        grz_json_put_real(json, event->time_upper);
        grz_json_close(json);
    }
    if (event->has_end_time)
        write_interval(json, "end_time", frame, event->end_lower, event->end_upper);
}

static void write_triangle(grz_json_writer *json, uint32_t triangle)
{
    if (triangle != GRAZE_NO_TRIANGLE)
        grz_json_put_count(json, triangle);
    else
        grz_json_put_null(json);
}

/* Null where there is none at all. */
static void write_triangles(grz_json_writer *json, uint32_t a, uint32_t b)
{
    grz_json_put_key(json, "triangles");
    if (a == GRAZE_NO_TRIANGLE && b == GRAZE_NO_TRIANGLE)
    {
        grz_json_put_null(json);
        return;
    }
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    write_triangle(json, a);
    write_triangle(json, b);
    grz_json_close(json);
}

static void write_shape_hit(grz_json_writer *json, const graze_shape_hit *hit)
{
    write_triangles(json, hit->triangle_a, hit->triangle_b);
    grz_json_put_member_count(json, "leaf_a", hit->part_a);
    grz_json_put_member_count(json, "leaf_b", hit->part_b);
    grz_json_put_key(json, "point");
    if (hit->has_point)
        grz_json_put_reals(json, hit->point, 3);
    else
        grz_json_put_null(json);
}

static void write_event(grz_json_writer *json, uint64_t frame, const graze_event *event)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "event");
    grz_json_put_text(json, event_name(event->kind));
    grz_json_put_key(json, "a");
    grz_json_put_text(json, name_of(event->user_a));
    grz_json_put_key(json, "b");
    grz_json_put_text(json, name_of(event->user_b));
    if (event->shape_hit != NULL)
        write_shape_hit(json, event->shape_hit);
    else if (event->has_witness)
        write_triangles(json, event->witness.triangle_a, event->witness.triangle_b);
    else
        write_triangles(json, GRAZE_NO_TRIANGLE, GRAZE_NO_TRIANGLE);
    if (event->sensor)
    {
        grz_json_put_key(json, "sensor");
        grz_json_put_bool(json, true);
    }
    write_event_times(json, frame, event);
    if (event->has_contacts)
    {
        grz_json_put_key(json, "contacts");
        json_put_manifolds(json, GRZ_JSON_SHORT_ARRAY, event->contacts, event->contact_count);
    }
    grz_json_close(json);
}

static void write_undecided(const scene_run *run, grz_json_writer *json, const graze_undecided_pair *pair)
{
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "a");
    grz_json_put_text(json, name_of(graze_scene_user(run->scene, pair->a)));
    grz_json_put_key(json, "b");
    grz_json_put_text(json, name_of(graze_scene_user(run->scene, pair->b)));
    grz_json_put_key(json, "lower");
    grz_json_put_real(json, pair->lower);
    grz_json_put_key(json, "since");
    grz_json_put_count(json, pair->since);
    grz_json_put_key(json, "reason");
    grz_json_put_text(json, pair->reason == GRAZE_UNDECIDED_CURVED   ? "curved"
                            : pair->reason == GRAZE_UNDECIDED_MOTION ? "motion"
                                                                     : "budget");
    grz_json_close(json);
}

/* Milliseconds by stage, rounded to nanoseconds, the resolution of the clock. */
static void write_times(grz_json_writer *json, const char *key, const double seconds[STAGE_COUNT])
{
    grz_json_put_key(json, key);
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    for (int i = 0; i < STAGE_COUNT; i++)
    {
        grz_json_put_key(json, scene_stage_names[i]);
        grz_json_put_real(json, (double)(int64_t)(seconds[i] * 1e9 + 0.5) / 1e6);
    }
    grz_json_close(json);
}

static void write_frame(scene_run *run, const graze_frame *frame)
{
    grz_json_writer *json = &run->writer;
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_member_count(json, "frame", frame->number);
    grz_json_put_member_count(json, "moved", frame->moved_count);
    grz_json_put_member_count(json, "box_pairs", frame->box_pairs);
    grz_json_put_member_count(json, "examined", frame->examined);
    grz_json_put_member_count(json, "colliding", frame->colliding);
    grz_json_put_key(json, "events");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < frame->event_count; i++)
        if (run->lists_stays || frame->events[i].kind != GRAZE_EVENT_STAY)
            write_event(json, frame->number, &frame->events[i]);
    grz_json_close(json);
    grz_json_put_key(json, "undecided");
    grz_json_open(json, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < frame->undecided_count; i++)
        write_undecided(run, json, &frame->undecided[i]);
    grz_json_close(json);
    double seconds[STAGE_COUNT];
    scene_stages(&frame->times, seconds);
    if (run->times)
        write_times(json, "milliseconds", seconds);
    grz_json_close(json);
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
        if (kind == GRAZE_EVENT_END ? event->has_end_time : event->has_time && kind != GRAZE_EVENT_STAY)
            printf(" at %.6g",
                   in_frames(frame->number, kind == GRAZE_EVENT_END ? event->end_lower : event->time_lower, 0));
        is_first_pair = *is_first = false;
    }
}

static void say_frame(scene_run *run, const graze_frame *frame, const scene_events *events)
{
    bool is_first = true;
    if (events->begins + events->ends + events->passes == 0 && frame->undecided_count == 0 &&
        !(run->lists_stays && events->stays > 0))
        return;
    run->said_frame = true;
    printf("frame %" PRIu64, frame->number);
    say_events(frame, GRAZE_EVENT_BEGIN, &is_first);
    say_events(frame, GRAZE_EVENT_END, &is_first);
    say_events(frame, GRAZE_EVENT_PASS, &is_first);
    if (run->lists_stays)
        say_events(frame, GRAZE_EVENT_STAY, &is_first);
    else if (events->stays > 0)
        printf("%s %s stay%s", is_first ? ":" : ";", grz_grouped(events->stays).text, events->stays == 1 ? "s" : "");
    if (frame->undecided_count > 0)
        printf("%s %s undecided", is_first && events->stays == 0 ? ":" : ";", grz_grouped(frame->undecided_count).text);
    putchar('\n');
}

void scene_report_start(scene_run *run)
{
    if (!run->json)
        return;
    run->out = file_sink(stdout);
    run->writer = grz_json_start(&run->out);
    grz_json_open(&run->writer, GRZ_JSON_LONG_OBJECT);
    if (run->quiet)
        return;
    grz_json_put_key(&run->writer, "frames");
    grz_json_open(&run->writer, GRZ_JSON_LONG_ARRAY);
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
    grz_json_writer *json = &run->writer;
    if (!run->quiet)
        grz_json_close(json);
    grz_json_put_key(json, "summary");
    grz_json_open(json, GRZ_JSON_LONG_OBJECT);
    grz_json_put_member_count(json, "objects", run->file.object_count);
    grz_json_put_member_count(json, "triangles", run->triangles);
    grz_json_put_member_count(json, "frames", run->frames);
    grz_json_put_key(json, "broad");
    grz_json_put_text(json, graze_broad_phase_method_name(graze_scene_broad_phase_method(run->scene)));
    grz_json_put_member_count(json, "begins", run->events.begins);
    grz_json_put_member_count(json, "stays", run->events.stays);
    grz_json_put_member_count(json, "ends", run->events.ends);
    if (run->options.continuous)
        grz_json_put_member_count(json, "passes", run->events.passes);
    grz_json_put_member_count(json, "colliding", run->colliding);
    grz_json_put_member_count(json, "undecided", run->undecided);
    grz_json_put_member_count(json, "undecided_sum", run->undecided_sum);
    grz_json_put_member_count(json, "unknown_sum", run->unknown_sum);
    if (run->times)
    {
        double mean[STAGE_COUNT];
        mean_times(run, mean);
        write_times(json, "milliseconds", mean);
        write_times(json, "milliseconds_max", run->time_maxima);
    }
    grz_json_close(json);
    grz_json_close(json);
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
    bool found = run->events.begins + run->events.passes > 0,
         unknown = !found && (run->undecided > 0 || run->missed_some);
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
    if (run->options.continuous)
        printf("%s began, %s ended and %s passed within %s\n\n", grz_grouped(run->events.begins).text,
               grz_grouped(run->events.ends).text, grz_grouped(run->events.passes).text,
               grz_counted(run->frames, "frame").text);
    else
        printf("%s began and %s ended within %s\n\n", grz_grouped(run->events.begins).text,
               grz_grouped(run->events.ends).text, grz_counted(run->frames, "frame").text);
    printf("  objects     %s, %s\n", grz_grouped(run->file.object_count).text,
           grz_counted(run->triangles, "triangle").text);
    printf("  colliding   %s in the last frame\n", grz_counted(run->colliding, "pair").text);
    if (run->options.budget.seconds > 0 || run->unknown_sum > 0)
        printf("  undecided   %s in the last frame, %s in all frames\n", grz_counted(run->undecided, "pair").text,
               grz_grouped(run->undecided_sum).text);
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
