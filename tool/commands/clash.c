/* SPDX-License-Identifier: MIT */
/* graze clash: which parts of an assembly clash, touch or come too close? */
#include "graze/clash.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clash/assembly.h"
#include "clash/documents.h"
#include "clash/estimate.h"
#include "clash/output.h"
#include "clash/pictures.h"
#include "clash/progress.h"
#include "clash/tracks.h"
#include "commands/commands.h"
#include "page/report.h"
#include "page/viewer_page.h"
#include "shell/execution.h"
#include "shell/parse_numbers.h"
#include "text/format.h"
#include "text/pattern.h"

enum
{
    OPTION_A,
    OPTION_B,
    OPTION_CLEARANCE,
    OPTION_ALLOW_TOUCH,
    OPTION_MAX_DEPTH,
    OPTION_RESOLUTION,
    OPTION_RULES,
    OPTION_SURFACE,
    OPTION_ASSUME_CLOSED,
    OPTION_TESSELLATION,
    OPTION_SELF,
    OPTION_THROUGH_TIME,
    OPTION_UNITS,
    OPTION_BASELINE,
    OPTION_FAIL_ON,
    OPTION_THREADS,
    OPTION_DRY_RUN,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_JUNIT,
    OPTION_HTML,
    OPTION_BCF,
    OPTION_PICTURES,
    OPTION_FULL_TRIANGLES,
    OPTION_QUIET
};

/* The state of one run. */
typedef struct clash_run
{
    const tool_request *request;
    tool_execution execution;
    graze_clash_options options;
    length_unit unit;
    size_t page_budget;
    tool_inputs inputs;
    clash_assembly assembly;
    clash_tracks tracks;
    graze_clash_rules *rules;
    graze_clash_baseline *baseline;
    graze_clash_input *files;
    size_t file_count;
    const char *surfaces[REPEAT_LIMIT];
    size_t surface_count;
    input_warnings warnings;
    double seconds_reading;
    graze_clash_report *report;
} clash_run;

