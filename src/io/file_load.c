/* SPDX-License-Identifier: MIT */
/* Loads a file; see file.h. POSIX. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

enum
{
    CHUNK_SIZE = 1 << 16
};

/* Reads to the end, whatever size the file system reported. */
static graze_status read_all(grz_reader *reader, int descriptor, size_t promised, grz_bytes *bytes)
{
    if (!GRZ_RESERVE(reader->context, bytes, promised + 1)) /* one more byte detects the end without growing */
        return grz_fail_memory(reader);
    for (;;)
    {
        if (bytes->count == bytes->capacity && !GRZ_RESERVE(reader->context, bytes, bytes->count + CHUNK_SIZE))
            return grz_fail_memory(reader);
        size_t room = bytes->capacity - bytes->count;
        ssize_t got = read(descriptor, bytes->data + bytes->count, room < GRZ_READ_SIZE ? room : GRZ_READ_SIZE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return grz_fail(reader, GRAZE_STATUS_UNREADABLE, "it cannot be read: %s", strerror(errno));
        if (got == 0)
            return GRAZE_STATUS_OK;
        bytes->count += (size_t)got;
        if (!grz_read_bytes(reader, (double)bytes->count / (double)(promised + 1)))
            return grz_stopped(reader, GRAZE_STATUS_OK);
    }
}

graze_status grz_file_load(grz_reader *reader, const char *path, grz_bytes *bytes)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
        return grz_fail(reader, GRAZE_STATUS_NOT_FOUND, "there is no such file");
    if (descriptor < 0)
        return grz_fail(reader, GRAZE_STATUS_UNREADABLE, "it cannot be opened: %s", strerror(errno));
    graze_status status = GRAZE_STATUS_OK;
    struct stat info;
    size_t promised = CHUNK_SIZE;
    if (fstat(descriptor, &info) != 0)
        status = grz_fail(reader, GRAZE_STATUS_UNREADABLE, "it cannot be examined: %s", strerror(errno));
    else if (S_ISDIR(info.st_mode))
        status = grz_fail(reader, GRAZE_STATUS_UNREADABLE, "this is a directory, not a file");
    else if (S_ISBLK(info.st_mode) || (S_ISCHR(info.st_mode) && !isatty(descriptor)))
        status = grz_fail(reader, GRAZE_STATUS_UNREADABLE, "this is a device, not a file");
    else if (S_ISREG(info.st_mode))
        promised = (size_t)info.st_size;
    if (status == GRAZE_STATUS_OK)
        status = read_all(reader, descriptor, promised, bytes);
    close(descriptor);
    return status;
}
