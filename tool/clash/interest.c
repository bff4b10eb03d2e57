/* SPDX-License-Identifier: MIT */
/* Interest rules of scene files; see interest.h. Precedence is that of graze/interest.h: the pair itself; pairs that
 * are never tested; objects; layers; the default. Of several rules about the same the last one counts. */
#include "clash/interest.h"

#include <stdlib.h>
#include <string.h>

#include "clash/part_kinds.h"
#include "shell/line_reader.h"

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

/* The last rule about two objects, a < b. */
typedef struct pair_rule
{
    uint32_t a, b;
    size_t rule;
} pair_rule;

typedef struct scene_view
{
    const scene_file *file;
    const char *path;
    size_t first_entry;
    pair_rule *pairs; /* sorted */
    int *of_object;   /* by object: its rule, or NO_RULE */
    int of_layers[GRAZE_LAYER_COUNT][GRAZE_LAYER_COUNT];
} scene_view;

struct clash_interest
{
    const tool_inputs *inputs;
    scene_view *scenes;
    size_t scene_count, entry_count;
    clash_ignored *entries;
    char **names; /* of the entries */
};

static size_t objects_at(const scene_view *scene)
{
    return scene->file->interest.pair_count;
}

static size_t layers_at(const scene_view *scene)
{
    return objects_at(scene) + scene->file->interest.object_count;
}