/* Set by Ctrl-C; a second one ends the program at once. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

static bool may_continue(void *user, double share)
{
    clash_progress_note(user, share);
    return interrupted == 0;
}

static exit_code read_length(const clash_run *run, int option, double *out_length, bool *out_given)
{
    const char *text = run->request->values[option];
    char fault[FAULT_SIZE];
    size_t count = 0;
    *out_given = text != NULL;
    if (text != NULL && (!parse_numbers(text, out_length, 1, &count, fault) || count != 1 || !(*out_length >= 0)))
        return report_error(run->request->console, EXIT_USAGE, "--%s takes a length, 0 or more, not '%s'",
                            run->request->command->options[option].name, text);
    return 0;
}

static exit_code read_resolution(clash_run *run)
{
    const char *text = run->request->values[OPTION_RESOLUTION];
    if (text == NULL || strcmp(text, "auto") == 0)
        return 0;
    return read_length(run, OPTION_RESOLUTION, &run->options.resolution, &run->options.has_resolution);
}

static exit_code read_tessellation(clash_run *run)
{
    const char *word = run->request->values[OPTION_TESSELLATION];
    bool is_on = word == NULL || strcmp(word, "on") == 0;
    if (!is_on && strcmp(word, "off") != 0)
        return report_error(run->request->console, EXIT_USAGE, "--tessellation takes on or off, not '%s'", word);
    run->options.tessellation_off = !is_on;
    return 0;
}

static exit_code read_options(clash_run *run)
{
    const tool_request *request = run->request;
    const char *const *values = request->values, *units = values[OPTION_UNITS], *fail_on = values[OPTION_FAIL_ON];
    exit_code code =
        read_length(run, OPTION_CLEARANCE, &run->options.tolerances.clearance, &run->options.tolerances.has_clearance);
    if (code == 0)
        code = read_resolution(run);
    if (code == 0)
        code = read_length(run, OPTION_MAX_DEPTH, &run->options.tolerances.max_depth,
                           &run->options.tolerances.has_max_depth);
    if (code != 0)
        return code;
    run->options.tolerances.allow_touch = run->options.tolerances.has_allow_touch = values[OPTION_ALLOW_TOUCH] != NULL;
    run->unit = units != NULL ? unit_named(units) : UNIT_NONE;
    if (units != NULL && run->unit == UNIT_NONE)
        return report_error(request->console, EXIT_USAGE, "--units takes mm, cm, m, in or ft, not '%s'", units);
    if (values[OPTION_BASELINE] != NULL) /* the default with a baseline */
        run->options.fail_on = GRAZE_CLASH_FAIL_ON_WORSE;
    if (fail_on != NULL && !clash_fail_on_named(fail_on, &run->options.fail_on))
        return report_error(request->console, EXIT_USAGE, "--fail-on takes any, new or worse, not '%s'", fail_on);
    if (fail_on != NULL && run->options.fail_on != GRAZE_CLASH_FAIL_ON_ANY && values[OPTION_BASELINE] == NULL)
        return report_error(request->console, EXIT_USAGE, "--fail-on %s needs a --baseline to compare with", fail_on);
    if (values[OPTION_HTML] != NULL && page_size == 0)
        return report_error(request->console, EXIT_USAGE,
                            "this graze was built without the viewer that --html needs; "
                            "with npm at hand, build it again");
    if (values[OPTION_THROUGH_TIME] != NULL && run->options.tolerances.clearance > 0)
        return report_error(request->console, EXIT_USAGE,
                            "--through-time finds what meets while it moves; it takes no --clearance");
    run->page_budget = PAGE_BUDGET;
    const char *budget = values[OPTION_FULL_TRIANGLES];
    if (budget != NULL && !page_budget_from(budget, &run->page_budget))
        return report_error(request->console, EXIT_USAGE, "--full-triangles takes a number from 0, not '%s'", budget);
    if ((values[OPTION_A] == NULL) != (values[OPTION_B] == NULL))
        return report_error(request->console, EXIT_USAGE, "--a and --b go together: one set of parts against another");
    for (int option = OPTION_A; option <= OPTION_B; option++)
    {
        const char *fault = values[option] != NULL ? grz_pattern_fault(values[option]) : NULL;
        if (fault != NULL)
            return report_error(request->console, EXIT_USAGE, "--%s '%s': %s", request->command->options[option].name,
                                values[option], fault);
    }
    code = clash_read_patterns(request, OPTION_SURFACE, run->surfaces, &run->surface_count);
    return code != 0 ? code : read_tessellation(run);
}

/* Hashes of inputs are computed only for documents, since they take time. */
static bool writes_documents(const tool_request *request)
{
    const char *const *values = request->values;
    return values[OPTION_JSON] != NULL || values[OPTION_CSV] != NULL || values[OPTION_JUNIT] != NULL ||
           values[OPTION_HTML] != NULL;
}

/* Whether parts are seen in what is written. */
static bool shows_parts(const tool_request *request)
{
    return request->values[OPTION_HTML] != NULL || request->values[OPTION_BCF] != NULL ||
           request->values[OPTION_PICTURES] != NULL;
}

/* Reads all inputs, rules and the baseline. */
static exit_code load(clash_run *run)
{
    const tool_request *request = run->request;
    const char *baseline = request->values[OPTION_BASELINE];
    exit_code code = clash_read_rules(request, OPTION_RULES, &run->rules);
    if (code == 0 && baseline != NULL)
        code = clash_read_baseline(request->console, baseline, &run->baseline);
    if (code == 0)
        code = inputs_read(request->console, &run->execution.context, (const char *const *)request->arguments,
                           request->argument_count, run->unit, &run->inputs);
    if (code == 0 && shows_parts(request))
        code = inputs_show_shapes(request->console, &run->inputs);
    if (code == 0)
        code =
            clash_note_files(request->console, &run->inputs, writes_documents(request), &run->files, &run->file_count);
    if (code == 0 && !clash_assembly_make(&run->inputs, &run->assembly))
        code = report_error(request->console, EXIT_INTERNAL, "out of memory");
    if (code == 0 && request->values[OPTION_THROUGH_TIME] != NULL)
        code = clash_tracks_make(request->console, &run->inputs, &run->tracks);
    return code;
}

