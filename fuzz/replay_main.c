/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files and folders without a fuzzer, so that every compiler can replay the corpus as an
 * ordinary test: replay PATH...
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Passes the file's bytes to the target, in memory of exactly their size. Returns the number of files read: 0 or 1. */
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    uint8_t *data = size < 0 ? NULL : malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    int good = data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size;
    if (good)
        LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    fclose(file);
    return good;
}

static int replay_folder(const char *path, DIR *folder)
{
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    {
        char name[4096];
        int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof name)
            count += replay_file(name);
    }
    return count;
}

int main(int argument_count, char **arguments)
{
    int count = 0;
    for (int i = 1; i < argument_count; i++)
    {
        DIR *folder = opendir(arguments[i]);
        count += folder != NULL ? replay_folder(arguments[i], folder) : replay_file(arguments[i]);
        if (folder != NULL)
            closedir(folder);
    }
    printf("%d files replayed\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
