/* SPDX-License-Identifier: MIT */
/* graze clash: which parts of an assembly clash, touch or come too close? */
#include "clash/report.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clash/baseline.h"
#include "clash/engine.h"
#include "clash/output.h"
#include "clash/parts.h"
#include "clash/pattern.h"
#include "clash/progress.h"
#include "commands/commands.h"
#include "page/report.h"
#include "page/viewer_page.h"
#include "shell/parse_numbers.h"

enum
{
    OPTION_A,
    OPTION_B,
    OPTION_CLEARANCE,
    OPTION_ALLOW_TOUCH,
    OPTION_MAX_DEPTH,
    OPTION_RULES,
    OPTION_SELF,
    OPTION_UNITS,
    OPTION_BASELINE,
    OPTION_FAIL_ON,
    OPTION_THREADS,
    OPTION_DRY_RUN,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_JUNIT,
    OPTION_HTML,
    OPTION_FULL_TRIANGLES,
    OPTION_QUIET
};

/* The state of one run. */
typedef struct clash_run
{
    const tool_request *request;
    tool_execution execution;
    clash_tolerances tolerances;
    length_unit unit;
    clash_fail_on fail_on;
    tool_inputs inputs;
    clash_parts parts;
    clash_rules *rules;
    clash_interest *interest;
    clash_baseline *baseline;
    clash_input *files;
    size_t file_count;
    input_warnings warnings;
    clash_report report;
} clash_run;

/* Set by Ctrl-C; a second one ends the program at once. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL);
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

static exit_code read_options(clash_run *run)
{
    const tool_request *request = run->request;
    const char *const *values = request->values, *units = values[OPTION_UNITS], *fail_on = values[OPTION_FAIL_ON];
    exit_code code = read_length(run, OPTION_CLEARANCE, &run->tolerances.clearance, &run->tolerances.has_clearance);
    if (code == 0)
        code = read_length(run, OPTION_MAX_DEPTH, &run->tolerances.max_depth, &run->tolerances.has_max_depth);
    if (code != 0)
        return code;
    run->tolerances.allow_touch = run->tolerances.has_allow_touch = values[OPTION_ALLOW_TOUCH] != NULL;
    run->unit = units != NULL ? unit_named(units) : UNIT_NONE;
    if (units != NULL && run->unit == UNIT_NONE)
        return report_error(request->console, EXIT_USAGE, "--units takes mm, cm, m, in or ft, not '%s'", units);
    if (values[OPTION_BASELINE] != NULL) /* the default with a baseline */
        run->fail_on = CLASH_FAIL_ON_WORSE;
    if (fail_on != NULL && !clash_fail_on_from_name(fail_on, &run->fail_on))
        return report_error(request->console, EXIT_USAGE, "--fail-on takes any, new or worse, not '%s'", fail_on);
    if (fail_on != NULL && run->fail_on != CLASH_FAIL_ON_ANY && values[OPTION_BASELINE] == NULL)
        return report_error(request->console, EXIT_USAGE, "--fail-on %s needs a --baseline to compare with", fail_on);
    if (values[OPTION_HTML] != NULL && page_size == 0)
        return report_error(request->console, EXIT_USAGE,
                            "this graze was built without the viewer that --html needs; "
                            "with npm at hand, build it again");
    run->report.page_budget = PAGE_BUDGET;
    const char *budget = values[OPTION_FULL_TRIANGLES];
    if (budget != NULL && !page_budget_from(budget, &run->report.page_budget))
        return report_error(request->console, EXIT_USAGE, "--full-triangles takes a number from 0, not '%s'", budget);
    if ((values[OPTION_A] == NULL) != (values[OPTION_B] == NULL))
        return report_error(request->console, EXIT_USAGE, "--a and --b go together: one set of parts against another");
    for (int option = OPTION_A; option <= OPTION_B; option++)
    {
        const char *fault = values[option] != NULL ? pattern_fault(values[option]) : NULL;
        if (fault != NULL)
            return report_error(request->console, EXIT_USAGE, "--%s '%s': %s", request->command->options[option].name,
                                values[option], fault);
    }
    return execution_open(request->console, values[OPTION_THREADS], NULL, &run->execution);
}

