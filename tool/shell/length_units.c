/* SPDX-License-Identifier: MIT */
/* Units of length; see length_units.h. */
#define _XOPEN_SOURCE 700

#include "shell/length_units.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct
{
    const char *name;
    double size; /* in tenths of a millimetre: integers, so that ratios are rounded once */
} units[] = {[UNIT_NONE] = {"", 1.0},   [UNIT_MM] = {"mm", 10.0},  [UNIT_CM] = {"cm", 100.0},
             [UNIT_M] = {"m", 10000.0}, [UNIT_IN] = {"in", 254.0}, [UNIT_FT] = {"ft", 3048.0}};

length_unit unit_named(const char *name)
{
    for (int unit = UNIT_MM; unit <= UNIT_FT; unit++)
        if (strcmp(name, units[unit].name) == 0)
            return (length_unit)unit;
    return UNIT_NONE;
}

length_unit unit_in_words(const char *words)
{
    static const struct
    {
        const char *word;
        length_unit unit;
    } spellings[] = {{"mm", UNIT_MM},
                     {"millimetre", UNIT_MM},
                     {"millimetres", UNIT_MM},
                     {"millimeter", UNIT_MM},
                     {"millimeters", UNIT_MM},
                     {"cm", UNIT_CM},
                     {"centimetre", UNIT_CM},
                     {"centimetres", UNIT_CM},
                     {"centimeter", UNIT_CM},
                     {"centimeters", UNIT_CM},
                     {"m", UNIT_M},
                     {"metre", UNIT_M},
                     {"metres", UNIT_M},
                     {"meter", UNIT_M},
                     {"meters", UNIT_M},
                     {"in", UNIT_IN},
                     {"inch", UNIT_IN},
                     {"inches", UNIT_IN},
                     {"ft", UNIT_FT},
                     {"foot", UNIT_FT},
                     {"feet", UNIT_FT}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcasecmp(words, spellings[i].word) == 0)
            return spellings[i].unit;
    return UNIT_NONE;
}

const char *unit_name(length_unit unit)
{
    return units[unit].name;
}

double unit_ratio(length_unit from, length_unit to)
{
    return from == UNIT_NONE || to == UNIT_NONE ? 1.0 : units[from].size / units[to].size;
}
