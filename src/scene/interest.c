/* SPDX-License-Identifier: MIT */
/*
 * Collision filter (interest matrix); see graze/interest.h. Rules for layers are two bits of a small matrix, rules for
 * pairs are in a hash table. Rules of stale handles are dropped when the table is about to grow.
 */
#include "broad/broad_phase.h"
#include "scene/scene.h"

static uint64_t key_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static bool rule_is_current(const graze_scene *scene, const grz_pair_rule *rule)
{
    /* shortcut: rules-by-index */
    return scene->labels.data[rule->a.index].generation == rule->a.generation &&
           scene->labels.data[rule->b.index].generation == rule->b.generation;
}

const grz_pair_rule *grz_interest_rule(const graze_scene *scene, uint32_t a, uint32_t b)
{
    const uint32_t *place = grz_hash_map_find(&scene->rules.places, key_of(a, b));
    if (place == NULL)
        return NULL;
    const grz_pair_rule *rule = &scene->rules.pairs.data[*place];
    return rule_is_current(scene, rule) ? rule : NULL;
}

static bool is_excluded(const graze_scene *scene, uint32_t a, uint32_t b)
{
    const grz_object_record *first = &scene->objects.data[a], *second = &scene->objects.data[b];
    unsigned both = scene->labels.data[a].flags & scene->labels.data[b].flags;
    return (both & (GRAZE_OBJECT_STATIC | GRAZE_OBJECT_SENSOR)) != 0 ||
           (first->assembly != 0 && first->assembly == second->assembly) ||
           (!scene->def.test_parent_child && (first->parent == b || second->parent == a));
}

static bool wants(const graze_scene *scene, uint32_t a, uint32_t b)
{
    const grz_pair_rule *rule = scene->rules.pairs.count > 0 ? grz_interest_rule(scene, a, b) : NULL;
    if (rule != NULL && rule->interest != GRAZE_INTEREST_UNSET)
        return rule->interest == GRAZE_INTEREST_ANY;
    if (is_excluded(scene, a, b))
        return false;
    const grz_object_record *first = &scene->objects.data[a], *second = &scene->objects.data[b];
    unsigned seen = 1u << first->interest | 1u << second->interest;
    if ((seen & 1u << GRAZE_INTEREST_NONE) != 0)
        return false;
    if ((seen & 1u << GRAZE_INTEREST_ANY) != 0)
        return true;
    uint64_t bit = UINT64_C(1) << second->layer;
    if ((scene->rules.set[first->layer] & bit) != 0)
        return (scene->rules.wants[first->layer] & bit) != 0;
    return scene->rules.by_default;
}

bool grz_interest_filter(void *user, uint32_t a, uint32_t b)
{
    return wants(user, a, b);
}

/* If it is in the broad phase. */
void grz_interest_refilter(graze_scene *scene, uint32_t index)
{
    if (scene->objects.data[index].in_broad_phase)
        graze_broad_phase_refilter(scene->broad, index);
}

static void refilter_all(graze_scene *scene)
{
    for (size_t i = 0; i < scene->objects.count; i++)
        grz_interest_refilter(scene, (uint32_t)i);
}

graze_status graze_interest_set_default(graze_scene *scene, graze_interest interest)
{
    if (scene == NULL || (interest != GRAZE_INTEREST_NONE && interest != GRAZE_INTEREST_ANY))
        return GRAZE_STATUS_BAD_ARGUMENT;
    scene->rules.by_default = interest == GRAZE_INTEREST_ANY;
    refilter_all(scene);
    return GRAZE_STATUS_OK;
}

static void set_bit(uint64_t *bits, uint32_t place, bool value)
{
    *bits = value ? *bits | UINT64_C(1) << place : *bits & ~(UINT64_C(1) << place);
}

graze_status graze_interest_set_layers(graze_scene *scene, uint32_t layer_a, uint32_t layer_b, graze_interest interest)
{
    if (scene == NULL || layer_a >= GRAZE_LAYER_COUNT || layer_b >= GRAZE_LAYER_COUNT ||
        (unsigned)interest > GRAZE_INTEREST_ANY)
        return GRAZE_STATUS_BAD_ARGUMENT;
    set_bit(&scene->rules.set[layer_a], layer_b, interest != GRAZE_INTEREST_UNSET);
    set_bit(&scene->rules.set[layer_b], layer_a, interest != GRAZE_INTEREST_UNSET);
    set_bit(&scene->rules.wants[layer_a], layer_b, interest == GRAZE_INTEREST_ANY);
    set_bit(&scene->rules.wants[layer_b], layer_a, interest == GRAZE_INTEREST_ANY);
    for (size_t i = 0; i < scene->objects.count; i++)
        if (scene->objects.data[i].layer == layer_a || scene->objects.data[i].layer == layer_b)
            grz_interest_refilter(scene, (uint32_t)i);
    return GRAZE_STATUS_OK;
}