/* Hashes of inputs are computed only for documents, since they take time. */
static bool writes_documents(const tool_request *request)
{
    const char *const *values = request->values;
    return values[OPTION_JSON] != NULL || values[OPTION_CSV] != NULL || values[OPTION_JUNIT] != NULL ||
           values[OPTION_HTML] != NULL;
}

static exit_code note_files(clash_run *run)
{
    const input_paths *paths = &run->inputs.paths;
    run->files = calloc(paths->count + 1, sizeof *run->files);
    if (run->files == NULL)
        return report_error(run->request->console, EXIT_INTERNAL, "out of memory");
    run->file_count = paths->count;
    for (size_t i = 0; i < paths->count; i++)
    {
        run->files[i].path = paths->files[i].path;
        if (strcmp(paths->files[i].path, "-") == 0)
        {
            memcpy(run->files[i].hash, run->inputs.standard_input_hash, sizeof run->files[i].hash);
            run->files[i].size = run->inputs.standard_input_size;
        }
        else if (writes_documents(run->request))
            sha256_file(paths->files[i].path, run->files[i].hash, &run->files[i].size);
    }
    return 0;
}

/* Reads all inputs, rules and the baseline. */
static exit_code load(clash_run *run)
{
    const tool_request *request = run->request;
    const tool_console *console = request->console;
    exit_code code = clash_rules_load(console, request->values[OPTION_RULES], &run->tolerances, &run->rules);
    if (code == 0 && request->values[OPTION_BASELINE] != NULL)
        code = clash_baseline_load(console, request->values[OPTION_BASELINE], &run->baseline);
    if (code == 0)
        code = inputs_read(console, &run->execution.context, (const char *const *)request->arguments,
                           request->argument_count, run->unit, &run->inputs);
    return code == 0 ? note_files(run) : code;
}

/* Prepares parts, interest and rules for the engine. */
static exit_code prepare(clash_run *run)
{
    const tool_request *request = run->request;
    const tool_console *console = request->console;
    exit_code code = clash_parts_make(console, &run->execution.context, &run->inputs, request->values[OPTION_A],
                                      request->values[OPTION_B], &run->parts);
    if (code == 0 && !clash_rules_prepare(run->rules, run->parts.parts, run->parts.count))
        code = report_error(console, EXIT_INTERNAL, "out of memory");
    if (code == 0 && !clash_interest_create(&run->inputs, &run->interest))
        code = report_error(console, EXIT_INTERNAL, "out of memory");
    return code;
}

/* Warns when --a or --b matches no part: then nothing is checked, most likely by mistake. */
static bool warn_of_sets(clash_run *run)
{
    bool has_a = false, has_b = false, done = true;
    for (size_t i = 0; i < run->parts.count; i++)
    {
        has_a = has_a || run->parts.parts[i].in_a;
        has_b = has_b || run->parts.parts[i].in_b;
    }
    for (int option = OPTION_A; option <= OPTION_B && done; option++)
    {
        const char *pattern = run->request->values[option];
        if (pattern != NULL && !(option == OPTION_A ? has_a : has_b))
            done = warnings_add(&run->warnings, format_text("--%s: no part matches '%s'",
                                                            run->request->command->options[option].name, pattern));
    }
    return done;
}

