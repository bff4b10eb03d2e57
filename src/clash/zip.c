/* SPDX-License-Identifier: MIT */
/* Zip archives with stored entries; see zip.h. */
#include "clash/zip.h"

#include <string.h>

enum
{
    LOCAL_SIGNATURE = 0x04034b50,
    DIRECTORY_SIGNATURE = 0x02014b50,
    END_SIGNATURE = 0x06054b50,
    LOCAL_SIZE = 30,
    DIRECTORY_SIZE = 46,
    END_SIZE = 22,
    VERSION_NEEDED = 20 /* 2.0: names with folders */
};

uint32_t grz_crc32(const void *bytes, size_t size)
{
    /* By half bytes: entry i is i divided by the polynomial, four steps. */
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *at = bytes;
    uint32_t crc = 0xffffffffU;
    for (size_t i = 0; i < size; i++)
    {
        crc ^= at[i];
        crc = (crc >> 4) ^ table[crc & 15];
        crc = (crc >> 4) ^ table[crc & 15];
    }
    return ~crc;
}

/* A number of a header: little-endian, of 2 or 4 bytes. */
typedef struct header_field
{
    unsigned size;
    uint32_t value;
} header_field;

static void put_fields(grz_zip *zip, const header_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < fields[i].size; k++)
            grz_sink_byte(zip->out, (char)(unsigned char)(fields[i].value >> (8 * k)));
}

static uint32_t dos_time(const grz_date_time *time)
{
    return (uint32_t)(time->hour << 11 | time->minute << 5 | time->second / 2);
}

/* Years outside of the format's range become its first or last day. */
static uint32_t dos_date(const grz_date_time *time)
{
    if (time->year < 1980)
        return 1 << 5 | 1;
    if (time->year > 2107)
        return 127U << 9 | 12 << 5 | 31;
    return (uint32_t)((time->year - 1980) << 9 | time->month << 5 | time->day);
}

graze_status grz_zip_add(grz_zip *zip, const char *name, const void *bytes, size_t size)
{
    size_t name_size = strlen(name);
    grz_zip_entry entry = {.crc = grz_crc32(bytes, size), .offset = (uint32_t)zip->offset};
    if (name_size >= sizeof entry.name)
        return GRAZE_STATUS_INTERNAL;
    if (zip->entries.count >= GRZ_ZIP_MOST_ENTRIES || size > UINT32_MAX ||
        zip->offset + LOCAL_SIZE + name_size + size > UINT32_MAX)
        return GRAZE_STATUS_TOO_LARGE;
    memcpy(entry.name, name, name_size);
    entry.size = (uint32_t)size;
    if (!GRZ_PUSH(zip->context, &zip->entries, entry))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    const header_field fields[] = {{4, LOCAL_SIGNATURE},
                                   {2, VERSION_NEEDED},
                                   {2, 0}, /* flags */
                                   {2, 0}, /* method: stored */
                                   {2, dos_time(&zip->time)},
                                   {2, dos_date(&zip->time)},
                                   {4, entry.crc},
                                   {4, entry.size},
                                   {4, entry.size},
                                   {2, (uint32_t)name_size},
                                   {2, 0}}; /* extra fields */
    put_fields(zip, fields, sizeof fields / sizeof *fields);
    grz_sink_bytes(zip->out, name, name_size);
    grz_sink_bytes(zip->out, bytes, size);
    zip->offset += LOCAL_SIZE + name_size + size;
    return GRAZE_STATUS_OK;
}

static void put_directory_entry(grz_zip *zip, const grz_zip_entry *entry)
{
    size_t name_size = strlen(entry->name);
    const header_field fields[] = {{4, DIRECTORY_SIGNATURE},
                                   {2, VERSION_NEEDED}, /* made by: 2.0, without attributes of a system */
                                   {2, VERSION_NEEDED},
                                   {2, 0},
                                   {2, 0},
                                   {2, dos_time(&zip->time)},
                                   {2, dos_date(&zip->time)},
                                   {4, entry->crc},
                                   {4, entry->size},
                                   {4, entry->size},
                                   {2, (uint32_t)name_size},
                                   {2, 0}, /* extra fields */
                                   {2, 0}, /* comment */
                                   {2, 0}, /* disk */
                                   {2, 0}, /* internal attributes */
                                   {4, 0}, /* external attributes */
                                   {4, entry->offset}};
    put_fields(zip, fields, sizeof fields / sizeof *fields);
    grz_sink_bytes(zip->out, entry->name, name_size);
}

graze_status grz_zip_end(grz_zip *zip)
{
    uint64_t size = 0;
    for (size_t i = 0; i < zip->entries.count; i++)
        size += DIRECTORY_SIZE + strlen(zip->entries.data[i].name);
    if (zip->offset + size + END_SIZE > UINT32_MAX)
        return GRAZE_STATUS_TOO_LARGE;
    for (size_t i = 0; i < zip->entries.count; i++)
        put_directory_entry(zip, &zip->entries.data[i]);
    uint32_t count = (uint32_t)zip->entries.count;
    const header_field fields[] = {{4, END_SIGNATURE},
                                   {2, 0}, /* this disk, and that of the directory */
                                   {2, 0},
                                   {2, count},
                                   {2, count},
                                   {4, (uint32_t)size},
                                   {4, (uint32_t)zip->offset},
                                   {2, 0}}; /* comment */
    put_fields(zip, fields, sizeof fields / sizeof *fields);
    return GRAZE_STATUS_OK;
}

void grz_zip_release(grz_zip *zip)
{
    grz_release(zip->context, zip->entries.data);
}
