/* SPDX-License-Identifier: MIT */
/* Public functions that read and write files of certificates. */
#include "io/certificate_file.h"

#include <string.h>

#include "base/error.h"
#include "graze/certificate_file.h"
#include "io/file.h"
#include "io/source.h"

typedef struct certificate_entry
{
    graze_certificate *certificate;
} certificate_entry;

struct graze_certificate_set
{
    graze_context context;
    GRZ_ARRAY(certificate_entry) certificates;
};

/* Makes a certificate of bytes in the binary form. */
static graze_status add(grz_reader *reader, graze_certificate_set *set, const void *bytes, size_t size,
                        size_t *out_size)
{
    graze_error error = {0};
    graze_certificate *certificate;
    graze_status status = graze_certificate_load(reader->context, bytes, size, &error, &certificate, out_size);
    if (status != GRAZE_STATUS_OK)
        return grz_fail(reader, status, "%s", error.text);
    const certificate_entry entry = {certificate};
    if (GRZ_PUSH(&set->context, &set->certificates, entry))
        return GRAZE_STATUS_OK;
    graze_certificate_destroy(certificate);
    return grz_fail_memory(reader);
}

static graze_status add_json(grz_reader *reader, graze_certificate_set *set)
{
    grz_writer out = {.context = reader->context, .status = GRAZE_STATUS_OK, .culprit = GRAZE_NO_INDEX};
    size_t size;
    graze_status status = grz_certificate_read_json(reader, &out);
    if (status == GRAZE_STATUS_OK)
        status = add(reader, set, out.bytes.data, out.bytes.count, &size);
    grz_release(reader->context, out.bytes.data);
    return status;
}

static graze_status consume(grz_reader *reader, graze_format format, void *user)
{
    graze_certificate_set *set = user;
    (void)format;
    graze_status status = GRAZE_STATUS_OK;
    if (reader->end - reader->at >= 8 && memcmp(reader->at, "grazecrt", 8) == 0)
    {
        while (status == GRAZE_STATUS_OK && reader->at < reader->end)
        {
            size_t size = 0;
            status = add(reader, set, reader->at, (size_t)(reader->end - reader->at), &size);
            reader->at += size;
        }
        return status;
    }
    if (!grz_skip_space(reader))
        return grz_fail(reader, GRAZE_STATUS_EMPTY, "there is nothing in it");
    if (*reader->at != '{')
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT, "this is no certificate, neither binary nor JSON");
    while (status == GRAZE_STATUS_OK && grz_skip_space(reader))
        status = add_json(reader, set);
    return status;
}

static graze_status start(grz_reader *reader, graze_certificate_set **out_set)
{
    graze_certificate_set *set = grz_allocate_zeroed(reader->context, 1, sizeof *set);
    if (set == NULL)
        return grz_fail_memory(reader);
    set->context = grz_context_copy(reader->context);
    *out_set = set;
    return GRAZE_STATUS_OK;
}

static graze_status finish(graze_status status, graze_certificate_set *set, graze_certificate_set **out_set)
{
    if (status == GRAZE_STATUS_OK)
        *out_set = set;
    else
        graze_certificate_set_destroy(set);
    return status;
}

graze_status graze_certificate_set_read_file(const graze_context *context, const char *path, const graze_budget *budget,
                                             graze_error *error, graze_certificate_set **out_set)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context,
                         .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                         .name = path != NULL ? path : "input",
                         .error = error};
    if (path == NULL || out_set == NULL)
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "path and out_set may not be NULL");
    graze_certificate_set *set = NULL;
    graze_status status = start(&reader, &set);
    if (status != GRAZE_STATUS_OK)
        return status;
    /* Any format but AUTO: nothing is detected. */
    return finish(grz_source_file(&reader, path, GRAZE_FORMAT_SHAPE, consume, set), set, out_set);
}

