/* SPDX-License-Identifier: MIT */
/* Data derived from one mesh; see derived_data.h. */
#include "pair/derived_data.h"

#include "base/memory.h"
#include "mesh/mesh.h"

enum
{
    MOST_PATIENCE = 256
};

void grz_derived_data_init(grz_derived_data *derived, const graze_context *context, const graze_mesh *mesh)
{
    derived->context = grz_context_copy(context);
    derived->mesh = mesh;
    derived->identity = mesh->identity;
    atomic_init(&derived->tree, NULL);
    atomic_init(&derived->body, NULL);
    atomic_init(&derived->support_table, NULL);
    atomic_init(&derived->requests, 0);
    atomic_init(&derived->patience, 0);
}

void grz_derived_data_succeed(grz_derived_data *derived, const grz_derived_data *earlier)
{
    atomic_store(&derived->requests, atomic_load(&earlier->requests));
    atomic_store(&derived->patience, atomic_load(&earlier->patience));
}

bool grz_derived_data_is_current(const grz_derived_data *derived)
{
    return grz_identity_equal(derived->identity, derived->mesh->identity);
}

graze_status grz_derived_tree(grz_derived_data *derived, const graze_budget *budget, const graze_tree **out_tree)
{
    graze_tree *known = atomic_load_explicit(&derived->tree, memory_order_acquire);
    if (known == NULL)
    {
        graze_tree *made;
        graze_status status = graze_tree_create(&derived->context, derived->mesh, NULL, budget, &made);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&derived->tree, &known, made))
            known = made;
        else
            graze_tree_destroy(made);
    }
    *out_tree = known;
    return GRAZE_STATUS_OK;
}

graze_status grz_derived_body(grz_derived_data *derived, const graze_budget *budget, const graze_body **out_body)
{
    graze_body *known = atomic_load_explicit(&derived->body, memory_order_acquire);
    if (known == NULL)
    {
        graze_body *made;
        graze_status status = graze_body_create(&derived->context, derived->mesh, budget, &made);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&derived->body, &known, made))
            known = made;
        else
            graze_body_destroy(made);
    }
    *out_body = known;
    return GRAZE_STATUS_OK;
}

const grz_support_table *grz_derived_support_table(const grz_derived_data *derived)
{
    return atomic_load_explicit(&derived->support_table, memory_order_acquire);
}

/* Whether a request may build a table. Requests of several threads at once may be counted in any order: only time
   depends on it. */
static bool is_due(grz_derived_data *derived)
{
    unsigned patience = atomic_load(&derived->patience);
    if (atomic_fetch_add(&derived->requests, 1) + 1 < patience)
        return false;
    atomic_store(&derived->requests, 0);
    return true;
}

static void wait_longer(grz_derived_data *derived)
{
    unsigned patience = atomic_load(&derived->patience);
    unsigned doubled = patience == 0 ? 1 : 2 * patience;
    atomic_store(&derived->patience, doubled < MOST_PATIENCE ? doubled : MOST_PATIENCE);
}

const grz_support_table *grz_derived_request_support_table(grz_derived_data *derived, const graze_tree *tree,
                                                           bool has_time, bool *out_made)
{
    grz_support_table *known = atomic_load_explicit(&derived->support_table, memory_order_acquire);
    if (known != NULL || !has_time || !grz_derived_data_is_current(derived) || !is_due(derived))
        return known;
    grz_support_table *made = grz_allocate(&derived->context, 1, sizeof *made);
    if (made == NULL || !grz_support_table_make(tree, made))
    {
        grz_release(&derived->context, made);
        return NULL;
    }
    wait_longer(derived);
    if (!atomic_compare_exchange_strong(&derived->support_table, &known, made))
    {
        grz_release(&derived->context, made);
        return known;
    }
    *out_made = true;
    return made;
}

size_t grz_derived_data_memory(const grz_derived_data *derived)
{
    const graze_tree *tree = atomic_load_explicit(&derived->tree, memory_order_acquire);
    const graze_body *body = atomic_load_explicit(&derived->body, memory_order_acquire);
    size_t size = tree != NULL ? graze_tree_examine(tree).bytes : 0;
    size += body != NULL ? graze_body_memory_size(body) : 0;
    return size + (grz_derived_support_table(derived) != NULL ? sizeof(grz_support_table) : 0);
}

void grz_derived_data_release(grz_derived_data *derived)
{
    graze_tree_destroy(atomic_load(&derived->tree));
    graze_body_destroy(atomic_load(&derived->body));
    grz_release(&derived->context, atomic_load(&derived->support_table));
}