/* Warns of patterns that match no part, most likely by mistake. */
static bool warn_of_patterns(clash_run *run)
{
    const char *const *values = run->request->values;
    bool done = clash_warn_unmatched(run->report, "a", values[OPTION_A], &run->warnings) &&
                clash_warn_unmatched(run->report, "b", values[OPTION_B], &run->warnings);
    for (size_t i = 0; i < run->surface_count && done; i++)
        done = clash_warn_unmatched(run->report, "surface", run->surfaces[i], &run->warnings);
    return done;
}

/* Collects problems besides findings: missing inputs and warnings. */
static bool note_problems(clash_run *run)
{
    graze_clash_report *report = run->report;
    bool *closed = calloc(report->part_count + 1, sizeof *closed);
    for (size_t i = 0; i < report->part_count && closed != NULL; i++)
        closed[i] = report->facts[i].closed || report->facts[i].surface; /* of surfaces nothing is asked */
    bool done = closed != NULL && inputs_warn(&run->inputs, closed, &run->warnings) && warn_of_patterns(run);
    free(closed);
    return done && clash_add_problems(&run->inputs, &run->warnings, report);
}

/* Where an output goes: a file, or standard output as "-"; NULL: nowhere. */
static const char *output_path(const tool_request *request, int option)
{
    const char *path = request->values[option];
    return path == request->command->options[option].name ? "-" : path;
}

/* Says what was written where. */
static void note_written(const clash_run *run, const char *path)
{
    if (run->request->values[OPTION_QUIET] == NULL && strcmp(path, "-") != 0)
        print_note(run->request->console, "wrote %s (%s)", path,
                   grz_counted(run->report->finding_count, "finding").text);
}

/* What --dry-run prints; of the documents only JSON is written. */
static exit_code write_estimate(clash_run *run, double seconds)
{
    static const int others[] = {OPTION_CSV, OPTION_JUNIT, OPTION_HTML, OPTION_BCF, OPTION_PICTURES};
    const tool_request *request = run->request;
    const graze_clash_counts *counts = &run->report->counts;
    const clash_estimate estimate = {run->report, seconds / run->execution.threads, run->seconds_reading,
                                     (unsigned)run->execution.threads};
    const char *path = output_path(request, OPTION_JSON);
    exit_code code = path != NULL ? clash_write_estimate_json(request->console, path, &estimate) : 0;
    if (path == NULL || strcmp(path, "-") != 0)
        clash_write_estimate_text(&estimate, stdout);
    if (path != NULL && strcmp(path, "-") != 0 && code == 0 && request->values[OPTION_QUIET] == NULL)
        print_note(request->console, "wrote %s", path);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (request->values[others[i]] != NULL)
            print_note(request->console, "--%s: nothing is written with --dry-run, which finds nothing",
                       request->command->options[others[i]].name);
    if (code != 0)
        return code;
    return counts->pairs_culled + counts->pairs_tested + counts->selves_tested == 0 ? EXIT_INCOMPLETE : 0;
}

static exit_code write_all(clash_run *run)
{
    const tool_request *request = run->request;
    static const struct
    {
        int option;
        clash_writer write;
    } files[] = {{OPTION_JSON, clash_write_json},
                 {OPTION_CSV, clash_write_csv},
                 {OPTION_JUNIT, clash_write_junit},
                 {OPTION_HTML, clash_write_html}};
    bool stdout_taken = false;
    const clash_document document = {run->report, run->page_budget, run->tracks.tracks};
    exit_code code = 0;
    for (size_t i = 0; i < COUNT_OF(files) && code == 0; i++)
    {
        const char *path = output_path(request, files[i].option);
        if (path == NULL)
            continue;
        stdout_taken = stdout_taken || strcmp(path, "-") == 0;
        code = clash_write_file(request->console, path, files[i].write, &document);
        if (code == 0)
            note_written(run, path);
    }
    const char *bcf = request->values[OPTION_BCF], *pictures = request->values[OPTION_PICTURES];
    if (code == 0 && bcf != NULL)
    {
        stdout_taken = stdout_taken || strcmp(bcf, "-") == 0;
        code = clash_write_bcf(request->console, &run->execution.context, bcf, run->report);
    }
    if (code == 0 && pictures != NULL)
        code = clash_write_pictures(request->console, &run->execution.context, pictures, run->report);
    clash_text_options text = {.console = request->console,
                               .quiet = request->values[OPTION_QUIET] != NULL,
                               .width = isatty(STDOUT_FILENO) == 1 ? 100 : 0,
                               .row_limit = isatty(STDOUT_FILENO) == 1 ? 50 : 0,
                               .seconds_reading = run->seconds_reading};
    if (code == 0 && !stdout_taken)
        clash_write_text(run->report, &text, stdout);
    return code;
}

