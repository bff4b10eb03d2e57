/* SPDX-License-Identifier: MIT */
/* Interest rules of scenes; see interest.h. Precedence is that of graze/interest.h: the pair itself; pairs that
 * are never tested; objects; layers; the default. Of several rules about the same the last one counts. */
#include "clash/interest.h"

#include <stdlib.h>
#include <string.h>

#include "clash/part_kinds.h"
#include "text/format.h"

enum
{
    NO_RULE = -1
};

/* Entries of a scene: its rules, list by list, then these. */
typedef enum fixed_entry
{
    ENTRY_DEFAULT,
    ENTRY_NEIGHBOURS,
    ENTRY_STATIC,
    ENTRY_SENSORS,
    ENTRY_ASSEMBLY,
    FIXED_ENTRIES
} fixed_entry;

static const struct
{
    const char *name, *reason;
} fixed_entries[FIXED_ENTRIES] = {[ENTRY_DEFAULT] = {"interest.default", "nobody asks for these"},
                                  [ENTRY_NEIGHBOURS] = {"interest.neighbours", "a parent and its child"},
                                  [ENTRY_STATIC] = {"static", "both are static"},
                                  [ENTRY_SENSORS] = {"sensor", "both are sensors"},
                                  [ENTRY_ASSEMBLY] = {"assembly", "they belong to one assembly"}};

/* The last rule about two parts, a < b. */
typedef struct pair_rule
{
    uint32_t a, b;
    size_t rule;
} pair_rule;

typedef struct scene_view
{
    const graze_clash_scene *rules;
    size_t first_entry;
    pair_rule *pairs; /* sorted */
    int of_layers[GRAZE_LAYER_COUNT][GRAZE_LAYER_COUNT];
} scene_view;

struct grz_clash_interest
{
    const graze_clash_member *members; /* by part */
    size_t part_count;
    int *of_part; /* by part: its rule in its scene, or NO_RULE */
    scene_view *scenes;
    size_t scene_count, entry_count;
    graze_clash_ignored *entries;
    char **names; /* of the entries */
};

static size_t parts_at(const scene_view *scene)
{
    return scene->rules->pair_count;
}

static size_t layers_at(const scene_view *scene)
{
    return parts_at(scene) + scene->rules->part_count;
}

static size_t fixed_at(const scene_view *scene)
{
    return layers_at(scene) + scene->rules->layer_count;
}

static int compare_pairs(const void *left, const void *right)
{
    const pair_rule *one = left, *other = right;
    if (one->a != other->a)
        return one->a < other->a ? -1 : 1;
    if (one->b != other->b)
        return one->b < other->b ? -1 : 1;
    return one->rule < other->rule ? -1 : one->rule > other->rule;
}