graze_status graze_certificate_set_read_memory(const graze_context *context, const void *bytes, size_t size,
                                               const char *name, const graze_budget *budget, graze_error *error,
                                               graze_certificate_set **out_set)
{
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_reader reader = {.context = context,
                         .monitor = grz_monitor_is_needed(&monitor) ? &monitor : NULL,
                         .name = name != NULL ? name : "input",
                         .error = error};
    if (out_set == NULL || (bytes == NULL && size > 0))
        return grz_fail(&reader, GRAZE_STATUS_BAD_ARGUMENT, "bytes and out_set may not be NULL");
    graze_certificate_set *set = NULL;
    graze_status status = start(&reader, &set);
    if (status != GRAZE_STATUS_OK)
        return status;
    return finish(grz_source_memory(&reader, bytes, size, GRAZE_FORMAT_SHAPE, consume, set), set, out_set);
}

void graze_certificate_set_destroy(graze_certificate_set *set)
{
    if (set == NULL)
        return;
    graze_context context = set->context;
    while (set->certificates.count > 0)
        graze_certificate_destroy(set->certificates.data[--set->certificates.count].certificate);
    grz_release(&context, set->certificates.data);
    grz_release(&context, set);
}

size_t graze_certificate_set_count(const graze_certificate_set *set)
{
    return set != NULL ? set->certificates.count : 0;
}

const graze_certificate *graze_certificate_set_get(const graze_certificate_set *set, size_t index)
{
    return set != NULL && index < set->certificates.count ? set->certificates.data[index].certificate : NULL;
}

/* Appends a certificate in either form. */
static void put_certificate(grz_writer *writer, const graze_certificate *certificate, graze_certificate_format format)
{
    size_t size = graze_certificate_saved_size(certificate);
    unsigned char *bytes = grz_allocate(writer->context, size, 1);
    if (bytes == NULL)
    {
        writer->status = GRAZE_STATUS_OUT_OF_MEMORY;
        return;
    }
    if (graze_certificate_save(certificate, bytes, size) != GRAZE_STATUS_OK)
        writer->status = GRAZE_STATUS_INTERNAL;
    else if (format == GRAZE_CERTIFICATE_JSON)
        grz_certificate_write_json(writer, bytes, size);
    else
        grz_put_bytes(writer, bytes, size);
    grz_release(writer->context, bytes);
}

graze_status graze_certificate_write_memory(const graze_context *context, const graze_certificate *const *certificates,
                                            size_t count, graze_certificate_format format, void **out_bytes,
                                            size_t *out_size)
{
    bool fine = (certificates != NULL || count == 0) && out_bytes != NULL && out_size != NULL &&
                (format == GRAZE_CERTIFICATE_BINARY || format == GRAZE_CERTIFICATE_JSON);
    for (size_t i = 0; fine && i < count; i++)
        fine = certificates[i] != NULL;
    if (!fine)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_writer writer = {.context = context, .status = GRAZE_STATUS_OK, .culprit = GRAZE_NO_INDEX};
    for (size_t i = 0; i < count && writer.status == GRAZE_STATUS_OK; i++)
        put_certificate(&writer, certificates[i], format);
    if (writer.status != GRAZE_STATUS_OK)
    {
        grz_release(context, writer.bytes.data);
        return writer.status;
    }
    *out_bytes = writer.bytes.data;
    *out_size = writer.bytes.count;
    return GRAZE_STATUS_OK;
}

graze_status graze_certificate_write_file(const graze_context *context, const graze_certificate *const *certificates,
                                          size_t count, graze_certificate_format format, const char *path,
                                          graze_error *error)
{
    void *bytes = NULL;
    size_t size = 0;
    if (path == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "path may not be NULL");
    graze_status status = graze_certificate_write_memory(context, certificates, count, format, &bytes, &size);
    if (status != GRAZE_STATUS_OK)
        return grz_error(error, status, "%.120s: the certificates cannot be written: %s", path,
                         graze_status_text(status));
    status = grz_file_store(context, path, bytes, size, error);
    grz_release(context, bytes);
    return status;
}
