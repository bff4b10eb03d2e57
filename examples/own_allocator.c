/* SPDX-License-Identifier: MIT */
/* Memory from the caller's allocator, which may fail at any call: the library returns a status and keeps nothing. */
#include "example.h"

typedef struct account
{
    int blocks; // in use
    int left;   // allocations until they fail; -1: never
} account;

static void *allocate(void *user, size_t size)
{
    account *of = (account *)user;
    if (of->left == 0)
        return NULL;
    of->left -= of->left > 0;
    void *memory = malloc(size);
    of->blocks += memory != NULL;
    return memory;
}

static void *reallocate(void *user, void *memory, size_t size)
{
    account *of = (account *)user;
    return !memory ? allocate(user, size) : of->left == 0 ? NULL : realloc(memory, size);
}

static void release(void *user, void *memory)
{
    ((account *)user)->blocks -= memory != NULL;
    free(memory);
}

int main(void)
{
    account of = {0, -1};
    graze_context context = graze_context_default();
    context.allocator.allocate = allocate;
    context.allocator.reallocate = reallocate;
    context.allocator.release = release;
    context.allocator.user = &of;

    graze_mesh *torus = NULL;
    check(graze_mesh_create_torus(&context, 2, 0.5, 64, 32, &torus));
    printf("torus of %zu triangles, blocks in use: %s\n", graze_mesh_triangle_count(torus),
           of.blocks ? "some" : "none");
    graze_mesh_destroy(torus);
    printf("destroyed, blocks in use: %d\n", of.blocks);

    of.left = 2; // the third allocation fails
    torus = NULL;
    graze_status status = graze_mesh_create_torus(&context, 2, 0.5, 64, 32, &torus);
    printf("third allocation fails: %s, blocks in use: %d\n", graze_status_text(status), of.blocks);
    return 0;
}