/* Collects problems besides findings: missing inputs, warnings, rules that match nothing. */
static bool note_problems(clash_run *run)
{
    clash_report *report = &run->report;
    const clash_problem *of_rules = NULL;
    size_t rule_count = 0;
    bool *closed = calloc(run->parts.count + 1, sizeof *closed);
    for (size_t i = 0; i < run->parts.count && closed != NULL; i++)
        closed[i] = run->parts.parts[i].closed;
    bool done = closed != NULL && inputs_warn(&run->inputs, closed, &run->warnings) && warn_of_sets(run) &&
                clash_rules_problems(run->rules, report->complete, &of_rules, &rule_count);
    free(closed);
    size_t most = run->inputs.problem_count + run->warnings.count + rule_count;
    report->problems = done ? calloc(most + 1, sizeof *report->problems) : NULL;
    if (report->problems == NULL)
        return false;
    for (size_t i = 0; i < run->inputs.problem_count; i++)
    {
        const input_problem *problem = &run->inputs.problems[i];
        report->problems[report->problem_count++] = (clash_problem){problem->part, problem->what};
        report->complete = report->complete && !problem->left_out;
    }
    for (size_t i = 0; i < run->warnings.count; i++)
        report->problems[report->problem_count++] = (clash_problem){"", run->warnings.texts[i]};
    for (size_t i = 0; i < rule_count; i++)
        report->problems[report->problem_count++] = of_rules[i];
    return true;
}

static void describe(clash_run *run)
{
    clash_report *report = &run->report;
    clash_limits global = clash_rules_global(run->rules);
    report->inputs = run->files;
    report->input_count = run->file_count;
    report->clearance = global.clearance;
    report->max_depth = global.max_depth;
    report->allow_touch = global.allow_touch;
    report->units = run->inputs.unit != UNIT_NONE ? unit_name(run->inputs.unit) : NULL;
    report->rules_path = run->request->values[OPTION_RULES];
    memcpy(report->rules_hash, clash_rules_hash(run->rules), sizeof report->rules_hash);
    report->fail_on = run->fail_on;
}

static exit_code dry_run(clash_run *run, const clash_request *engine)
{
    double seconds = 0;
    exit_code code = clash_estimate(engine, &run->report, &seconds);
    if (code != 0)
        return code;
    const clash_counts *counts = &run->report.counts;
    for (size_t i = 0; i < run->parts.count; i++)
    {
        const clash_part *part = &run->parts.parts[i];
        printf("%-40s %10zu triangles  %s\n", part->name, part->triangle_count, part->closed ? "closed" : "open");
    }
    printf("%llu parts, %llu triangles; %llu pairs possible, %llu ignored, %llu culled by boxes, %llu to test\n",
           (unsigned long long)run->parts.count, (unsigned long long)counts->triangles,
           (unsigned long long)counts->pairs_possible, (unsigned long long)counts->pairs_ignored,
           (unsigned long long)counts->pairs_culled, (unsigned long long)counts->pairs_tested);
    printf("estimated time: %.3g s to check, after %.3g s to read and prepare\n", seconds / run->execution.threads,
           run->report.seconds_reading + run->report.seconds_preparing);
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
    exit_code code = 0;
    for (size_t i = 0; i < COUNT_OF(files) && code == 0; i++)
    {
        const char *path = request->values[files[i].option];
        if (path == NULL)
            continue;
        bool is_flag = path == request->command->options[files[i].option].name;
        stdout_taken = stdout_taken || is_flag || strcmp(path, "-") == 0;
        code = clash_write_file(request->console, is_flag ? "-" : path, files[i].write, &run->report);
    }
    clash_text_options text = {.console = request->console,
                               .quiet = request->values[OPTION_QUIET] != NULL,
                               .width = isatty(STDOUT_FILENO) == 1 ? 100 : 0,
                               .row_limit = isatty(STDOUT_FILENO) == 1 ? 50 : 0};
    if (code == 0 && !stdout_taken)
        clash_write_text(&run->report, &text, stdout);
    return code;
}

