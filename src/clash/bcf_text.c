/* SPDX-License-Identifier: MIT */
/* Identifiers and dates of BCF files; see bcf_text.h. */
#include "clash/bcf_text.h"

#include <stdio.h>
#include <string.h>

#include "text/sha256.h"

grz_guid grz_guid_of(const char *kind, const char *id)
{
    static const char space[] = "graze clash bcf";
    char digest[GRZ_SHA256_TEXT_SIZE];
    grz_sha256 hash = grz_sha256_start();
    grz_sha256_add(&hash, space, sizeof space); /* with their zero bytes, so that texts cannot run together */
    grz_sha256_add(&hash, kind, strlen(kind) + 1);
    grz_sha256_add(&hash, id, strlen(id) + 1);
    grz_sha256_end(&hash, digest);
    digest[12] = '8';                                                                        /* version */
    digest[16] = "89ab"[(digest[16] <= '9' ? digest[16] - '0' : digest[16] - 'a' + 10) & 3]; /* variant */
    grz_guid guid;
    snprintf(guid.text, sizeof guid.text, "%.8s-%.4s-%.4s-%.4s-%.12s", digest, digest + 8, digest + 12, digest + 16,
             digest + 20);
    return guid;
}

/* Days since 1970-01-01 to a date, by eras of 400 years that begin in March, so that leap days end a year
 * (H. Hinnant, chrono-compatible low-level date algorithms). `days` is not before the year 0. */
static void set_date(int64_t days, grz_date_time *time)
{
    int64_t from_year_0 = days + 719468; /* 1970-01-01 minus 0000-03-01 */
    int64_t era = from_year_0 / 146097, day_of_era = from_year_0 % 146097;
    int64_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * day_of_year + 2) / 153; /* from March */
    time->day = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    time->month = (int)(month < 10 ? month + 3 : month - 9);
    time->year = (int)(year + 400 * era + (time->month <= 2));
}

grz_date_time grz_date_time_of(int64_t seconds)
{
    const int64_t first = -62135596800, last = 253402300799; /* 0001-01-01T00:00:00Z, 9999-12-31T23:59:59Z */
    const int64_t day = 86400;
    int64_t at = seconds < first ? first : seconds > last ? last : seconds;
    int64_t days = at >= 0 ? at / day : -((-at + day - 1) / day);
    int rest = (int)(at - days * day);
    grz_date_time time = {.hour = rest / 3600, .minute = rest / 60 % 60, .second = rest % 60};
    set_date(days, &time);
    return time;
}

void grz_date_print(const grz_date_time *time, char out_text[GRZ_DATE_SIZE])
{
    snprintf(out_text, GRZ_DATE_SIZE, "%04u-%02u-%02uT%02u:%02u:%02uZ", (unsigned)time->year % 10000,
             (unsigned)time->month % 100, (unsigned)time->day % 100, (unsigned)time->hour % 100,
             (unsigned)time->minute % 100, (unsigned)time->second % 100);
}
