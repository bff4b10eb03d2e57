/* SPDX-License-Identifier: MIT */
/* graze check --contacts: manifolds of contact points, as a solver takes them; of meshes as solids. */
#include <stdlib.h>

#include "commands/check.h"
#include "shell/contact_output.h"
#include "shell/output.h"
#include "shell/parse_numbers.h"
#include "shell/text_format.h"

static bool is_asked(const check_run *run)
{
    return run->request->values[OPTION_CONTACTS] != NULL;
}

exit_code check_read_margin(check_run *run)
{
    const char *text = run->request->values[OPTION_MARGIN];
    char fault[FAULT_SIZE];
    size_t count = 0;
    run->margin = -1;
    if (text == NULL || (parse_numbers(text, &run->margin, 1, &count, fault) && count == 1 && run->margin >= 0))
        return 0;
    return report_error(run->request->console, EXIT_USAGE, "--margin takes a finite length, 0 or more, not '%s'", text);
}

/* How many there are, then all of them. */
static graze_status find(check_run *run, const graze_placed placed[2])
{
    const graze_context *context = &run->execution.context;
    graze_shape_contact_options options = graze_shape_contact_options_default();
    size_t count = 0;
    options.margin = run->margin;
    graze_status status = graze_shape_pair_contacts(context, &placed[0], &placed[1], &options, NULL, 0, &count);
    if (status != GRAZE_STATUS_OK || count == 0)
        return status;
    run->manifolds = malloc(count * sizeof *run->manifolds);
    if (run->manifolds == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    run->manifold_count = count;
    return graze_shape_pair_contacts(context, &placed[0], &placed[1], &options, run->manifolds, count, &count);
}

graze_status check_find_contacts(check_run *run)
{
    graze_shape *own[2];
    graze_placed placed[2];
    if (!is_asked(run))
        return GRAZE_STATUS_OK;
    graze_status status = check_place_solids(run, own, placed);
    if (status == GRAZE_STATUS_OK)
        status = find(run, placed);
    graze_shape_destroy(own[0]);
    graze_shape_destroy(own[1]);
    return status;
}

void check_write_contacts(grz_json_writer *json, const check_run *run)
{
    if (!is_asked(run))
        return;
    grz_json_put_key(json, "contacts");
    json_put_manifolds(json, GRZ_JSON_LONG_ARRAY, run->manifolds, run->manifold_count);
}

void check_say_contacts(const check_run *run)
{
    if (!is_asked(run))
        return;
    printf("  contacts  %s\n", grz_counted(run->manifold_count, "manifold").text);
    for (size_t i = 0; i < run->manifold_count; i++)
    {
        const graze_contact_manifold *m = &run->manifolds[i].contacts;
        printf("            normal ");
        print_point(stdout, m->normal);
        putchar('\n');
        for (uint32_t k = 0; k < m->count; k++)
        {
            printf("              gap %s at ", human_real(m->points[k].gap).text);
            print_point(stdout, m->points[k].point_a);
            putchar('\n');
        }
    }
}
