/* SPDX-License-Identifier: MIT */
/* Units of length of inputs and results. */
#ifndef TOOL_SHELL_LENGTH_UNITS_H
#define TOOL_SHELL_LENGTH_UNITS_H

/* Units of length. */
typedef enum length_unit
{
    UNIT_NONE, /* not given */
    UNIT_MM,
    UNIT_CM,
    UNIT_M,
    UNIT_IN,
    UNIT_FT
} length_unit;

/* "mm", "cm", "m", "in" or "ft"; UNIT_NONE for anything else. */
length_unit unit_named(const char *name);
const char *unit_name(length_unit unit);

/* The same for people's spellings: also "millimetres", "inch", "feet" and so on, in any case. */
length_unit unit_in_words(const char *words);

/* The factor that converts a length in `from` to one in `to`: the nearest double; exact from a larger to a smaller
 * metric unit. */
double unit_ratio(length_unit from, length_unit to);

#endif