/* Fills in the options that the command line does not state by itself. */
static void complete_options(clash_run *run, clash_progress *progress)
{
    const char *const *values = run->request->values;
    graze_clash_options *options = &run->options;
    options->rules = run->rules;
    options->baseline = run->baseline;
    options->set_a = values[OPTION_A];
    options->set_b = values[OPTION_B];
    options->surfaces = run->surfaces;
    options->surface_count = run->surface_count;
    options->members = run->assembly.members;
    options->scenes = run->assembly.scenes;
    options->scene_count = run->assembly.scene_count;
    options->inputs = run->files;
    options->input_count = run->file_count;
    options->units = run->inputs.unit != UNIT_NONE ? unit_name(run->inputs.unit) : NULL;
    options->self = values[OPTION_SELF] != NULL;
    options->tracks = run->tracks.tracks;
    options->frame_count = run->tracks.frame_count;
    options->assume_closed = values[OPTION_ASSUME_CLOSED] != NULL;
    options->regions = shows_parts(run->request);
    options->on_progress = clash_progress_update;
    options->on_progress_user = progress;
    options->budget.progress = may_continue;
    options->budget.progress_user = progress;
}

static exit_code find(clash_run *run)
{
    const clash_assembly *assembly = &run->assembly;
    clash_progress progress = clash_progress_start(isatty(STDERR_FILENO) == 1);
    bool estimates = run->request->values[OPTION_DRY_RUN] != NULL;
    graze_error error;
    double seconds = 0;
    complete_options(run, &progress);
    if (!estimates)
        signal(SIGINT, on_interrupt);
    graze_status status = estimates
                              ? graze_clash_estimate(&run->execution.context, assembly->parts, assembly->part_count,
                                                     &run->options, &error, &run->report, &seconds)
                              : graze_clash_find(&run->execution.context, assembly->parts, assembly->part_count,
                                                 &run->options, &error, &run->report);
    signal(SIGINT, SIG_DFL);
    clash_progress_end(&progress);
    if (status != GRAZE_STATUS_OK)
        return report_error(run->request->console, exit_code_of(status), "%s", error.text);
    if (!note_problems(run))
        return report_error(run->request->console, EXIT_INTERNAL, "out of memory");
    if (estimates)
        return write_estimate(run, seconds);
    exit_code code = write_all(run);
    return code != 0 ? code : clash_exit_code(run->report);
}

static exit_code run_clash(const tool_request *request)
{
    clash_run run = {.request = request, .options = graze_clash_options_default()};
    uint64_t begin = clock_now();
    exit_code code = read_options(&run);
    if (code == 0)
        code = execution_open(request->console, request->values[OPTION_THREADS], NULL, &run.execution);
    if (code == 0)
        code = load(&run);
    run.seconds_reading = (double)(clock_now() - begin) * 1e-9;
    if (code == 0 && run.inputs.part_count == 0 && run.inputs.problem_count > 0)
    {
        for (size_t i = 0; i < run.inputs.problem_count; i++)
            report_error(request->console, EXIT_INPUT, "%s: %s", run.inputs.problems[i].part,
                         run.inputs.problems[i].what);
        code = EXIT_INPUT;
    }
    if (code == 0)
        code = find(&run);
    graze_clash_report_destroy(run.report);
    warnings_release(&run.warnings);
    clash_tracks_release(&run.tracks);
    clash_assembly_release(&run.assembly);
    graze_clash_baseline_destroy(run.baseline);
    graze_clash_rules_destroy(run.rules);
    inputs_release(&run.inputs);
    free(run.files);
    execution_close(&run.execution);
    return code;
}

