/* SPDX-License-Identifier: MIT */
/* Selects the meshes that a page stores; see mesh_selection.h. */
#include "page/mesh_selection.h"

#include <stdlib.h>

#include "page/vertex_clustering.h"

/* A mesh that parts use. */
typedef struct user
{
    const graze_mesh *mesh;
    size_t first; /* index of the first part that uses it */
    size_t triangles;
    bool matters;
    size_t full, reduced; /* number of a block + 1, or 0 */
} user;

typedef struct choice
{
    const page_report *page;
    page_meshes *meshes;
    user *users;
    size_t *user_of; /* by part */
    size_t user_count;
} choice;

typedef struct use
{
    const graze_mesh *mesh;
    size_t part;
} use;

/* By address, which groups equal meshes, then by part. */
static int compare_uses(const void *a, const void *b)
{
    const use *x = a, *y = b;
    uintptr_t m = (uintptr_t)x->mesh, n = (uintptr_t)y->mesh;
    return m != n ? (m < n ? -1 : 1) : (x->part > y->part) - (x->part < y->part);
}

static int compare_first(const void *a, const void *b)
{
    const user *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Meshes that matter first, then small ones: they are many and cost little. */
static int compare_worth(const void *a, const void *b)
{
    const user *x = *(user *const *)a, *y = *(user *const *)b;
    if (x->matters != y->matters)
        return x->matters ? -1 : 1;
    if (x->triangles != y->triangles)
        return x->triangles < y->triangles ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Lists the meshes in the order in which parts use them, independent of addresses. */
static bool find_users(choice *c)
{
    size_t count = c->page->part_count;
    use *uses = calloc(count + 1, sizeof *uses);
    if (uses == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        uses[i] = (use){c->page->parts[i].mesh, i};
    qsort(uses, count, sizeof *uses, compare_uses);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || uses[i].mesh != uses[i - 1].mesh)
            c->users[c->user_count++] = (user){
                .mesh = uses[i].mesh, .first = uses[i].part, .triangles = graze_mesh_triangle_count(uses[i].mesh)};
    qsort(c->users, c->user_count, sizeof *c->users, compare_first);
    size_t *number_of_first = c->user_of; /* of first parts; the others copy theirs */
    for (size_t u = 0; u < c->user_count; u++)
        number_of_first[c->users[u].first] = u;
    for (size_t i = 0, first = 0; i < count; i++)
    {
        if (i == 0 || uses[i].mesh != uses[i - 1].mesh)
            first = uses[i].part;
        c->user_of[uses[i].part] = number_of_first[first];
    }
    for (size_t i = 0; i < count; i++)
        c->users[c->user_of[i]].matters = c->users[c->user_of[i]].matters || c->page->parts[i].matters;
    free(uses);
    return true;
}

static size_t add_block(choice *c, const user *u, graze_mesh *own)
{
    c->meshes->blocks[c->meshes->count++] =
        (page_mesh){own != NULL ? own : u->mesh, own, c->page->parts[u->first].closed,
                    own == NULL ? c->page->parts[u->first].shape : NULL};
    return c->meshes->count;
}

/* Simplifies the meshes that are left, each within its share of the budget. */
static bool simplify_rest(choice *c, user **order, size_t first)
{
    size_t rest = c->user_count - first, share = rest > 0 ? c->page->budget / rest : 0;
    for (size_t i = first; i < c->user_count && share >= LEAST_SIMPLIFIED; i++)
    {
        graze_mesh *reduced = NULL;
        size_t most = share < order[i]->triangles / 4 ? share : order[i]->triangles / 4;
        if (!cluster_vertices(order[i]->mesh, most, &reduced))
            return false;
        if (graze_mesh_triangle_count(reduced) > 0)
            order[i]->reduced = add_block(c, order[i], reduced);
        else
            graze_mesh_destroy(reduced);
    }
    return true;
}

static bool choose(choice *c)
{
    user **order = calloc(c->user_count + 1, sizeof(user *));
    if (order == NULL)
        return false;
    for (size_t u = 0; u < c->user_count; u++)
        order[u] = &c->users[u];
    qsort(order, c->user_count, sizeof(user *), compare_worth);
    size_t at = 0, others = 0;
    for (; at < c->user_count; at++)
    {
        others += order[at]->matters ? 0 : order[at]->triangles;
        if (others > c->page->budget)
            break;
        order[at]->full = add_block(c, order[at], NULL);
    }
    bool done = simplify_rest(c, order, at);
    free(order);
    return done;
}

bool page_meshes_select(const page_report *page, page_meshes *out_meshes)
{
    size_t count = page->part_count;
    *out_meshes = (page_meshes){.blocks = calloc(count + 1, sizeof *out_meshes->blocks),
                                .full = calloc(count + 1, sizeof *out_meshes->full),
                                .reduced = calloc(count + 1, sizeof *out_meshes->reduced)};
    choice c = {.page = page,
                .meshes = out_meshes,
                .users = calloc(count + 1, sizeof(user)),
                .user_of = calloc(count + 1, sizeof(size_t))};
    bool done = out_meshes->blocks != NULL && out_meshes->full != NULL && out_meshes->reduced != NULL &&
                c.users != NULL && c.user_of != NULL && find_users(&c) && choose(&c);
    for (size_t i = 0; i < count && done; i++)
    {
        out_meshes->full[i] = c.users[c.user_of[i]].full;
        out_meshes->reduced[i] = c.users[c.user_of[i]].reduced;
    }
    free(c.users);
    free(c.user_of);
    return done;
}

void page_meshes_release(page_meshes *meshes)
{
    for (size_t i = 0; i < meshes->count; i++)
        graze_mesh_destroy(meshes->blocks[i].own);
    free(meshes->blocks);
    free(meshes->full);
    free(meshes->reduced);
}