graze_status graze_interest_set_object(graze_scene *scene, graze_object object, graze_interest interest)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_object_record *record = grz_scene_find(scene, object);
    if (record == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if ((unsigned)interest > GRAZE_INTEREST_ANY)
        return GRAZE_STATUS_BAD_ARGUMENT;
    record->interest = (uint8_t)interest;
    grz_interest_refilter(scene, object.index);
    return GRAZE_STATUS_OK;
}

/* Drops rules of stale handles. */
static void drop_stale_rules(graze_scene *scene)
{
    grz_interest_rules *rules = &scene->rules;
    size_t kept = 0;
    for (size_t i = 0; i < rules->pairs.count; i++)
    {
        grz_pair_rule rule = rules->pairs.data[i];
        uint64_t key = key_of(rule.a.index, rule.b.index);
        if (!rule_is_current(scene, &rule))
        {
            const uint32_t *place = grz_hash_map_find(&rules->places, key);
            if (place != NULL && *place == i)
                grz_hash_map_remove(&rules->places, key);
            continue;
        }
        rules->pairs.data[kept] = rule;
        *grz_hash_map_find(&rules->places, key) = (uint32_t)kept++;
    }
    rules->pairs.count = kept;
}

/* Finds the rule of a pair, or adds one. */
static graze_status make_rule(graze_scene *scene, graze_object a, graze_object b, grz_pair_rule **out_rule)
{
    if (grz_scene_find(scene, a) == NULL || grz_scene_find(scene, b) == NULL)
        return GRAZE_STATUS_BAD_INDEX;
    if (a.index == b.index)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_interest_rules *rules = &scene->rules;
    uint32_t *known = grz_hash_map_find(&rules->places, key_of(a.index, b.index));
    if (known != NULL && rule_is_current(scene, &rules->pairs.data[*known]))
    {
        *out_rule = &rules->pairs.data[*known];
        return GRAZE_STATUS_OK;
    }
    size_t room = 1;
    if (rules->pairs.count == rules->pairs.capacity)
    {
        drop_stale_rules(scene);
        room += rules->pairs.count / 4; /* so that stale rules are not searched again after a few more */
    }
    size_t place = rules->pairs.count;
    if (place >= UINT32_MAX || !GRZ_RESERVE(&scene->context, &rules->pairs, place + room) ||
        !grz_hash_map_set(&scene->context, &rules->places, key_of(a.index, b.index), (uint32_t)place))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    bool in_order = a.index < b.index;
    rules->pairs.data[rules->pairs.count++] = (grz_pair_rule){.a = in_order ? a : b, .b = in_order ? b : a};
    *out_rule = &rules->pairs.data[place];
    return GRAZE_STATUS_OK;
}

graze_status graze_interest_set_pair(graze_scene *scene, graze_object a, graze_object b, graze_interest interest)
{
    if (scene == NULL || (unsigned)interest > GRAZE_INTEREST_ANY)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_pair_rule *rule;
    graze_status status = make_rule(scene, a, b, &rule);
    if (status != GRAZE_STATUS_OK)
        return status;
    rule->interest = interest;
    grz_interest_refilter(scene, a.index);
    return GRAZE_STATUS_OK;
}

graze_status graze_interest_set_pair_data(graze_scene *scene, graze_object a, graze_object b,
                                          graze_event_function on_event, void *on_event_user, void *user_pair)
{
    if (scene == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_pair_rule *rule;
    graze_status status = make_rule(scene, a, b, &rule);
    if (status != GRAZE_STATUS_OK)
        return status;
    rule->on_event = on_event;
    rule->on_event_user = on_event_user;
    rule->user_pair = user_pair;
    return GRAZE_STATUS_OK;
}

bool graze_interest_wants(const graze_scene *scene, graze_object a, graze_object b)
{
    return grz_scene_find(scene, a) != NULL && grz_scene_find(scene, b) != NULL && a.index != b.index &&
           wants(scene, a.index, b.index);
}

void grz_interest_release(graze_scene *scene)
{
    grz_hash_map_release(&scene->context, &scene->rules.places);
    grz_release(&scene->context, scene->rules.pairs.data);
}