static const tool_argument arguments[] = {
    INPUTS_ARGUMENT,
};

static const tool_option options[] = {
    [OPTION_A] = {.name = "a", .value = "SET", .help = "Check only parts whose names match SET (with * and ?)..."},
    [OPTION_B] = {.name = "b", .value = "SET", .help = "...against those that match this one."},
    [OPTION_CLEARANCE] = {.name = "clearance",
                          .value = "D",
                          .help = "A gap strictly below D is too close. Default: 0, so that no gap is."},
    [OPTION_ALLOW_TOUCH] = {.name = "allow-touch", .help = "Parts may touch."},
    [OPTION_MAX_DEPTH] = {.name = "max-depth",
                          .value = "D",
                          .help = "Parts may cross up to a depth of D, as a press fit does. Default: 0."},
    [OPTION_RESOLUTION] = {.name = "resolution",
                           .value = "auto|D",
                           .help =
                               "How far coordinates may be off. Parts that cross no deeper than the sum of both, or "
                               "have no larger gap, touch. auto, the default: what the numbers of each file leave "
                               "open; D: the same for all parts; 0: coordinates are exact."},
    [OPTION_RULES] = {.name = "rules",
                      .value = "FILE",
                      .repeats = true,
                      .help = "Rules as JSON (docs/clash-rules.md): pairs to ignore, limits and severities for groups "
                              "and pairs, approvals, reviews, surfaces. May be given several times: all count."},
    [OPTION_SURFACE] = {.name = "surface",
                        .value = "PATTERN",
                        .repeats = true,
                        .help = "Parts whose names match PATTERN (with * and ?) are meant to be surfaces, such as "
                                "terrain: nothing is asked of their inside. May be given several times."},
    [OPTION_ASSUME_CLOSED] = {.name = "assume-closed",
                              .help = "Decide by winding numbers what lies inside parts that are not closed, instead "
                                      "of leaving it undecided. Such verdicts are estimated."},
    [OPTION_TESSELLATION] = {.name = "tessellation",
                             .value = "on|off",
                             .help = "Whether a crossing no deeper than the sagittas of the facets of both parts, as "
                                     "of a round shaft in its hole, is for information only, unless a rule says "
                                     "otherwise. Default: on."},
    [OPTION_SELF] = {.name = "self", .help = "Look for parts that cross themselves, too."},
    [OPTION_THROUGH_TIME] = {.name = "through-time",
                             .help = "Check a scene file whose objects move through all its frames and between them: "
                                     "from each frame to the next an object makes one turn. Findings say when parts "
                                     "meet for the first time, as a certified interval in frames; parts that never "
                                     "meet are none. Takes no --clearance."},
    [OPTION_UNITS] = {.name = "units",
                      .value = "UNIT",
                      .help = "The unit of files that state none, and of all results: mm, cm, m, in or ft. glTF, in "
                              "metres, is converted. Without, numbers are taken as they are."},
    [OPTION_BASELINE] = {.name = "baseline",
                         .value = "FILE",
                         .help = "An earlier JSON report: says which findings are new, known or worse, and which are "
                                 "resolved."},
    [OPTION_FAIL_ON] = {.name = "fail-on",
                        .value = "WHEN",
                        .help = "Which findings count for the exit code: any, new (not in the baseline), or worse (new "
                                "ones, and those worse than there). Approved ones never do. Default: worse with a "
                                "baseline, else any."},
    [OPTION_THREADS] = THREADS_OPTION,
    [OPTION_DRY_RUN] = {.name = "dry-run", .help = "Only list parts, count pairs and estimate the time."},
    [OPTION_JSON] = {.name = "json",
                     .value = "FILE",
                     .optional = ".json",
                     .help = "Write the report as JSON, to FILE.json if that follows, else to standard output. "
                             "--json=FILE takes any name. With --dry-run, counts and the estimated time."},
    [OPTION_CSV] = {.name = "csv", .value = "FILE", .help = "Write the findings as a table for spreadsheets."},
    [OPTION_JUNIT] = {.name = "junit", .value = "FILE", .help = "Write the report as JUnit XML, for build servers."},
    [OPTION_HTML] = {.name = "html",
                     .value = "FILE",
                     .help = "Write a page to look at: findings, parts and curves in 3D, in one file without network."},
    [OPTION_BCF] = {.name = "bcf",
                    .value = "FILE",
                    .help = "Write the findings as a BCF 2.1 file for the issue lists of BIM tools: a topic with "
                            "viewpoint and picture each. Its dates are SOURCE_DATE_EPOCH, else that of the newest "
                            "input."},
    [OPTION_PICTURES] = {.name = "pictures",
                         .value = "FOLDER",
                         .help = "Write a picture of each finding to FOLDER, as NNN-ID.png in the report's order."},
    [OPTION_FULL_TRIANGLES] = {.name = "full-triangles",
                               .value = "N",
                               .help = "How many triangles of parts without findings the page holds in full, small "
                                       "meshes first; what is above is simplified to as many once more. Parts in "
                                       "findings are always there in full. Default: 1000000."},
    [OPTION_QUIET] = {.name = "quiet", .help = "Print the verdict alone."},
};

