/* SPDX-License-Identifier: MIT */
/* graze-lab methods: the literature's methods with their guarantees, and what each costs on a small flight, agreement
 * with the engine first. */
#include "methods.h"

#include <stdio.h>
#include <string.h>

#include "timing.h"
#include "workload.h"

static const char *const class_names[] = {"soup", "faces", "manifold", "closed", "convex"};
static const char *const subject_names[] = {"surfaces", "bodies"};
static const char *const guarantee_names[] = {"exact", "yes-sure", "no-sure", "estimated"};

enum
{
    POSES = 200
};

/* Agreement and cost over the poses. */
typedef struct method_cost
{
    size_t known, right, wrong; /* verdicts that were given, of which right and wrong; guesses are not counted */
    double ns, volumes, primitives;
} method_cost;

/* Two bodies near each other: tori for most methods, geodesic spheres for convex ones. */
static graze_status make_meshes(bool convex, graze_mesh *meshes[2])
{
    graze_status status = convex ? graze_mesh_create_geodesic_sphere(NULL, 1, 5, &meshes[0])
                                 : graze_mesh_create_torus(NULL, 1, 0.3, 40, 16, &meshes[0]);
    if (status != GRAZE_STATUS_OK)
        return status;
    return convex ? graze_mesh_create_geodesic_sphere(NULL, 0.7, 4, &meshes[1])
                  : graze_mesh_create_torus(NULL, 0.8, 0.2, 32, 12, &meshes[1]);
}

static bool truth_of(const graze_method_info *method, const graze_placed_mesh placed[2])
{
    graze_solid_answer solid;
    bool found = false;
    if (method->subject == GRAZE_METHOD_BODIES &&
        graze_pair_containment(NULL, &placed[0], &placed[1], NULL, &solid) == GRAZE_STATUS_OK)
        return solid.collide;
    graze_pair_any(NULL, &placed[0], &placed[1], NULL, &found, NULL);
    return found;
}

static bool measure(const graze_method_info *method, method_cost *out)
{
    graze_mesh *meshes[2] = {NULL, NULL};
    graze_method_body *bodies[2] = {NULL, NULL};
    bool done = make_meshes(method->mesh_class == GRAZE_METHOD_CLASS_CONVEX, meshes) == GRAZE_STATUS_OK;
    for (int side = 0; done && side < 2; side++)
        done = graze_method_body_create(NULL, method->name, meshes[side], NULL, &bodies[side]) == GRAZE_STATUS_OK;
    *out = (method_cost){0};
    grz_random random = grz_random_make(1);
    for (size_t i = 0; done && i < POSES; i++)
    {
        const double where[3] = {grz_random_between(&random, -1.8, 1.8), grz_random_between(&random, -1.8, 1.8),
                                 grz_random_between(&random, -0.8, 0.8)};
        const graze_pose poses[2] = {graze_pose_identity(), lab_random_pose(&random, where)};
        const graze_placed_mesh placed[2] = {{meshes[0], NULL, poses[0]}, {meshes[1], NULL, poses[1]}};
        graze_placed_method_body a = {bodies[0], poses[0]}, b = {bodies[1], poses[1]};
        graze_method_counters counters;
        graze_method_options options = graze_method_options_default();
        options.counters = &counters;
        graze_method_answer answer;
        double start = lab_cpu_now();
        done = graze_method_any(NULL, &a, &b, &options, &answer) == GRAZE_STATUS_OK;
        out->ns += (lab_cpu_now() - start) / POSES;
        out->volumes += (double)counters.volumes / POSES;
        out->primitives += (double)counters.primitives / POSES;
        bool known = done && answer.collide != GRAZE_VERDICT_UNKNOWN;
        bool right = known && (answer.collide == GRAZE_VERDICT_YES) == truth_of(method, placed);
        out->known += known;
        out->right += right;
        out->wrong += known && !right;
    }
    for (int side = 0; side < 2; side++)
    {
        graze_method_body_destroy(bodies[side]);
        graze_mesh_destroy(meshes[side]);
    }
    return done;
}

static bool write_json(const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    for (size_t i = 0; i < graze_method_count(); i++)
    {
        const graze_method_info *method = graze_method_at(i);
        fprintf(out,
                "%s\n{\"name\":\"%s\",\"class\":\"%s\",\"subject\":\"%s\",\"guarantee\":\"%s\",\"deadline\":%s,"
                "\"source\":\"%s\"}",
                i == 0 ? "[" : ",", method->name, class_names[method->mesh_class], subject_names[method->subject],
                guarantee_names[method->guarantee], method->deadline ? "true" : "false", method->source);
    }
    fputs("\n]\n", out);
    return fclose(out) == 0;
}

int lab_methods(int argument_count, char **arguments)
{
    const char *json = NULL, *plots = NULL;
    bool done = true;
    for (int i = 0; i < argument_count; i += 2)
    {
        bool is_json = strcmp(arguments[i], "--json") == 0;
        if ((!is_json && strcmp(arguments[i], "--plots") != 0) || i + 1 == argument_count)
        {
            fprintf(stderr, "graze-lab: methods [--json FILE] [--plots FOLDER], not %s\n", arguments[i]);
            return 2;
        }
        *(is_json ? &json : &plots) = arguments[i + 1];
    }
    printf("%-18s %-9s %-9s %-10s %-9s %-14s %7s %7s %6s %11s %10s %10s\n", "method", "class", "subject", "guarantee",
           "deadline", "source", "known", "right", "wrong", "us a query", "volumes", "primitives");
    for (size_t i = 0; i < graze_method_count(); i++)
    {
        const graze_method_info *method = graze_method_at(i);
        method_cost cost;
        done = measure(method, &cost) && done && cost.wrong == 0;
        printf("%-18s %-9s %-9s %-10s %-9s %-14s %7zu %7zu %6zu %11.2f %10.1f %10.1f\n", method->name,
               class_names[method->mesh_class], subject_names[method->subject], guarantee_names[method->guarantee],
               method->deadline ? "yes" : "no", method->source, cost.known, cost.right, cost.wrong, cost.ns * 1e-3,
               cost.volumes, cost.primitives);
    }
    if (json != NULL)
        done = write_json(json) && done;
    if (plots != NULL)
        done = lab_plot_methods(plots) && done;
    return done ? 0 : 1;
}
