/* SPDX-License-Identifier: MIT */
/* Reads what rules say besides their entries about pairs: "review", what people decided about findings, and "surfaces",
 * parts without an inside. approvals.c applies reviews, rules_match.c surfaces. */
#include <string.h>

#include "clash/rules_data.h"
#include "text/format.h"
#include "text/normalization.h"
#include "text/pattern.h"
#include "text/suggestion.h"

const char *const grz_clash_review_states[GRZ_REVIEW_STATES] = {"open", "assigned", "fixed", "approved"};

enum
{
    REVIEW_ID,
    REVIEW_STATE,
    REVIEW_ASSIGNEE,
    REVIEW_COMMENT,
    REVIEW_A,
    REVIEW_B,
    REVIEW_KEYS
};

static const char *const review_keys[REVIEW_KEYS] = {"id", "state", "assignee", "comment", "a", "b"};

/* A text that may be empty or missing; NULL then. */
static bool take_note(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                      const char **out_text)
{
    const char *text = "";
    if (value == NULL || value->kind == GRZ_JSON_NULL ||
        (value->kind == GRZ_JSON_STRING && value->text != NULL && value->text[0] == '\0'))
        return true;
    if (!grz_json_take_text(document, place, value, &text))
        return false;
    *out_text = grz_copy_text(document->context, text);
    return *out_text != NULL || grz_json_fail_memory(document);
}

/* Of several reviews with one id the last counts: files are given in the order in which they were written. */
static bool index_review(grz_json_document *document, graze_clash_rules *book, uint32_t number)
{
    size_t known = book->review_ids.count;
    uint32_t id = grz_names_add(&book->context, &book->review_ids, book->reviews.data[number].id);
    if (id == GRZ_NO_NAME || (id == known && !GRZ_PUSH(&book->context, &book->review_of, number)))
        return grz_json_fail_memory(document);
    book->review_of.data[id] = number;
    return true;
}

static bool read_review(grz_json_document *document, graze_clash_rules *book, const grz_json_place *place,
                        const grz_json_node *value, size_t source)
{
    const grz_json_node *items[REVIEW_KEYS];
    grz_json_place places[REVIEW_KEYS];
    for (int i = 0; i < REVIEW_KEYS; i++)
        places[i] = (grz_json_place){.parent = place, .key = review_keys[i]};
    if (!grz_json_take_members(document, place, value, review_keys, REVIEW_KEYS, items))
        return false;
    for (int i = REVIEW_ID; i <= REVIEW_STATE; i++)
        if (items[i] == NULL)
            return grz_json_refuse(document, place, "'%s' is missing", review_keys[i]);
    const char *id = "", *note = "";
    size_t state = 0;
    if (!grz_json_take_text(document, &places[REVIEW_ID], items[REVIEW_ID], &id) ||
        !grz_clash_check_id(document, &places[REVIEW_ID], id) ||
        !grz_json_take_word(document, &places[REVIEW_STATE], items[REVIEW_STATE], grz_clash_review_states,
                            GRZ_REVIEW_STATES, &state))
        return false;
    for (int i = REVIEW_A; i <= REVIEW_B; i++) /* notes for people */
        if (items[i] != NULL && !grz_json_take_text(document, &places[i], items[i], &note))
            return false;
    grz_clash_review review = {
        .source = source, .index = place->index, .what = {.state = grz_clash_review_states[state]}};
    memcpy(review.id, id, 17);
    if (!GRZ_PUSH(&book->context, &book->reviews, review))
        return grz_json_fail_memory(document);
    grz_clash_review *kept = &book->reviews.data[book->reviews.count - 1];
    return take_note(document, &places[REVIEW_ASSIGNEE], items[REVIEW_ASSIGNEE], &kept->what.assignee) &&
           take_note(document, &places[REVIEW_COMMENT], items[REVIEW_COMMENT], &kept->what.comment) &&
           index_review(document, book, (uint32_t)(book->reviews.count - 1));
}

bool grz_clash_reviews_read(grz_json_document *document, graze_clash_rules *book, size_t source,
                            const grz_json_node *value)
{
    grz_json_place place = {.key = "review"}, entry = {.parent = &place};
    if (value == NULL)
        return true;
    if (!grz_json_take_array(document, &place, value))
        return false;
    if (book->reviews.count + value->count >= GRZ_NO_NAME)
        return grz_json_refuse(document, &place, "there are too many entries");
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
        if (!read_review(document, book, &entry, item, source))
            return false;
    return true;
}

/* --- surfaces --- */

static bool read_surface(grz_json_document *document, graze_clash_rules *book, const grz_json_place *place,
                         const grz_json_node *value, size_t source)
{
    grz_clash_surface surface = {.source = source, .index = place->index, .group = GRZ_NO_NAME};
    const char *text = "";
    if (!grz_json_take_text(document, place, value, &text))
        return false;
    const char *fault = text[0] == '@' ? NULL : grz_pattern_fault(text);
    if (fault != NULL)
        return grz_json_refuse(document, place, "%s", fault);
    if (text[0] == '@')
    {
        const grz_clash_rules_source *owner = &book->sources[source];
        uint32_t number = grz_names_find(&owner->group_names, text + 1);
        if (number == GRZ_NO_NAME)
            return grz_json_refuse(document, place, "there is no group '%s'%s", text + 1,
                                   grz_suggest_name(&owner->group_names, text + 1).text);
        surface.group = (uint32_t)owner->first_group + number;
    }
    else
        surface.pattern = grz_nfc(&book->context, text);
    if ((surface.pattern != NULL || text[0] == '@') && GRZ_PUSH(&book->context, &book->surfaces, surface))
        return true;
    grz_release(&book->context, surface.pattern);
    return grz_json_fail_memory(document);
}

bool grz_clash_surfaces_read(grz_json_document *document, graze_clash_rules *book, size_t source,
                             const grz_json_node *value)
{
    grz_json_place place = {.key = "surfaces"}, entry = {.parent = &place};
    if (value == NULL)
        return true;
    if (!grz_json_take_array(document, &place, value))
        return false;
    for (const grz_json_node *item = value->child; item != NULL; item = item->next, entry.index++)
        if (!read_surface(document, book, &entry, item, source))
            return false;
    return true;
}

void grz_clash_reviews_release(graze_clash_rules *book)
{
    for (size_t i = 0; i < book->reviews.count; i++)
    {
        grz_release(&book->context, (char *)book->reviews.data[i].what.assignee);
        grz_release(&book->context, (char *)book->reviews.data[i].what.comment);
    }
    for (size_t i = 0; i < book->surfaces.count; i++)
        grz_release(&book->context, book->surfaces.data[i].pattern);
    grz_release(&book->context, book->reviews.data);
    grz_release(&book->context, book->review_of.data);
    grz_release(&book->context, book->surfaces.data);
    grz_names_release(&book->context, &book->review_ids);
}
