/* SPDX-License-Identifier: MIT */
/* Layers and rules of interest of scene files (graze/interest.h); see scene_file.h. */
#include <stdlib.h>
#include <string.h>

#include "scene/scene_file.h"

static bool out_of_memory(json_document *document)
{
    return document_fail(document, EXIT_INTERNAL, "out of memory");
}

/* Every layer that an object names must be declared, or a typing error would create a layer of its own. */
static bool check_layers(json_document *document, const scene_file *file, const grz_name_table *declared)
{
    grz_json_place objects = {.key = "objects"};
    for (size_t i = 0; i < file->object_count; i++)
    {
        const char *name = file->layer_names.names[file->objects[i].layer];
        if (file->objects[i].layer == 0 || grz_names_find(declared, name) != GRZ_NO_NAME)
            continue;
        grz_json_place entry = {.parent = &objects, .index = i}, place = {.parent = &entry, .key = "layer"};
        return document_refuse(document, &place, "'%s' is not in 'layers'%s", name,
                               grz_suggest_name(declared, name).text);
    }
    return true;
}

static bool declare_layers(json_document *document, scene_file *file, const grz_json_node *value,
                           grz_name_table *declared)
{
    grz_json_place layers = {.key = "layers"}, entry = {.parent = &layers};
    if (grz_names_add(NULL, declared, "default") == GRZ_NO_NAME)
        return out_of_memory(document);
    if (value == NULL)
        return true;
    if (!grz_json_take_array(&document->json, &layers, value))
        return false;
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
    {
        const char *name = NULL;
        if (!grz_json_take_text(&document->json, &entry, item, &name))
            return false;
        if (grz_names_find(declared, name) != GRZ_NO_NAME)
            return document_refuse(document, &entry, "there is a layer '%s' already", name);
        if (declared->count == GRAZE_LAYER_COUNT)
            return document_refuse(document, &entry, "there can be %d layers besides 'default'", GRAZE_LAYER_COUNT - 1);
        if (grz_names_add(NULL, declared, name) == GRZ_NO_NAME ||
            grz_names_add(NULL, &file->layer_names, name) == GRZ_NO_NAME)
            return out_of_memory(document);
    }
    return true;
}

bool scene_read_layers(json_document *document, scene_file *file, const grz_json_node *value)
{
    grz_name_table declared = {0};
    bool fits = declare_layers(document, file, value, &declared) && check_layers(document, file, &declared);
    grz_names_release(NULL, &declared);
    return fits;
}

static const char *const interest_words[] = {"none", "any"};
static const graze_interest interests[] = {GRAZE_INTEREST_NONE, GRAZE_INTEREST_ANY};
static const char *const object_words[] = {"none", "any", "only"};
static const graze_interest object_interests[] = {GRAZE_INTEREST_NONE, GRAZE_INTEREST_ANY, GRAZE_INTEREST_NONE};

static bool take_interest(json_document *document, const grz_json_place *place, const grz_json_node *value,
                          graze_interest *out)
{
    size_t word = 0;
    if (!grz_json_take_word(&document->json, place, value, interest_words, 2, &word))
        return false;
    *out = interests[word];
    return true;
}

/* A name that must be in the table. */
static bool take_name(json_document *document, const grz_json_place *place, const grz_json_node *value,
                      const grz_name_table *table, const char *what, uint32_t *out_number)
{
    const char *name = NULL;
    if (!grz_json_take_text(&document->json, place, value, &name))
        return false;
    *out_number = grz_names_find(table, name);
    return *out_number != GRZ_NO_NAME ||
           document_refuse(document, place, "there is no %s '%s'%s", what, name, grz_suggest_name(table, name).text);
}

/* A rule must be a list of `count` entries. */
static bool check_rule(json_document *document, const grz_json_place *place, const grz_json_node *value, int count,
                       const char *example)
{
    if (value->kind != GRZ_JSON_ARRAY || (int)value->count != count)
        return document_refuse(document, place, "expected a list of %d, as in %s", count, example);
    return true;
}