/* The last rule about a pair, or NO_RULE. */
static int rule_of_pair(const scene_view *scene, uint32_t a, uint32_t b)
{
    const pair_rule after = {a < b ? a : b, a < b ? b : a, SIZE_MAX};
    size_t first = 0, last = scene->rules->pair_count;
    while (first < last)
    {
        size_t middle = first + (last - first) / 2;
        if (compare_pairs(&scene->pairs[middle], &after) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    if (first == 0 || scene->pairs[first - 1].a != after.a || scene->pairs[first - 1].b != after.b)
        return NO_RULE;
    return (int)scene->pairs[first - 1].rule;
}

static bool prepare(const graze_context *context, const grz_clash_interest *interest, scene_view *scene,
                    uint32_t number)
{
    const graze_clash_scene *rules = scene->rules;
    scene->pairs = grz_allocate_zeroed(context, rules->pair_count + 1, sizeof *scene->pairs);
    if (scene->pairs == NULL)
        return false;
    for (size_t i = 0; i < rules->pair_count; i++)
    {
        uint32_t a = rules->pairs[i].a, b = rules->pairs[i].b;
        scene->pairs[i] = (pair_rule){a < b ? a : b, a < b ? b : a, i};
    }
    if (rules->pair_count > 0)
        qsort(scene->pairs, rules->pair_count, sizeof *scene->pairs, compare_pairs);
    for (size_t i = 0; i < rules->part_count; i++)
    {
        uint32_t part = rules->parts[i].part;
        if (part != GRAZE_CLASH_NO_PART && interest->members[part].scene == number)
            interest->of_part[part] = (int)i;
    }
    memset(scene->of_layers, 0xff, sizeof scene->of_layers); /* NO_RULE */
    for (size_t i = 0; i < rules->layer_count; i++)
    {
        uint32_t a = rules->layers[i].a, b = rules->layers[i].b;
        scene->of_layers[a][b] = scene->of_layers[b][a] = (int)i;
    }
    return true;
}

static bool add_entry(grz_clash_interest *interest, char *name, const char *reason)
{
    if (name == NULL)
        return false;
    interest->names[interest->entry_count] = name;
    interest->entries[interest->entry_count++] = (graze_clash_ignored){.rule = name, .reason = reason};
    return true;
}

static bool add_entries(const graze_context *context, grz_clash_interest *interest, scene_view *scene)
{
    static const char *const lists[] = {"pairs", "objects", "layers"};
    const graze_clash_scene *rules = scene->rules;
    const size_t counts[] = {rules->pair_count, rules->part_count, rules->layer_count};
    const char *nobody = fixed_entries[ENTRY_DEFAULT].reason;
    bool done = true;
    scene->first_entry = interest->entry_count;
    for (int list = 0; list < 3; list++)
        for (size_t i = 0; i < counts[list] && done; i++)
            done = add_entry(interest, grz_format_text(context, "%s: interest.%s[%zu]", rules->name, lists[list], i),
                             nobody);
    for (int i = 0; i < FIXED_ENTRIES && done; i++)
        done = add_entry(interest, grz_format_text(context, "%s: %s", rules->name, fixed_entries[i].name),
                         fixed_entries[i].reason);
    return done;
}

bool grz_clash_interest_create(const graze_context *context, const graze_clash_options *options, size_t part_count,
                               grz_clash_interest **out_interest)
{
    grz_clash_interest *interest = grz_allocate_zeroed(context, 1, sizeof *interest);
    size_t entries = 0, scenes = options->members != NULL ? options->scene_count : 0;
    *out_interest = interest;
    if (interest == NULL)
        return false;
    for (size_t s = 0; s < scenes; s++)
    {
        const graze_clash_scene *rules = &options->scenes[s];
        entries += rules->pair_count + rules->part_count + rules->layer_count + FIXED_ENTRIES;
    }
    interest->members = options->members;
    interest->part_count = part_count;
    interest->of_part = grz_allocate(context, part_count + 1, sizeof *interest->of_part);
    interest->scenes = grz_allocate_zeroed(context, scenes + 1, sizeof *interest->scenes);
    interest->entries = grz_allocate_zeroed(context, entries + 1, sizeof *interest->entries);
    interest->names = grz_allocate_zeroed(context, entries + 1, sizeof *interest->names);
    bool done =
        interest->of_part != NULL && interest->scenes != NULL && interest->entries != NULL && interest->names != NULL;
    for (size_t i = 0; i < part_count && done; i++)
        interest->of_part[i] = NO_RULE;
    for (size_t s = 0; s < scenes && done; s++)
    {
        scene_view *scene = &interest->scenes[interest->scene_count++];
        scene->rules = &options->scenes[s];
        done = prepare(context, interest, scene, (uint32_t)s) && add_entries(context, interest, scene);
    }
    return done;
}

void grz_clash_interest_release(const graze_context *context, grz_clash_interest *interest)
{
    if (interest == NULL)
        return;
    for (size_t s = 0; s < interest->scene_count; s++)
        grz_release(context, interest->scenes[s].pairs);
    for (size_t i = 0; i < interest->entry_count; i++)
        grz_release(context, interest->names[i]);
    grz_release(context, interest->of_part);
    grz_release(context, interest->scenes);
    grz_release(context, interest->entries);
    grz_release(context, interest->names);
    grz_release(context, interest);
}

/* The reason why two parts are never tested unless a rule names the pair, or NO_RULE. */
static int exclusion(const grz_clash_interest *interest, const scene_view *scene, uint32_t a, uint32_t b, bool unnamed)
{
    const graze_clash_member *one = &interest->members[a], *other = &interest->members[b];
    if ((one->flags & other->flags & GRAZE_OBJECT_STATIC) != 0)
        return ENTRY_STATIC;
    if ((one->flags & other->flags & GRAZE_OBJECT_SENSOR) != 0)
        return ENTRY_SENSORS;
    if (one->assembly != 0 && one->assembly == other->assembly)
        return ENTRY_ASSEMBLY;
    if (!unnamed && !scene->rules->test_parent_child && (one->parent == b || other->parent == a))
        return ENTRY_NEIGHBOURS;
    return NO_RULE;
}

/* The first of the two parts' rules that excludes the pair, or NO_RULE; and whether one includes all. */
static int rule_of_parts(const grz_clash_interest *interest, const scene_view *scene, uint32_t a, uint32_t b,
                         bool *out_any)
{
    const int rules[2] = {interest->of_part[a], interest->of_part[b]};
    int found = NO_RULE;
    *out_any = false;
    for (int i = 0; i < 2; i++)
    {
        if (rules[i] == NO_RULE)
            continue;
        bool any = scene->rules->parts[rules[i]].interest == GRAZE_INTEREST_ANY;
        *out_any = *out_any || any;
        if (!any && (found == NO_RULE || rules[i] < found))
            found = rules[i];
    }
    return found;
}

/* The entry that excludes a pair of parts, or NO_RULE; `unnamed`: ignoring rules that name the pair, and parents. */
static int find_entry(const grz_clash_interest *interest, const scene_view *scene, uint32_t a, uint32_t b, bool unnamed)
{
    const graze_clash_scene *rules = scene->rules;
    int rule = unnamed ? NO_RULE : rule_of_pair(scene, a, b), fixed = (int)fixed_at(scene);
    if (rule != NO_RULE)
        return rules->pairs[rule].interest == GRAZE_INTEREST_ANY ? NO_RULE : rule;
    rule = exclusion(interest, scene, a, b, unnamed);
    if (rule != NO_RULE)
        return fixed + rule;
    bool any;
    rule = rule_of_parts(interest, scene, a, b, &any);
    if (rule != NO_RULE || any)
        return rule != NO_RULE ? (int)parts_at(scene) + rule : NO_RULE;
    rule = scene->of_layers[interest->members[a].layer][interest->members[b].layer];
    if (rule != NO_RULE)
        return rules->layers[rule].interest == GRAZE_INTEREST_ANY ? NO_RULE : (int)layers_at(scene) + rule;
    return rules->otherwise == GRAZE_INTEREST_ANY ? NO_RULE : fixed + ENTRY_DEFAULT;
}

static bool has_scene(const grz_clash_interest *interest, size_t part)
{
    return interest != NULL && interest->scene_count > 0 && interest->members[part].scene < interest->scene_count;
}

static bool ignores(const grz_clash_interest *interest, size_t a, size_t b, bool unnamed, size_t *out_entry)
{
    if (!has_scene(interest, a) || interest->members[a].scene != interest->members[b].scene)
        return false;
    const scene_view *scene = &interest->scenes[interest->members[a].scene];
    int entry = find_entry(interest, scene, (uint32_t)a, (uint32_t)b, unnamed);
    if (entry != NO_RULE)
        *out_entry = scene->first_entry + (size_t)entry;
    return entry != NO_RULE;
}

bool grz_clash_interest_ignores(const grz_clash_interest *interest, size_t a, size_t b, size_t *out_entry)
{
    return ignores(interest, a, b, false, out_entry);
}

bool grz_clash_interest_ignores_unnamed(const grz_clash_interest *interest, size_t a, size_t b, size_t *out_entry)
{
    return ignores(interest, a, b, true, out_entry);
}

bool grz_clash_interest_named_pairs(const graze_context *context, const grz_clash_interest *interest,
                                    grz_clash_part_pairs *pairs)
{
    bool done = true;
    for (size_t s = 0; interest != NULL && s < interest->scene_count && done; s++)
    {
        const scene_view *scene = &interest->scenes[s];
        for (size_t i = 0; i < scene->rules->pair_count && done; i++)
            done = scene->pairs[i].b == GRAZE_CLASH_NO_PART ||
                   grz_clash_part_pairs_add(context, pairs, scene->pairs[i].a, scene->pairs[i].b);
    }
    for (size_t i = 0; interest != NULL && i < interest->part_count && done; i++)
    {
        if (!has_scene(interest, i) || interest->members[i].parent == GRAZE_CLASH_NO_PART ||
            interest->scenes[interest->members[i].scene].rules->test_parent_child)
            continue;
        done = grz_clash_part_pairs_add(context, pairs, i, interest->members[i].parent);
    }
    return done;
}

void grz_clash_interest_key_of(const grz_clash_interest *interest, size_t part, grz_clash_interest_key *out_key)
{
    *out_key = (grz_clash_interest_key){.scene = UINT32_MAX};
    if (!has_scene(interest, part))
        return;
    const graze_clash_member *member = &interest->members[part];
    *out_key = (grz_clash_interest_key){.scene = member->scene,
                                        .of_part = interest->of_part[part],
                                        .flags = member->flags & (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR),
                                        .assembly = member->assembly,
                                        .layer = member->layer};
}

size_t grz_clash_interest_count(const grz_clash_interest *interest)
{
    return interest != NULL ? interest->entry_count : 0;
}

graze_clash_ignored grz_clash_interest_entry(const grz_clash_interest *interest, size_t entry)
{
    return interest->entries[entry];
}
