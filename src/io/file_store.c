/* SPDX-License-Identifier: MIT */
/* Replaces a file atomically; see file.h. POSIX. */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum
{
    ATTEMPT_COUNT = 1000, /* to find an unused name */
    NEW_FILE_MODE = 0666  /* less the umask */
};

static graze_status fail(graze_error *error, const char *path, const char *what)
{
    return grz_error(error, GRAZE_STATUS_UNREADABLE, "%.120s: it cannot be %s: %s", path, what, strerror(errno));
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0)
    {
        ssize_t written = write(descriptor, bytes, size < SSIZE_MAX ? size : SSIZE_MAX);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Writes and closes; on failure errno has the reason. */
static bool fill(int descriptor, const char *bytes, size_t size)
{
    bool written = write_all(descriptor, bytes, size);
    int reason = errno;
    bool closed = close(descriptor) == 0;
    if (!written)
        errno = reason;
    return written && closed;
}

static graze_status store_directly(const char *path, const char *bytes, size_t size, graze_error *error)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, NEW_FILE_MODE);
    if (descriptor < 0)
        return fail(error, path, "opened for writing");
    return fill(descriptor, bytes, size) ? GRAZE_STATUS_OK : fail(error, path, "written");
}

/* Creates a new file in the folder of `path` and stores its name in `name`. */
static int open_beside(const char *path, char *name, size_t name_size)
{
    const char *slash = strrchr(path, '/');
    int folder_size = slash == NULL ? 0 : (int)(slash - path) + 1;
    for (int attempt = 0; attempt < ATTEMPT_COUNT; attempt++)
    {
        snprintf(name, name_size, "%.*s.graze-%ld-%d.tmp", folder_size, path, (long)getpid(), attempt);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE_MODE);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

/* `old` describes the existing file, or is NULL: the new one gets its permissions. */
static graze_status store_and_rename(const graze_context *context, const char *path, const struct stat *old,
                                     const char *bytes, size_t size, graze_error *error)
{
    size_t name_size = strlen(path) + 64;
    char *name = grz_allocate(context, name_size, 1);
    if (name == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "%.120s: there is not enough memory to write it", path);
    graze_status status = GRAZE_STATUS_OK;
    int descriptor = strlen(path) > PATH_MAX ? (errno = ENAMETOOLONG, -1) : open_beside(path, name, name_size);
    if (descriptor < 0)
        status = fail(error, path, "written");
    else
    {
        bool done = old == NULL || fchmod(descriptor, old->st_mode & 07777) == 0 || errno == EPERM;
        if (!fill(descriptor, bytes, size) || !done || rename(name, path) != 0)
        {
            status = fail(error, path, "written");
            unlink(name);
        }
    }
    grz_release(context, name);
    return status;
}

graze_status grz_file_store(const graze_context *context, const char *path, const char *bytes, size_t size,
                            graze_error *error)
{
    struct stat link, target;
    if (lstat(path, &link) != 0)
        return store_and_rename(context, path, NULL, bytes, size, error);
    char resolved[PATH_MAX];
    if (S_ISLNK(link.st_mode)) /* the target of the link is replaced, not the link */
    {
        if (realpath(path, resolved) == NULL)
            return store_directly(path, bytes, size, error);
        path = resolved;
    }
    if (stat(path, &target) != 0)
        return fail(error, path, "examined");
    if (S_ISDIR(target.st_mode))
        return grz_error(error, GRAZE_STATUS_UNREADABLE, "%.120s: this is a directory, not a file", path);
    if (!S_ISREG(target.st_mode))
        return store_directly(path, bytes, size, error);
    return store_and_rename(context, path, &target, bytes, size, error);
}