/* [NAME, NAME, WORD], for layers and for pairs of objects. */
static bool read_rules(json_document *document, const grz_json_place *place, const grz_json_node *value,
                       const grz_name_table *table, const char *what, scene_rule **out_rules, size_t *out_count)
{
    if (!grz_json_take_array(&document->json, place, value))
        return false;
    size_t count = (size_t)value->count;
    scene_rule *rules = calloc(count + 1, sizeof *rules);
    *out_rules = rules;
    if (rules == NULL)
        return out_of_memory(document);
    grz_json_place entry = {.parent = place};
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
    {
        grz_json_place parts[3] = {{&entry, NULL, 0}, {&entry, NULL, 1}, {&entry, NULL, 2}};
        scene_rule *rule = &rules[entry.index];
        if (!check_rule(document, &entry, item, 3, "[\"a\", \"b\", \"none\"]") ||
            !take_name(document, &parts[0], item->child, table, what, &rule->a) ||
            !take_name(document, &parts[1], item->child->next, table, what, &rule->b) ||
            !take_interest(document, &parts[2], item->child->next->next, &rule->interest))
            return false;
        if (table->names[rule->a] == table->names[rule->b] && strcmp(what, "object") == 0)
            return document_refuse(document, &entry, "an object does not collide with itself");
    }
    *out_count = count;
    return true;
}

static bool read_object_rules(json_document *document, const grz_json_place *place, const grz_json_node *value,
                              scene_file *file)
{
    if (!grz_json_take_array(&document->json, place, value))
        return false;
    size_t count = (size_t)value->count;
    scene_object_rule *rules = calloc(count + 1, sizeof *rules);
    file->interest.objects = rules;
    if (rules == NULL)
        return out_of_memory(document);
    grz_json_place entry = {.parent = place};
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
    {
        grz_json_place parts[2] = {{&entry, NULL, 0}, {&entry, NULL, 1}};
        size_t word = 0;
        if (!check_rule(document, &entry, item, 2, "[\"a\", \"only\"]") ||
            !take_name(document, &parts[0], item->child, &file->object_names, "object", &rules[entry.index].object) ||
            !grz_json_take_word(&document->json, &parts[1], item->child->next, object_words, 3, &word))
            return false;
        rules[entry.index].interest = object_interests[word];
    }
    file->interest.object_count = count;
    return true;
}

enum
{
    INTEREST_DEFAULT,
    INTEREST_NEIGHBOURS,
    INTEREST_LAYERS,
    INTEREST_PAIRS,
    INTEREST_OBJECTS,
    INTEREST_KEYS
};

bool scene_read_interest(json_document *document, scene_file *file, const grz_json_node *value)
{
    static const char *const keys[INTEREST_KEYS] = {"default", "neighbours", "layers", "pairs", "objects"};
    const grz_json_node *items[INTEREST_KEYS];
    scene_interest *interest = &file->interest;
    grz_json_place place = {.key = "interest"}, places[INTEREST_KEYS];
    interest->otherwise = GRAZE_INTEREST_ANY;
    if (value == NULL)
        return true;
    if (!grz_json_take_members(&document->json, &place, value, keys, INTEREST_KEYS, items))
        return false;
    for (int i = 0; i < INTEREST_KEYS; i++)
        places[i] = (grz_json_place){.parent = &place, .key = keys[i]};
    graze_interest neighbours = GRAZE_INTEREST_NONE;
    if ((items[INTEREST_DEFAULT] != NULL &&
         !take_interest(document, &places[INTEREST_DEFAULT], items[INTEREST_DEFAULT], &interest->otherwise)) ||
        (items[INTEREST_NEIGHBOURS] != NULL &&
         !take_interest(document, &places[INTEREST_NEIGHBOURS], items[INTEREST_NEIGHBOURS], &neighbours)))
        return false;
    interest->test_parent_child = neighbours == GRAZE_INTEREST_ANY;
    return (items[INTEREST_LAYERS] == NULL ||
            read_rules(document, &places[INTEREST_LAYERS], items[INTEREST_LAYERS], &file->layer_names, "layer",
                       &interest->layers, &interest->layer_count)) &&
           (items[INTEREST_PAIRS] == NULL ||
            read_rules(document, &places[INTEREST_PAIRS], items[INTEREST_PAIRS], &file->object_names, "object",
                       &interest->pairs, &interest->pair_count)) &&
           (items[INTEREST_OBJECTS] == NULL ||
            read_object_rules(document, &places[INTEREST_OBJECTS], items[INTEREST_OBJECTS], file));
}
