/* SPDX-License-Identifier: MIT */
/* Reads G-code (ISO 6983 as RS274/NGC has it: Kramer, Proctor, Messina 2000); see gcode.h. */
#include "scene/gcode.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "shell/line_reader.h"
#include "text/number.h"

enum
{
    UNKNOWN_MOTION = -1,
    MOST_CHORDS = 1000000
};

typedef enum gcode_word
{
    WORD_X,
    WORD_Y,
    WORD_Z,
    WORD_I,
    WORD_J,
    WORD_R,
    WORD_COUNT
} gcode_word;

typedef struct gcode_reader
{
    const tool_console *console;
    line_reader *lines;
    gcode_program *program;
    double chord_error, scale; /* of coordinates: to mm */
    int motion;                /* of G0 to G3, or UNKNOWN_MOTION */
    bool relative, known[3];
    double at[3];
    bool given[WORD_COUNT]; /* on this line */
    double words[WORD_COUNT];
} gcode_reader;

static const char word_letters[] = "XYZIJR";

static exit_code refuse(const gcode_reader *g, const char *format, ...) TOOL_PRINTF(2, 3);

static exit_code refuse(const gcode_reader *g, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return report_error(g->console, EXIT_INPUT, "%s, line %llu: %s", display_name(g->lines->path),
                        (unsigned long long)g->lines->number, text);
}

static exit_code put_move(gcode_reader *g, const double end[3], double deviation)
{
    gcode_program *program = g->program;
    if (program->count == program->capacity)
    {
        size_t capacity = program->capacity < 1024 ? 1024 : 2 * program->capacity;
        gcode_move *moves = realloc(program->moves, capacity * sizeof *moves);
        if (moves == NULL)
            return report_error(g->console, EXIT_INTERNAL, "out of memory for the moves");
        program->moves = moves;
        program->capacity = capacity;
    }
    gcode_move *out = &program->moves[program->count++];
    *out = (gcode_move){.line = g->lines->number, .rapid = g->motion == 0};
    memcpy(out->move.start, g->at, sizeof g->at);
    memcpy(out->move.end, end, sizeof g->at);
    out->move.deviation = deviation;
    memcpy(g->at, end, sizeof g->at);
    return 0;
}

/* Sets a G word; the ones with effect on motion only are kept. */
static exit_code take_g(gcode_reader *g, double code)
{
    if (code == 0 || code == 1 || code == 2 || code == 3)
        g->motion = (int)code;
    else if (code == 20)
        g->scale = 25.4;
    else if (code == 21)
        g->scale = 1;
    else if (code == 90 || code == 91)
        g->relative = code == 91;
    else
        return refuse(g, "G%g is not understood; G0 to G3, G20, G21, G90 and G91 are", code);
    return 0;
}

static exit_code take_word(gcode_reader *g, char letter, double value)
{
    const char *found = strchr(word_letters, letter);
    if (letter == 'G')
        return take_g(g, value);
    if (letter == 'F' || letter == 'T' || letter == 'N')
        return 0;
    if (found == NULL)
        return refuse(g, "%c is not understood; G, X, Y, Z, I, J, R, F and T are", letter);
    if (!isfinite(value))
        return refuse(g, "the number after %c is not finite", letter);
    size_t word = (size_t)(found - word_letters);
    if (g->given[word])
        return refuse(g, "there are two %c", letter);
    g->given[word] = true;
    g->words[word] = value;
    return 0;
}

/* Takes the words of a line; comments are in parentheses or follow a semicolon. */
static exit_code take_line(gcode_reader *g)
{
    const char *at = g->lines->text, *end = at + strlen(at);
    memset(g->given, 0, sizeof g->given);
    while (at < end && *at != ';' && *at != '%')
    {
        if (*at == ' ' || *at == '\t' || *at == '\r')
        {
            at++;
            continue;
        }
        if (*at == '(')
        {
            const char *close = strchr(at, ')');
            if (close == NULL)
                return refuse(g, "a comment does not end");
            at = close + 1;
            continue;
        }
        char letter = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
        double value = 0;
        const char *after = at + 1;
        while (after < end && (*after == ' ' || *after == '\t'))
            after++;
        bool plain = after < end && (strchr("+-.", *after) != NULL || (*after >= '0' && *after <= '9'));
        after = plain ? grz_number_read(after, end, &value) : NULL;
        if (letter < 'A' || letter > 'Z' || after == NULL)
            return refuse(g, "'%.20s' is no letter with a number", at);
        exit_code code = take_word(g, letter, value);
        if (code != 0)
            return code;
        at = after;
    }
    return 0;
}

/* The centre of an arc, from I and J or from R. */
static exit_code find_centre(const gcode_reader *g, const double end[3], double centre[2])
{
    if (!g->given[WORD_R])
    {
        if (!g->given[WORD_I] && !g->given[WORD_J])
            return refuse(g, "an arc needs I and J, or R");
        for (int axis = 0; axis < 2; axis++)
            centre[axis] = g->at[axis] + (g->given[WORD_I + axis] ? g->words[WORD_I + axis] * g->scale : 0);
        return 0;
    }
    if (g->given[WORD_I] || g->given[WORD_J])
        return refuse(g, "an arc has I and J, or R, not both");
    double radius = g->words[WORD_R] * g->scale, dx = end[0] - g->at[0], dy = end[1] - g->at[1];
    double half = 0.5 * hypot(dx, dy), rest = radius * radius - half * half;
    if (!(half > 0) || rest < -1e-9 * radius * radius)
        return refuse(g, "there is no arc of this R between these points");
    /* To the left of the chord for a short arc counterclockwise, and for a long one clockwise. */
    double height = sqrt(fmax(rest, 0)) / (2 * half) * ((g->motion == 3) == (radius > 0) ? 1 : -1);
    centre[0] = g->at[0] + 0.5 * dx - height * dy;
    centre[1] = g->at[1] + 0.5 * dy + height * dx;
    return 0;
}