static exit_code find(clash_run *run)
{
    clash_progress progress = clash_progress_start(isatty(STDERR_FILENO) == 1);
    clash_request engine = {.console = run->request->console,
                            .context = &run->execution.context,
                            .parts = run->parts.parts,
                            .part_count = run->parts.count,
                            .owner = &run->parts,
                            .rules = run->rules,
                            .interest = run->interest,
                            .regions = run->request->values[OPTION_HTML] != NULL,
                            .self = run->request->values[OPTION_SELF] != NULL,
                            .interrupted = &interrupted,
                            .progress = clash_progress_update,
                            .progress_user = &progress};
    if (run->request->values[OPTION_DRY_RUN] != NULL)
        return dry_run(run, &engine);
    signal(SIGINT, on_interrupt);
    uint64_t begin = clock_now();
    exit_code code = clash_find(&engine, &run->report);
    run->report.seconds_checking = (double)(clock_now() - begin) * 1e-9;
    signal(SIGINT, SIG_DFL);
    clash_progress_end(&progress);
    if (code != 0)
        return code;
    describe(run);
    for (size_t i = 0; i < run->report.finding_count; i++)
        clash_rules_approve(run->rules, &run->report.findings[i]);
    if ((run->baseline != NULL && !clash_baseline_apply(run->baseline, &run->report)) || !note_problems(run))
        return report_error(run->request->console, EXIT_INTERNAL, "out of memory");
    code = write_all(run);
    return code != 0 ? code : clash_exit_code(&run->report);
}

static exit_code run_clash(const tool_request *request)
{
    clash_run run = {.request = request};
    uint64_t begin = clock_now();
    exit_code code = read_options(&run);
    if (code == 0)
        code = load(&run);
    run.report.seconds_reading = (double)(clock_now() - begin) * 1e-9;
    begin = clock_now();
    if (code == 0)
        code = prepare(&run);
    run.report.seconds_preparing = (double)(clock_now() - begin) * 1e-9;
    if (code == 0 && run.parts.count == 0 && run.inputs.problem_count > 0)
    {
        for (size_t i = 0; i < run.inputs.problem_count; i++)
            report_error(request->console, EXIT_INPUT, "%s: %s", run.inputs.problems[i].part,
                         run.inputs.problems[i].what);
        code = EXIT_INPUT;
    }
    if (code == 0)
        code = find(&run);
    clash_report_release(&run.report);
    warnings_release(&run.warnings);
    clash_parts_release(&run.parts);
    clash_baseline_release(run.baseline);
    clash_rules_release(run.rules);
    clash_interest_release(run.interest);
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
    [OPTION_RULES] = {.name = "rules",
                      .value = "FILE",
                      .help = "Rules as JSON (docs/clash-rules.md): pairs to ignore, limits and severities for groups "
                              "and pairs, approvals."},
    [OPTION_SELF] = {.name = "self", .help = "Look for parts that cross themselves, too."},
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
                     .help = "Write the report as JSON, to FILE.json if that follows, else to standard output."},
    [OPTION_CSV] = {.name = "csv", .value = "FILE", .help = "Write the findings as a table for spreadsheets."},
    [OPTION_JUNIT] = {.name = "junit", .value = "FILE", .help = "Write the report as JUnit XML, for build servers."},
    [OPTION_HTML] = {.name = "html",
                     .value = "FILE",
                     .help = "Write a page to look at: findings, parts and curves in 3D, in one file without network."},
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
    {"graze clash parts/ --rules rules.json --baseline last.json --fail-on worse",
     "As a test: only what is new or worse than last time fails."},
};

const tool_command clash_command = {
    .name = "clash",
    .synopsis = "PATH... [--a SET --b SET] [--clearance D] [--allow-touch] [--max-depth D] [--rules FILE] [--self] "
                "[--units UNIT] [--baseline FILE] [--fail-on WHEN] [--threads N] [--dry-run] [--json [FILE]] "
                "[--csv FILE] [--junit FILE] [--html FILE] [--full-triangles N] [--quiet]",
    .summary = "which parts of an assembly clash, touch or come too close?",
    .description =
        "Reads all parts, checks every pair of them (or one set against another), and says what each finding is: one "
        "part contains another, they cross (with the depth as a certified interval), they touch (at a point, an edge "
        "or a face), they are too close (with the gap), or they are duplicates: the same shape at the same place. All "
        "verdicts are exact; pairs that meshes leave undecided, such as those with four triangles at an edge, are "
        "listed as such. Reports are the same for any number of threads.\n"
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
