/* SPDX-License-Identifier: MIT */
/* Saved trees: written atomically, mapped into memory. POSIX. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

graze_status graze_tree_write_file(const graze_context *context, const graze_tree *tree, const char *path,
                                   graze_error *error)
{
    if (tree == NULL || path == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "tree and path may not be NULL");
    size_t size = graze_tree_saved_size(tree);
    char *bytes = grz_allocate(context, size, 1);
    if (bytes == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "%.120s: there is not enough memory to write it", path);
    graze_status status = graze_tree_save(tree, bytes, size);
    if (status == GRAZE_STATUS_OK)
        status = grz_file_store(context, path, bytes, size, error);
    grz_release(context, bytes);
    return status;
}

/* The bytes of a tree, until it is destroyed. */
typedef struct tree_bytes
{
    graze_context context;
    void *bytes;
    size_t size;
    bool mapped;
} tree_bytes;

static void release_bytes(void *user)
{
    tree_bytes *held = user;
    graze_context context = held->context;
    if (held->mapped)
        munmap(held->bytes, held->size);
    else
        grz_release(&context, held->bytes);
    grz_release(&context, held);
}

/* Maps a regular file that is not empty; for everything else reading is tried, which also reports errors. */
static bool map_bytes(const char *path, tree_bytes *held)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return false;
    struct stat info;
    if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
    {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        held->mapped = bytes != MAP_FAILED;
        if (held->mapped)
        {
            held->bytes = bytes;
            held->size = (size_t)info.st_size;
        }
    }
    close(descriptor);
    return held->mapped;
}

static graze_status read_bytes(grz_reader *reader, const char *path, tree_bytes *held)
{
    grz_bytes bytes = {0};
    graze_status status = grz_file_load(reader, path, &bytes);
    held->bytes = bytes.data;
    held->size = bytes.count;
    return status;
}

graze_status graze_tree_map_file(const graze_context *context, const graze_mesh *mesh, const char *path,
                                 const graze_budget *budget, graze_error *error, graze_tree **out_tree)
{
    if (mesh == NULL || path == NULL || out_tree == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "mesh, path and out_tree may not be NULL");
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context, .name = path, .error = error, .monitor = &monitor};
    grz_monitor_stage(&monitor, 0.2);
    tree_bytes *held = grz_allocate_zeroed(context, 1, sizeof *held);
    if (held == NULL)
        return grz_fail_memory(&reader);
    held->context = grz_context_copy(context);
    graze_status status = GRAZE_STATUS_OK;
    if (!map_bytes(path, held))
        status = read_bytes(&reader, path, held);
    graze_tree *tree = NULL;
    if (status == GRAZE_STATUS_OK)
    {
        graze_error reason;
        grz_monitor_stage(&monitor, 1);
        graze_budget left = grz_monitor_budget(&monitor);
        status = grz_monitor_end_step(&monitor,
                                      graze_tree_map(context, mesh, held->bytes, held->size, &left, &reason, &tree), 0);
        if (status != GRAZE_STATUS_OK)
            grz_fail(&reader, status, "%s", reason.text);
    }
    if (status != GRAZE_STATUS_OK)
    {
        release_bytes(held);
        return status;
    }
    graze_tree_set_on_destroy(tree, release_bytes, held);
    *out_tree = tree;
    return GRAZE_STATUS_OK;
}
