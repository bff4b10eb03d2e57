/* SPDX-License-Identifier: MIT */
/* Reads cutting tools; see cutting_tool.h. */
#include "scene/cutting_tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shell/json_document.h"
#include "text/number.h"

typedef enum cutter_key
{
    KEY_KIND,
    KEY_RADIUS,
    KEY_Z,
    KEY_FROM,
    KEY_TO,
    KEY_TOP_RADIUS,
    KEY_CORNER,
    KEY_NAME,
    KEY_COUNT
} cutter_key;

static const char *const cutter_keys[] = {"kind", "radius", "z", "from", "to", "top_radius", "corner", "name"};

static bool take_height(json_document *document, const grz_json_place *place, const grz_json_node *value, double absent,
                        double *out)
{
    *out = absent;
    return value == NULL || grz_json_take_number(&document->json, place, value, out);
}

static bool check_cutter(json_document *document, const grz_json_place *place, const graze_cutter *cutter)
{
    if (!(cutter->radius > 0) || !isfinite(cutter->radius) || !isfinite(cutter->lower))
        return document_refuse(document, place, "a radius is above 0, and numbers are finite");
    if (cutter->kind == GRAZE_CUTTER_CYLINDER && !(cutter->lower < cutter->upper))
        return document_refuse(document, place, "from is below to");
    return true;
}

/* A cone from `radius` at the bottom to `top_radius`, or a cylinder with a round lower edge. */
static bool take_profile(json_document *document, const grz_json_place *place, const grz_json_node *const *items,
                         graze_cutter *cutter, cutter_profile *profile)
{
    const grz_json_place of_kind = {place, "kind", 0}, of_top = {place, "top_radius", 0};
    const grz_json_place of_corner = {place, "corner", 0};
    bool is_cone = profile->kind == PROFILE_CONE;
    if (is_cone != (items[KEY_TOP_RADIUS] != NULL))
        return document_refuse(document, &of_kind, "a cone needs top_radius, and nothing else has it");
    if ((profile->kind == PROFILE_BULL_NOSE) != (items[KEY_CORNER] != NULL))
        return document_refuse(document, &of_kind, "a bull_nose needs corner, and nothing else has it");
    profile->bottom = cutter->radius;
    if ((is_cone && !grz_json_take_number(&document->json, &of_top, items[KEY_TOP_RADIUS], &profile->top)) ||
        (items[KEY_CORNER] != NULL &&
         !grz_json_take_number(&document->json, &of_corner, items[KEY_CORNER], &profile->corner)))
        return false;
    if (is_cone && !(profile->bottom >= 0 && profile->top >= 0 && isfinite(profile->top) && isfinite(cutter->upper)))
        return document_refuse(document, place, "a cone has radii from 0, and ends: it needs to");
    if (items[KEY_CORNER] != NULL && !(profile->corner > 0 && profile->corner <= cutter->radius))
        return document_refuse(document, place, "a corner is above 0 and not above the radius");
    if (is_cone)
        cutter->radius = fmax(profile->bottom, profile->top);
    return true;
}