static size_t fixed_at(const scene_view *scene)
{
    return layers_at(scene) + scene->file->interest.layer_count;
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
    size_t first = 0, last = scene->file->interest.pair_count;
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

static bool prepare(scene_view *scene)
{
    const scene_interest *interest = &scene->file->interest;
    scene->pairs = calloc(interest->pair_count + 1, sizeof *scene->pairs);
    scene->of_object = calloc(scene->file->object_count + 1, sizeof *scene->of_object);
    if (scene->pairs == NULL || scene->of_object == NULL)
        return false;
    for (size_t i = 0; i < interest->pair_count; i++)
    {
        uint32_t a = interest->pairs[i].a, b = interest->pairs[i].b;
        scene->pairs[i] = (pair_rule){a < b ? a : b, a < b ? b : a, i};
    }
    if (interest->pair_count > 0)
        qsort(scene->pairs, interest->pair_count, sizeof *scene->pairs, compare_pairs);
    for (size_t i = 0; i < scene->file->object_count; i++)
        scene->of_object[i] = NO_RULE;
    for (size_t i = 0; i < interest->object_count; i++)
        scene->of_object[interest->objects[i].object] = (int)i;
    memset(scene->of_layers, 0xff, sizeof scene->of_layers); /* NO_RULE */
    for (size_t i = 0; i < interest->layer_count; i++)
    {
        uint32_t a = interest->layers[i].a, b = interest->layers[i].b;
        scene->of_layers[a][b] = scene->of_layers[b][a] = (int)i;
    }
    return true;
}

static bool add_entry(clash_interest *interest, const scene_view *scene, char *what, const char *reason)
{
    char *name = what != NULL ? format_text("%s: %s", base_name(scene->path), what) : NULL;
    free(what);
    if (name == NULL)
        return false;
    interest->names[interest->entry_count] = name;
    interest->entries[interest->entry_count++] = (clash_ignored){.rule = name, .reason = reason};
    return true;
}

static bool add_entries(clash_interest *interest, scene_view *scene)
{
    static const char *const lists[] = {"pairs", "objects", "layers"};
    const scene_interest *rules = &scene->file->interest;
    const size_t counts[] = {rules->pair_count, rules->object_count, rules->layer_count};
    const char *nobody = fixed_entries[ENTRY_DEFAULT].reason;
    bool done = true;
    scene->first_entry = interest->entry_count;
    for (int list = 0; list < 3; list++)
        for (size_t i = 0; i < counts[list] && done; i++)
            done = add_entry(interest, scene, format_text("interest.%s[%zu]", lists[list], i), nobody);
    for (int i = 0; i < FIXED_ENTRIES && done; i++)
        done = add_entry(interest, scene, format_text("%s", fixed_entries[i].name), fixed_entries[i].reason);
    return done;
}

bool clash_interest_create(const tool_inputs *inputs, clash_interest **out_interest)
{
    clash_interest *interest = calloc(1, sizeof *interest);
    size_t entries = 0;
    *out_interest = interest;
    if (interest == NULL)
        return false;
    for (size_t s = 0; s < inputs->scene_count; s++)
    {
        const scene_interest *rules = &inputs->scenes[s].file.interest;
        entries += rules->pair_count + rules->object_count + rules->layer_count + FIXED_ENTRIES;
    }
    interest->inputs = inputs;
    interest->scenes = calloc(inputs->scene_count + 1, sizeof *interest->scenes);
    interest->entries = calloc(entries + 1, sizeof *interest->entries);
    interest->names = calloc(entries + 1, sizeof(char *));
    bool done = interest->scenes != NULL && interest->entries != NULL && interest->names != NULL;
    for (size_t s = 0; s < inputs->scene_count && done; s++)
    {
        scene_view *scene = &interest->scenes[interest->scene_count++];
        scene->file = &inputs->scenes[s].file;
        scene->path = display_name(inputs->paths.files[inputs->scenes[s].path].path);
        done = prepare(scene) && add_entries(interest, scene);
    }
    return done;
}

void clash_interest_release(clash_interest *interest)
{
    if (interest == NULL)
        return;
    for (size_t s = 0; s < interest->scene_count; s++)
    {
        free(interest->scenes[s].pairs);
        free(interest->scenes[s].of_object);
    }
    for (size_t i = 0; i < interest->entry_count; i++)
        free(interest->names[i]);
    free(interest->scenes);
    free(interest->entries);
    free(interest->names);
    free(interest);
}

/* The reason why two objects are never tested unless a rule names the pair, or NO_RULE. */
static int exclusion(const scene_view *scene, uint32_t a, uint32_t b, bool unnamed)
{
    const scene_object *one = &scene->file->objects[a], *other = &scene->file->objects[b];
    if ((one->flags & other->flags & GRAZE_OBJECT_STATIC) != 0)
        return ENTRY_STATIC;
    if ((one->flags & other->flags & GRAZE_OBJECT_SENSOR) != 0)
        return ENTRY_SENSORS;
    if (one->assembly != 0 && one->assembly == other->assembly)
        return ENTRY_ASSEMBLY;
    if (!unnamed && !scene->file->interest.test_parent_child && (one->parent == b || other->parent == a))
        return ENTRY_NEIGHBOURS;
    return NO_RULE;
}

/* The first of the two objects' rules that excludes the pair, or NO_RULE; and whether one includes all. */
static int rule_of_objects(const scene_view *scene, uint32_t a, uint32_t b, bool *out_any)
{
    const int rules[2] = {scene->of_object[a], scene->of_object[b]};
    int found = NO_RULE;
    *out_any = false;
    for (int i = 0; i < 2; i++)
    {
        if (rules[i] == NO_RULE)
            continue;
        bool any = scene->file->interest.objects[rules[i]].interest == GRAZE_INTEREST_ANY;
        *out_any = *out_any || any;
        if (!any && (found == NO_RULE || rules[i] < found))
            found = rules[i];
    }
    return found;
}

/* The entry that excludes a pair of objects, or NO_RULE; `unnamed`: ignoring rules that name the pair, and parents. */
static int find_entry(const scene_view *scene, uint32_t a, uint32_t b, bool unnamed)
{
    const scene_interest *interest = &scene->file->interest;
    int rule = unnamed ? NO_RULE : rule_of_pair(scene, a, b), fixed = (int)fixed_at(scene);
    if (rule != NO_RULE)
        return interest->pairs[rule].interest == GRAZE_INTEREST_ANY ? NO_RULE : rule;
    rule = exclusion(scene, a, b, unnamed);
    if (rule != NO_RULE)
        return fixed + rule;
    bool any;
    rule = rule_of_objects(scene, a, b, &any);
    if (rule != NO_RULE || any)
        return rule != NO_RULE ? (int)objects_at(scene) + rule : NO_RULE;
    rule = scene->of_layers[scene->file->objects[a].layer][scene->file->objects[b].layer];
    if (rule != NO_RULE)
        return interest->layers[rule].interest == GRAZE_INTEREST_ANY ? NO_RULE : (int)layers_at(scene) + rule;
    return interest->otherwise == GRAZE_INTEREST_ANY ? NO_RULE : fixed + ENTRY_DEFAULT;
}

static bool ignores(const clash_interest *interest, size_t a, size_t b, bool unnamed, size_t *out_entry)
{
    if (interest == NULL || interest->scene_count == 0)
        return false;
    const input_part *one = &interest->inputs->parts[a], *other = &interest->inputs->parts[b];
    if (one->scene == NO_SCENE || one->scene != other->scene)
        return false;
    const scene_view *scene = &interest->scenes[one->scene];
    int entry = find_entry(scene, one->object, other->object, unnamed);
    if (entry != NO_RULE)
        *out_entry = scene->first_entry + (size_t)entry;
    return entry != NO_RULE;
}

bool clash_interest_ignores(const clash_interest *interest, size_t a, size_t b, size_t *out_entry)
{
    return ignores(interest, a, b, false, out_entry);
}

bool clash_interest_ignores_unnamed(const clash_interest *interest, size_t a, size_t b, size_t *out_entry)
{
    return ignores(interest, a, b, true, out_entry);
}

/* Adds the pairs that one scene names. `part_of` has, by object, its part + 1, or 0. */
static bool add_named_pairs(const scene_view *scene, const size_t *part_of, clash_part_pairs *pairs)
{
    const scene_file *file = scene->file;
    bool done = true;
    for (size_t i = 0; i < file->interest.pair_count && done; i++)
    {
        size_t a = part_of[scene->pairs[i].a], b = part_of[scene->pairs[i].b];
        done = a == 0 || b == 0 || clash_part_pairs_add(pairs, a - 1, b - 1);
    }
    for (size_t i = 0; i < file->object_count && done && !file->interest.test_parent_child; i++)
    {
        uint32_t parent = file->objects[i].parent;
        if (parent != NO_NAME && part_of[parent] != 0 && part_of[i] != 0)
            done = clash_part_pairs_add(pairs, part_of[i] - 1, part_of[parent] - 1);
    }
    return done;
}

bool clash_interest_named_pairs(const clash_interest *interest, clash_part_pairs *pairs)
{
    bool done = true;
    for (size_t s = 0; interest != NULL && s < interest->scene_count && done; s++)
    {
        const scene_view *scene = &interest->scenes[s];
        size_t *part_of = calloc(scene->file->object_count + 1, sizeof *part_of);
        for (size_t i = 0; part_of != NULL && i < interest->inputs->part_count; i++)
            if (interest->inputs->parts[i].scene == (int)s)
                part_of[interest->inputs->parts[i].object] = i + 1;
        done = part_of != NULL && add_named_pairs(scene, part_of, pairs);
        free(part_of);
    }
    return done;
}

void clash_interest_key_of(const clash_interest *interest, size_t part, clash_interest_key *out_key)
{
    *out_key = (clash_interest_key){.scene = NO_SCENE};
    if (interest == NULL || interest->scene_count == 0 || interest->inputs->parts[part].scene == NO_SCENE)
        return;
    const input_part *input = &interest->inputs->parts[part];
    const scene_view *scene = &interest->scenes[input->scene];
    const scene_object *object = &scene->file->objects[input->object];
    *out_key = (clash_interest_key){.scene = input->scene,
                                    .of_object = scene->of_object[input->object],
                                    .flags = object->flags & (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR),
                                    .assembly = object->assembly,
                                    .layer = object->layer};
}

size_t clash_interest_count(const clash_interest *interest)
{
    return interest != NULL ? interest->entry_count : 0;
}

clash_ignored clash_interest_entry(const clash_interest *interest, size_t entry)
{
    return interest->entries[entry];
}