/* Cuts an arc into chords. Half of the chord error is for the arc's height over them, the other for rounding. */
static exit_code put_arc(gcode_reader *g, const double end[3])
{
    const double full = 2 * acos(-1);
    double centre[2] = {0, 0}, start[3];
    exit_code code = find_centre(g, end, centre);
    if (code != 0)
        return code;
    memcpy(start, g->at, sizeof start);
    double first = hypot(start[0] - centre[0], start[1] - centre[1]),
           last = hypot(end[0] - centre[0], end[1] - centre[1]);
    double radius = fmax(first, last), uneven = fabs(first - last);
    if (!(radius > 0) || uneven > 0.01 * radius)
        return refuse(g, "the ends of the arc are %.9g and %.9g away from its centre", first, last);
    if (!(radius * 0x1p-40 < g->chord_error))
        return refuse(g, "the arc is too large for doubles to follow within --chord-error");
    double from = atan2(start[1] - centre[1], start[0] - centre[0]);
    double sweep = atan2(end[1] - centre[1], end[0] - centre[0]) - from;
    bool whole = start[0] == end[0] && start[1] == end[1];
    if (g->motion == 3)
        sweep = whole ? full : sweep <= 0 ? sweep + full : sweep;
    else
        sweep = whole ? -full : sweep >= 0 ? sweep - full : sweep;
    double step = 2 * acos(fmax(1 - 0.5 * g->chord_error / radius, 0)), chords = ceil(fabs(sweep) / step);
    if (!(chords <= MOST_CHORDS))
        return refuse(g, "the arc has more than a million chords; allow a larger --chord-error");
    size_t count = chords < 1 ? 1 : (size_t)chords;
    for (size_t i = 1; i <= count && code == 0; i++)
    {
        double share = (double)i / (double)count, angle = from + sweep * share, r = first + (last - first) * share;
        double next[3] = {centre[0] + r * cos(angle), centre[1] + r * sin(angle),
                          start[2] + (end[2] - start[2]) * share};
        code = put_move(g, i == count ? end : next, g->chord_error + uneven);
    }
    return code;
}

static exit_code run_line(gcode_reader *g)
{
    double end[3];
    bool moves = false, was_known = g->known[0] && g->known[1] && g->known[2];
    for (int axis = 0; axis < 3; axis++)
    {
        double x = g->words[WORD_X + axis] * g->scale;
        end[axis] = g->at[axis];
        if (!g->given[WORD_X + axis])
            continue;
        moves = true;
        if (g->relative && !g->known[axis])
            return refuse(g, "%c is relative, but where the tool stands is not known yet", word_letters[axis]);
        end[axis] = g->relative ? g->at[axis] + x : x;
        g->known[axis] = true;
        if (!isfinite(end[axis]))
            return refuse(g, "%c leaves the range of doubles", word_letters[axis]);
    }
    bool arc = g->motion == 2 || g->motion == 3;
    if (!arc && (g->given[WORD_I] || g->given[WORD_J] || g->given[WORD_R]))
        return refuse(g, "I, J and R belong to arcs");
    moves = moves || g->given[WORD_I] || g->given[WORD_J];
    if (!moves)
        return 0;
    if (g->motion == UNKNOWN_MOTION)
        return refuse(g, "which motion is not known: there was no G0, G1, G2 or G3");
    if (!was_known && arc)
        return refuse(g, "an arc begins where the tool stands, which is not known yet");
    if (!was_known) /* the first place */
    {
        memcpy(g->at, end, sizeof end);
        return 0;
    }
    return arc ? put_arc(g, end) : put_move(g, end, 0);
}

exit_code gcode_read(const tool_console *console, const char *path, double chord_error, gcode_program *out_program)
{
    *out_program = (gcode_program){0};
    line_reader *lines = malloc(sizeof *lines);
    if (lines == NULL)
        return report_error(console, EXIT_INTERNAL, "out of memory for the moves");
    if (!lines_open(lines, path))
    {
        exit_code code = report_error(console, EXIT_INPUT, "%s", lines->fault);
        free(lines);
        return code;
    }
    gcode_reader g = {.console = console,
                      .lines = lines,
                      .program = out_program,
                      .chord_error = chord_error,
                      .scale = 1,
                      .motion = UNKNOWN_MOTION};
    exit_code code = 0;
    line_state state = LINE_READ;
    while (code == 0 && (state = lines_next(lines)) == LINE_READ)
    {
        code = take_line(&g);
        if (code == 0)
            code = run_line(&g);
    }
    if (code == 0 && state == LINE_FAULT)
        code = report_error(console, EXIT_INPUT, "%s", lines->fault);
    lines_close(lines);
    free(lines);
    return code;
}

void gcode_release(gcode_program *program)
{
    free(program->moves);
    *program = (gcode_program){0};
}