static const tool_example examples[] = {
    {"graze clash parts/", "Does anything in this folder clash?"},
    {"graze clash gearbox.glb --clearance 0.5 --allow-touch", "Gaps of half a unit are too close; touching is fine."},
    {"graze clash housing.stl shaft.stl --json report.json", "A report for programs."},
    {"graze clash parts/ --html report.html", "A report to look at, and to mail to a colleague."},
    {"graze clash robot.json --through-time --html report.html", "When do parts of a moving scene first meet?"},
    {"graze clash parts/ --bcf clashes.bcf", "Findings for the issue list of a BIM or CAD tool, with pictures."},
    {"graze clash parts/ --rules rules.json --baseline last.json --fail-on worse",
     "As a test: only what is new or worse than last time fails."},
};

const tool_command clash_command = {
    .name = "clash",
    .synopsis = "PATH... [--a SET --b SET] [--clearance D] [--allow-touch] [--max-depth D] [--resolution auto|D] "
                "[--rules FILE]... "
                "[--surface PATTERN]... [--assume-closed] [--tessellation on|off] "
                "[--self] [--through-time] "
                "[--units UNIT] [--baseline FILE] [--fail-on WHEN] [--threads N] [--dry-run] [--json [FILE]] "
                "[--csv FILE] [--junit FILE] [--html FILE] [--bcf FILE] [--pictures FOLDER] "
                "[--full-triangles N] [--quiet]",
    .summary = "which parts of an assembly clash, touch or come too close?",
    .description =
        "Reads all parts, checks every pair of them (or one set against another), and says what each finding is: one "
        "part contains another, they cross (with the depth as a certified interval), they touch (at a point, an edge "
        "or a face), they are too close (with the gap), or they are duplicates: the same shape at the same place. All "
        "verdicts are exact; pairs that meshes leave undecided, such as those with four triangles at an edge, are "
        "listed as such. Reports are the same for any number of threads.\n"
        "\n"
        "With --through-time the parts of a scene file move: what meets at any moment is found, also between frames.\n"
        "\n"
        "Touching is a finding unless allowed; a gap strictly below the clearance is too close. The most specific "
        "rule decides, and is named.\n"
        "\n"
        "The exit code is 1 when there are findings that count, 4 when not everything could be checked or there was "
        "nothing to check, 3 when no input could be read, else 0. Ctrl-C ends the run with what is known by then.",
    .arguments = arguments,
    .argument_count = COUNT_OF(arguments),
    .least_arguments = 1,
    .most_arguments = ANY_NUMBER,
    .options = options,
    .option_count = COUNT_OF(options),
    .examples = examples,
    .example_count = COUNT_OF(examples),
    .run = run_clash,
};
