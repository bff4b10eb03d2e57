/* SPDX-License-Identifier: MIT */
/* Writing documents to files; see output.h. */
#include "shell/output.h"

#include <errno.h>
#include <string.h>

bool write_to_file(void *user, const char *bytes, size_t size)
{
    return size == 1 ? putc((unsigned char)bytes[0], (FILE *)user) != EOF : fwrite(bytes, 1, size, user) == size;
}

grz_sink file_sink(FILE *file)
{
    return (grz_sink){.write = write_to_file, .user = file};
}

exit_code output_write(const tool_console *console, const char *path, output_writer write, const void *user)
{
    bool is_output = strcmp(path, "-") == 0;
    errno = 0;
    FILE *out = is_output ? stdout : fopen(path, "wb");
    if (out == NULL)
        return report_error(console, EXIT_INPUT, "%s cannot be written: %s", path, strerror(errno));
    bool fits = write(user, out);
    bool failed = is_output ? false : ferror(out) != 0; /* console_close checks standard output */
    int reason = errno;
    if (!is_output && fclose(out) != 0)
    {
        reason = failed ? reason : errno;
        failed = true;
    }
    if (!fits)
        return report_error(console, EXIT_INTERNAL, "%s: out of memory", path);
    if (failed)
        return report_error(console, EXIT_INPUT, "%s cannot be written: %s", path, strerror(reason));
    return 0;
}
