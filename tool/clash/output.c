/* SPDX-License-Identifier: MIT */
/* Shared by all report writers: files, phrases, and names with unprintable characters replaced; see output.h. */
#include "clash/output.h"

#include <math.h>
#include <string.h>

#include "shell/json_writer.h"
#include "shell/line_reader.h"
#include "shell/output.h"
#include "shell/text_format.h"

typedef struct document
{
    clash_writer write;
    const clash_report *report;
} document;

static bool write_document(const void *user, FILE *out)
{
    const document *what = user;
    return what->write(what->report, out);
}

exit_code clash_write_file(const tool_console *console, const char *path, clash_writer write,
                           const clash_report *report)
{
    return output_write(console, path, write_document, &(document){write, report});
}

/* "depth 0.5", "depth 0.5 to 0.52", "depth of 0.5 at least". */
static clash_phrase interval_phrase(const char *what, const double interval[2])
{
    clash_phrase phrase;
    char lower[32], upper[32];
    snprintf(lower, sizeof lower, "%.4g", interval[0]);
    snprintf(upper, sizeof upper, "%.4g", interval[1]);
    if (!isfinite(interval[1]))
        snprintf(phrase.text, sizeof phrase.text, "%s of %s at least", what, lower);
    else if (strcmp(lower, upper) == 0)
        snprintf(phrase.text, sizeof phrase.text, "%s %s", what, lower);
    else
        snprintf(phrase.text, sizeof phrase.text, "%s %s to %s", what, lower, upper);
    return phrase;
}

static clash_phrase touch_phrase(const clash_finding *finding)
{
    clash_phrase phrase;
    const char *kind = finding->touch_kind != NULL ? finding->touch_kind : "";
    if (strcmp(kind, "face") == 0)
        snprintf(phrase.text, sizeof phrase.text, "face, area %.4g", finding->area);
    else
        snprintf(phrase.text, sizeof phrase.text, "%.32s", kind);
    return phrase;
}

clash_phrase clash_measure(const clash_finding *finding)
{
    clash_phrase phrase = {""}, depth = {""};
    if (finding->has_depth)
        depth = interval_phrase("depth", finding->depth);
    switch (finding->verdict)
    {
    case CLASH_TOO_CLOSE:
        return finding->has_gap ? interval_phrase("gap", finding->gap) : phrase;
    case CLASH_TOUCHES:
        return touch_phrase(finding);
    case CLASH_CONTAINS:
        snprintf(phrase.text, sizeof phrase.text, "%s%s%.120s", finding->a_in_b ? "a in b" : "b in a",
                 depth.text[0] != '\0' ? ", " : "", depth.text);
        return phrase;
    case CLASH_DUPLICATE:
        snprintf(phrase.text, sizeof phrase.text, "%s the same",
                 counted(finding->set_count > 2 ? finding->set_count : 2, "part").text);
        return phrase;
    case CLASH_CROSSES:
        if (finding->has_depth)
            return depth;
        break;
    default:
        break;
    }
    snprintf(phrase.text, sizeof phrase.text, "%s", counted(finding->pairs, "pair").text);
    return phrase;
}

const char *clash_verdict_words(clash_verdict verdict)
{
    return verdict == CLASH_TOO_CLOSE ? "too close" : verdict == CLASH_SELF ? "self" : clash_verdict_name(verdict);
}

clash_phrase clash_shortfall(const clash_report *report)
{
    clash_phrase phrase = {""};
    uint64_t undecided = report->counts.pairs_undecided;
    if (report->counts.pairs_culled + report->counts.pairs_tested + undecided == 0)
        snprintf(phrase.text, sizeof phrase.text, "there was no pair to check");
    else if (!report->complete && undecided > 0)
        snprintf(phrase.text, sizeof phrase.text, "%s %s undecided", counted(undecided, "pair").text,
                 undecided == 1 ? "is" : "are");
    else if (!report->complete)
        snprintf(phrase.text, sizeof phrase.text, "not everything was checked");
    return phrase;
}

/* Code points that terminals interpret: C1 controls and bidirectional formatting. */
static bool is_terminal_control(const unsigned char *at, size_t length)
{
    if (length == 1)
        return at[0] < 0x20 || at[0] == 0x7f;
    if (length == 2)
        return at[0] == 0xc2 && at[1] < 0xa0;
    return length == 3 && at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

bool next_printable(const char **at, char out_character[5])
{
    const unsigned char *bytes = (const unsigned char *)*at;
    if (bytes[0] == '\0')
        return false;
    size_t length = utf8_length(bytes);
    bool is_fine = length > 0 && !is_terminal_control(bytes, length);
    memset(out_character, 0, 5);
    if (is_fine)
        memcpy(out_character, bytes, length);
    else
        out_character[0] = '?';
    *at += length > 0 ? length : 1;
    return true;
}
