/* SPDX-License-Identifier: MIT */
/*
 * Methods of the literature as engines of the lab, beside the libraries that are built on the same ideas: 18-dops and
 * oriented boxes against FCL's. Not contenders: they take part when --peers names them, or all.
 */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

typedef struct method_model
{
    graze_mesh *mesh;
    graze_method_body *body;
    graze_hit *hits; /* buffer of gathered hits; grows as needed */
    size_t capacity;
} method_model;

static void destroy(void *user)
{
    method_model *m = user;
    graze_method_body_destroy(m->body);
    graze_mesh_destroy(m->mesh);
    free(m->hits);
    free(m);
}

static void *create(const lab_soup *soup, const char *method)
{
    method_model *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = soup->vertices;
    def.vertex_count = soup->vertex_count;
    def.corners = soup->triangles;
    def.corner_count = 3 * soup->triangle_count;
    if (graze_mesh_create(NULL, &def, NULL, &m->mesh) == GRAZE_STATUS_OK &&
        graze_method_body_create(NULL, method, m->mesh, NULL, &m->body) == GRAZE_STATUS_OK)
        return m;
    destroy(m);
    return NULL;
}

static void *create_18_dops(const lab_soup *soup)
{
    return create(soup, "kdop-18");
}

static void *create_oriented_boxes(const lab_soup *soup)
{
    return create(soup, "rapid");
}

static graze_placed_method_body place(const method_model *m, const double *pose)
{
    graze_placed_method_body placed = {m->body, {{0}}};
    memcpy(placed.pose.m, pose, sizeof placed.pose.m);
    return placed;
}

static bool any(void *a, const double *pose_a, void *b, const double *pose_b)
{
    graze_placed_method_body first = place(a, pose_a), second = place(b, pose_b);
    graze_method_answer answer = {.collide = GRAZE_VERDICT_UNKNOWN};
    graze_method_any(NULL, &first, &second, NULL, &answer);
    return answer.collide == GRAZE_VERDICT_YES;
}

/* Gathers into the buffer, and again if it was too small. */
static uint64_t all(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs)
{
    method_model *m = a;
    graze_placed_method_body first = place(a, pose_a), second = place(b, pose_b);
    graze_pair_counts counts = {0, 0, 0, 0};
    graze_method_gather(NULL, &first, &second, NULL, m->hits, m->capacity, &counts);
    if (counts.pairs > m->capacity)
    {
        free(m->hits);
        m->hits = malloc(counts.pairs * sizeof *m->hits);
        m->capacity = m->hits != NULL ? counts.pairs : 0;
        graze_method_gather(NULL, &first, &second, NULL, m->hits, m->capacity, &counts);
    }
    for (uint64_t i = 0; out_pairs != NULL && i < counts.pairs && i < m->capacity; i++)
        lab_pairs_push(out_pairs, m->hits[i].triangle_a, m->hits[i].triangle_b);
    return counts.pairs;
}

const lab_peer lab_peers_methods[] = {
    {"method-kdop-18", "18-dops of graze/method.h", create_18_dops, destroy, NULL, any, all, NULL},
    {"method-rapid", "oriented boxes of graze/method.h", create_oriented_boxes, destroy, NULL, any, all, NULL},
    {0}};
