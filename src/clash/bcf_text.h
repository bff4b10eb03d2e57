/* SPDX-License-Identifier: MIT */
/* Identifiers and dates of BCF files: both follow from the report alone, so that the same report gives the same bytes.
 */
#ifndef GRZ_CLASH_BCF_TEXT_H
#define GRZ_CLASH_BCF_TEXT_H

#include <stdint.h>

enum
{
    GRZ_GUID_SIZE = 37,
    GRZ_DATE_SIZE = 32
};

/* A UUID in lower case, derived from what it is for and the id of a finding: the first 122 bits of a SHA-256, marked as
 * version 8, which RFC 9562 (B.2) has for names hashed that way. */
typedef struct grz_guid
{
    char text[GRZ_GUID_SIZE];
} grz_guid;

grz_guid grz_guid_of(const char *kind, const char *id);

/* A date of the Gregorian calendar, UTC. */
typedef struct grz_date_time
{
    int year, month, day, hour, minute, second;
} grz_date_time;

/* From seconds since 1970, for years from 1 to 9999: dates beyond are the first or the last second of these. */
grz_date_time grz_date_time_of(int64_t seconds);

/* As xs:dateTime: "2024-02-29T12:00:00Z". */
void grz_date_print(const grz_date_time *time, char out_text[GRZ_DATE_SIZE]);

#endif
