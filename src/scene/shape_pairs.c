/* SPDX-License-Identifier: MIT */
/*
 * Tests of contacts of which at least one object has a shape: the query of two placed shapes, in the order of the
 * contact, with a cache where one may save time. An object with a mesh is a shape for this: a surface, or a solid.
 */
#include "graze/shape_query.h"
#include "scene/scene.h"

/* Whether the last frame may help with two shapes: not where a few numbers decide, nor over many parts. */
static bool can_use_cache(const graze_shape *a, const graze_shape *b)
{
    return a->form == GRZ_FORM_CORE && b->form == GRZ_FORM_CORE &&
           (graze_shape_has_triangles(a) || graze_shape_has_triangles(b) ||
            (graze_mesh_vertex_count(a->mesh) > 2 && graze_mesh_vertex_count(b->mesh) > 2));
}

/* NULL where there is none, also for lack of memory. */
static graze_shape_cache *cache_of(const graze_scene *scene, grz_contact *contact, const graze_placed *a,
                                   const graze_placed *b)
{
    if (contact->shape_cache != NULL || !can_use_cache(a->shape, b->shape))
        return contact->shape_cache;
    contact->shape_cache = grz_allocate(&scene->context, 1, sizeof *contact->shape_cache);
    if (contact->shape_cache != NULL)
        *contact->shape_cache = graze_shape_cache_default();
    return contact->shape_cache;
}

graze_status grz_scene_test_shapes(const graze_scene *scene, grz_contact *contact, const graze_budget *budget,
                                   graze_verdict *out_verdict, uint64_t *out_box_tests)
{
    graze_placed a, b;
    if (!grz_scene_as_shape(scene, contact->a, &a) || !grz_scene_as_shape(scene, contact->b, &b))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_shape_options options = graze_shape_options_default();
    graze_stats stats = {0};
    graze_verdict verdict;
    options.budget = *budget;
    options.stats = &stats;
    options.cache = cache_of(scene, contact, &a, &b);
    graze_status status = graze_shape_pair_any(&scene->context, &a, &b, &options, &verdict, &contact->shape_hit);
    *out_box_tests = stats.box_tests;
    if (status == GRAZE_STATUS_OK)
        *out_verdict = verdict;
    return status;
}