static bool take_cutter(json_document *document, const grz_json_place *place, const grz_json_node *value,
                        cutting_tool *tool)
{
    static const char *const kinds[] = {"ball", "cylinder", "cone", "bull_nose"};
    static const cutter_profile_kind profiles[] = {PROFILE_NONE, PROFILE_NONE, PROFILE_CONE, PROFILE_BULL_NOSE};
    const grz_json_node *items[KEY_COUNT];
    size_t kind = 0;
    if (tool->count == MOST_CUTTERS)
        return document_refuse(document, place, "a tool has at most %d cutters", MOST_CUTTERS);
    if (!grz_json_take_members(&document->json, place, value, cutter_keys, KEY_COUNT, items))
        return false;
    if (items[KEY_KIND] == NULL || items[KEY_RADIUS] == NULL)
        return document_refuse(document, place, "a cutter needs kind and radius");
    const grz_json_place of_kind = {place, "kind", 0}, of_radius = {place, "radius", 0}, of_name = {place, "name", 0};
    graze_cutter *cutter = &tool->cutters[tool->count];
    *cutter = (graze_cutter){.upper = INFINITY};
    if (!grz_json_take_word(&document->json, &of_kind, items[KEY_KIND], kinds, 4, &kind) ||
        !grz_json_take_number(&document->json, &of_radius, items[KEY_RADIUS], &cutter->radius))
        return false;
    bool ball = kind == 0;
    cutter->kind = ball ? GRAZE_CUTTER_BALL : GRAZE_CUTTER_CYLINDER;
    if (items[ball ? KEY_FROM : KEY_Z] != NULL || (ball && items[KEY_TO] != NULL))
        return ball ? document_refuse(document, place, "a ball has z, not from and to")
                    : document_refuse(document, place, "a %s has no z", kinds[kind]);
    const grz_json_place of_lower = {place, ball ? "z" : "from", 0}, of_upper = {place, "to", 0};
    const char *name = kinds[kind];
    if (!take_height(document, &of_lower, items[ball ? KEY_Z : KEY_FROM], 0, &cutter->lower) ||
        !take_height(document, &of_upper, items[KEY_TO], INFINITY, &cutter->upper) ||
        (items[KEY_NAME] != NULL && !grz_json_take_text(&document->json, &of_name, items[KEY_NAME], &name)))
        return false;
    cutter_profile *profile = &tool->profiles[tool->count];
    profile->kind = profiles[kind];
    snprintf(tool->names[tool->count++], CUTTER_NAME_SIZE, "%s", name);
    return take_profile(document, place, items, cutter, profile) && check_cutter(document, place, cutter);
}

static bool take_tool(json_document *document, cutting_tool *tool)
{
    static const char *const keys[] = {"cutters"};
    const grz_json_node *items[1], *root = grz_json_walk_value(&document->json, true);
    if (root == NULL || !grz_json_walk_out(&document->json) ||
        !grz_json_take_members(&document->json, NULL, root, keys, 1, items))
        return false;
    const grz_json_place place = {NULL, "cutters", 0};
    if (items[0] == NULL || items[0]->kind != GRZ_JSON_ARRAY || items[0]->count == 0)
        return document_refuse(document, &place, "a tool needs a list of cutters");
    grz_json_place entry = {.parent = &place};
    for (const grz_json_node *item = items[0]->child; item != NULL; item = item->next, entry.index++)
        if (!take_cutter(document, &entry, item, tool))
            return false;
    return true;
}

static exit_code read_file(const tool_console *console, const char *path, cutting_tool *tool)
{
    json_document document;
    if (document_open(console, path, &document))
        take_tool(&document, tool);
    return document_close(&document);
}

/* One number above 0, up to a colon or the end. */
static bool take_length(const char **at, double *out)
{
    const char *end = *at + strlen(*at), *colon = strchr(*at, ':');
    const char *stop = colon != NULL ? colon : end;
    const char *after = grz_number_read(*at, stop, out);
    if (after != stop || !(*out > 0) || !isfinite(*out))
        return false;
    *at = colon != NULL ? colon + 1 : end;
    return true;
}

exit_code cutting_tool_read(const tool_console *console, const char *text, bool tip, cutting_tool *out_tool)
{
    memset(out_tool, 0, sizeof *out_tool);
    bool ball = strncmp(text, "ball:", 5) == 0, flat = strncmp(text, "flat:", 5) == 0;
    if (!ball && !flat)
        return read_file(console, text, out_tool);
    graze_cutter *cutter = &out_tool->cutters[0];
    const char *at = text + 5;
    *cutter = (graze_cutter){.kind = ball ? GRAZE_CUTTER_BALL : GRAZE_CUTTER_CYLINDER, .upper = INFINITY};
    bool fine = take_length(&at, &cutter->radius);
    if (fine && flat && *at != '\0')
        fine = take_length(&at, &cutter->upper);
    if (!fine || *at != '\0')
        return report_error(console, EXIT_USAGE,
                            "--tool takes ball:RADIUS, flat:RADIUS, flat:RADIUS:HEIGHT or a JSON file, not '%s'", text);
    if (ball && tip)
        cutter->lower = cutter->radius;
    snprintf(out_tool->names[0], CUTTER_NAME_SIZE, "%s", ball ? "ball" : "flat");
    out_tool->count = 1;
    return 0;
}
