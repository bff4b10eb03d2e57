/* SPDX-License-Identifier: MIT */
/* Measures of findings and shortfalls of runs in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clash/report.h"
#include "text/format.h"

/* Some digits, with a point in every locale. */
static void put_digits(char *text, size_t size, double number, int count)
{
    snprintf(text, size, "%.*g", count, number);
    size_t digits = strspn(text, "-0123456789"), mark = strcspn(text + digits, "0123456789e");
    if (mark > 0 && isfinite(number) && text[digits] != '\0')
    {
        text[digits] = '.';
        memmove(text + digits + 1, text + digits + mark, strlen(text + digits + mark) + 1);
    }
}

static void put_rounded(char *text, size_t size, double number)
{
    put_digits(text, size, number, 4);
}

/* "depth 0.5", "depth 0.5 to 0.52", "depth of 0.5 at least", "unknown depth", "depth without end". */
static graze_clash_phrase interval_phrase(const char *what, const double interval[2])
{
    graze_clash_phrase phrase;
    char lower[32], upper[32];
    put_rounded(lower, sizeof lower, interval[0]);
    put_rounded(upper, sizeof upper, interval[1]);
    if (!isfinite(interval[0])) /* half-spaces whose planes are not parallel */
        snprintf(phrase.text, sizeof phrase.text, "%s without end", what);
    else if (!isfinite(interval[1]) && interval[0] == 0)
        snprintf(phrase.text, sizeof phrase.text, "unknown %s", what);
    else if (!isfinite(interval[1]))
        snprintf(phrase.text, sizeof phrase.text, "%s of %s at least", what, lower);
    else if (strcmp(lower, upper) == 0)
        snprintf(phrase.text, sizeof phrase.text, "%s %s", what, lower);
    else
        snprintf(phrase.text, sizeof phrase.text, "%s %s to %s", what, lower, upper);
    return phrase;
}

static graze_clash_phrase touch_phrase(const graze_clash_finding *finding)
{
    graze_clash_phrase phrase;
    const char *kind = finding->touch_kind != NULL ? finding->touch_kind : "";
    if (strcmp(kind, "face") == 0)
    {
        char area[32];
        put_rounded(area, sizeof area, finding->area);
        snprintf(phrase.text, sizeof phrase.text, "face, area %s", area);
    }
    else
        snprintf(phrase.text, sizeof phrase.text, "%.32s", kind);
    return phrase;
}

static graze_clash_phrase measure_of(const graze_clash_finding *finding)
{
    graze_clash_phrase phrase = {""}, depth = {""};
    if (finding->has_depth)
        depth = interval_phrase("depth", finding->depth);
    switch (finding->verdict)
    {
    case GRAZE_CLASH_TOO_CLOSE:
        return finding->has_gap ? interval_phrase("gap", finding->gap) : phrase;
    case GRAZE_CLASH_TOUCHES:
        return finding->has_gap     ? interval_phrase("gap", finding->gap)
               : finding->has_depth ? depth
                                    : touch_phrase(finding);
    case GRAZE_CLASH_CONTAINS:
        snprintf(phrase.text, sizeof phrase.text, "%s%s%.120s", finding->a_in_b ? "inner, outer" : "outer, inner",
                 depth.text[0] != '\0' ? ", " : "", depth.text);
        return phrase;
    case GRAZE_CLASH_DUPLICATE:
        snprintf(phrase.text, sizeof phrase.text, "%s the same",
                 grz_counted(finding->set_count > 2 ? finding->set_count : 2, "part").text);
        return phrase;
    case GRAZE_CLASH_UNDECIDED:
        return phrase;
    case GRAZE_CLASH_CROSSES:
        if (finding->has_depth)
            return depth;
        if (finding->has_time && finding->no_pairs)
            snprintf(phrase.text, sizeof phrase.text, "between frames");
        if (finding->has_time && finding->no_pairs)
            return phrase;
        if (finding->estimated)
            snprintf(phrase.text, sizeof phrase.text, "unknown depth");
        if (finding->estimated)
            return phrase;
        break;
    default:
        break;
    }
    snprintf(phrase.text, sizeof phrase.text, "%s", grz_counted(finding->pairs, "pair").text);
    return phrase;
}

/* ", frame 12.5": of the first contact; and where else it was measured. */
static graze_clash_phrase time_phrase(const graze_clash_finding *finding)
{
    graze_clash_phrase phrase = {""};
    char digits[16], measured[16];
    if (!finding->has_time)
        return phrase;
    put_digits(digits, sizeof digits, finding->time[0], 7);
    put_digits(measured, sizeof measured, finding->measured_at, 7);
    bool elsewhere = finding->has_depth && strcmp(digits, measured) != 0;
    snprintf(phrase.text, sizeof phrase.text, ", frame %s%s%s", digits, elsewhere ? ", measured at " : "",
             elsewhere ? measured : "");
    return phrase;
}

graze_clash_phrase graze_clash_finding_measure(const graze_clash_finding *finding)
{
    graze_clash_phrase phrase = {""};
    if (finding == NULL)
        return phrase;
    graze_clash_phrase measure = measure_of(finding);
    size_t places = finding->details != NULL ? finding->details->location_count : 0;
    snprintf(phrase.text, sizeof phrase.text, "%.54s%s%.14s%s%s%s%.38s", measure.text, places > 1 ? ", " : "",
             places > 1 ? grz_counted(places, "place").text : "",
             finding->within_resolution ? ", within resolution" : "",
             finding->within_tessellation ? ", within tessellation" : "", finding->estimated ? ", estimated" : "",
             time_phrase(finding).text);
    if (phrase.text[0] == ',') /* nothing was measured */
        memmove(phrase.text, phrase.text + 2, strlen(phrase.text + 2) + 1);
    return phrase;
}

graze_clash_phrase graze_clash_report_shortfall(const graze_clash_report *report)
{
    graze_clash_phrase phrase = {""};
    if (report == NULL)
        return phrase;
    uint64_t undecided = report->counts.pairs_undecided;
    if (report->counts.pairs_culled + report->counts.pairs_tested + undecided == 0)
        snprintf(phrase.text, sizeof phrase.text, "there was no pair to check");
    else if (!report->complete && undecided > 0)
        snprintf(phrase.text, sizeof phrase.text, "%s %s undecided", grz_counted(undecided, "pair").text,
                 undecided == 1 ? "is" : "are");
    else if (!report->complete)
        snprintf(phrase.text, sizeof phrase.text, "not everything was checked");
    return phrase;
}
