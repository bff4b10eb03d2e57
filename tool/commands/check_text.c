/* SPDX-License-Identifier: MIT */
/* graze check as text. */
#include <string.h>

#include "commands/check.h"
#include "shell/text_format.h"

static void say_verdict(const check_run *run)
{
    const tool_console *console = run->request->console;
    const char *plain = console_tone(console, TONE_PLAIN);
    if (run->counts.pairs > 0)
        printf("%scollision%s: %s%s of triangles share a point\n", console_tone(console, TONE_BAD), plain,
               run->finished ? "" : "at least ", grz_counted(run->counts.pairs, "pair").text);
    else if (!run->finished)
        printf("%sunknown%s: the time was up before any hit was found\n", console_tone(console, TONE_BOLD), plain);
    else if (run->collide)
        printf("%scollision%s: the surfaces are apart, but one body lies in the other\n",
               console_tone(console, TONE_BAD), plain);
    else if (check_verdict(run) == GRAZE_VERDICT_UNKNOWN)
        printf("%sunknown%s: the surfaces share no point, but one body may lie in the other\n",
               console_tone(console, TONE_BOLD), plain);
    else
        printf("%sno collision%s: the surfaces share no point\n", console_tone(console, TONE_GOOD), plain);
}

static void say_mesh(const check_run *run, int side, int width)
{
    const graze_mesh *mesh = run->placed[side].mesh;
    size_t triangles = graze_mesh_triangle_count(mesh), faces = graze_mesh_face_count(mesh);
    printf("  %c         %-*s  %s", "ab"[side], width, run -> request -> arguments[side],
           grz_counted(triangles, "triangle").text);
    if (faces != triangles)
        printf(" from %s", grz_counted(faces, "face").text);
    putchar('\n');
}

static const char *containment_sentence(const check_run *run)
{
    switch (run->solid.containment)
    {
    case GRAZE_CONTAINMENT_NONE:
        return "neither lies in the other";
    case GRAZE_CONTAINMENT_A_IN_B:
        return "all of a lies in b";
    case GRAZE_CONTAINMENT_B_IN_A:
        return "all of b lies in a";
    case GRAZE_CONTAINMENT_UNKNOWN:
        break;
    }
    return run->counts.pairs > 0 ? "unknown" : "unknown: the outer surface is not closed, or overlaps itself";
}

static void say_containment(const check_run *run)
{
    graze_containment containment = run->solid.containment;
    bool is_inside = containment == GRAZE_CONTAINMENT_A_IN_B || containment == GRAZE_CONTAINMENT_B_IN_A;
    printf("  inside    %s%s\n", containment_sentence(run),
           is_inside && !run->collide ? " (--solid counts that as a collision)" : "");
}

static void say_side(const check_run *run, int side, uint32_t triangle, uint32_t face)
{
    const char *part = part_of(run, side, face);
    printf("triangle %u of %c", triangle, "ab"[side]);
    if (face != triangle)
        printf(" (face %u)", face);
    if (part[0] == '\0')
        return;
    printf(" in '");
    print_name(stdout, part);
    putchar('\'');
}

static void say_witness(const check_run *run)
{
    static const char *const shapes[] = {"a point", "a segment", "an area"};
    const graze_hit *hit = &run->witness;
    printf("  witness   ");
    say_side(run, 0, hit->triangle_a, hit->face_a);
    printf(" and ");
    say_side(run, 1, hit->triangle_b, hit->face_b);
    printf("\n            %s, %s against %s, in %s", hit->contact.crossing ? "crossing" : "touching",
           feature_name(hit->contact.feature_a), feature_name(hit->contact.feature_b),
           shapes[hit->contact.dimension % COUNT_OF(shapes)]);
    printf("\n            at ");
    print_point(stdout, run->point);
    putchar('\n');
}

static void say_list(const check_run *run)
{
    if (run->list_count == 0)
        return;
    printf("\n  %10s  %10s  %-8s  %s\n", "a", "b", "contact", "features");
    for (size_t i = 0; i < run->list_count; i++)
    {
        const listed_pair *pair = &run->list[i];
        printf("  %10u  %10u  %-8s  %s-%s\n", pair->a, pair->b, contact_name(pair->crossing, pair->coplanar),
               feature_name(pair->feature_a), feature_name(pair->feature_b));
    }
    if (run->list_count < run->counts.pairs)
        printf("  ... and %s more\n", grz_grouped(run->counts.pairs - run->list_count).text);
}

static void say_undecided(const check_run *run)
{
    printf("  undecided %s of volumes", grz_counted(run->state.undecided, "pair").text);
    if (run->state.distance_lower_bound > 0)
        printf("; at least %s apart", human_real(run->state.distance_lower_bound).text);
    if (run->undecided_count > 0)
    {
        printf(", the next near ");
        print_point(stdout, run->undecided[0].point);
    }
    putchar('\n');
}

static void say_measures(const check_run *run)
{
    const graze_distance *distance = &run->distance;
    if (distance->found)
    {
        printf("  distance  %s, from triangle %u of a at ", human_real(distance->distance).text, distance->triangle_a);
        print_point(stdout, distance->point_a);
        printf("\n            to triangle %u of b at ", distance->triangle_b);
        print_point(stdout, distance->point_b);
        putchar('\n');
    }
    else if (run->request->values[OPTION_DISTANCE] != NULL)
        puts("  distance  none: there is nothing to measure from");
    if (run->tolerance >= 0)
        printf("  within    %s: %s of triangles\n", human_real(run->tolerance).text,
               grz_counted(run->within, "pair").text);
    check_say_depth(run);
    check_say_contacts(run);
}

static void say_stats(const check_run *run)
{
    printf("  cost      %s, %s, %s, %s\n", grz_counted(run->stats.box_tests, "box test").text,
           grz_counted(run->stats.leaf_pairs, "leaf pair").text,
           grz_counted(run->stats.triangle_tests, "triangle test").text,
           grz_counted(run->stats.exact_signs, "exact sign").text);
}

void check_say(const check_run *run)
{
    size_t a_size = strlen(run->request->arguments[0]), b_size = strlen(run->request->arguments[1]);
    size_t size = a_size > b_size ? a_size : b_size;
    int width = size < 60 ? (int)size : 60;
    say_verdict(run);
    putchar('\n');
    say_mesh(run, 0, width);
    say_mesh(run, 1, width);
    printf("  crossing  %s\n", grz_grouped(run->counts.crossing).text);
    printf("  touching  %s", grz_grouped(run->counts.touching).text);
    if (run->counts.coplanar > 0)
        printf(", %s of them overlapping in a plane", grz_grouped(run->counts.coplanar).text);
    putchar('\n');
    if (run->contains_known)
        say_containment(run);
    if (!run->finished)
        say_undecided(run);
    say_measures(run);
    if (run->request->values[OPTION_STATS] != NULL)
        say_stats(run);
    if (run->counts.pairs > 0)
        say_witness(run);
    say_list(run);
}
