/* SPDX-License-Identifier: MIT */
/*
 * Tests of contacts of which at least one object has a shape: the query of two placed shapes, in the order of the
 * contact, with a cache where one may save time. An object with a mesh is a shape for this: a surface, or a solid.
 * Primitives are tried in a few numbers first: by the direction or the common point that decided last time, then by a
 * short search.
 */
#include "graze/shape_query.h"
#include "scene/scene.h"
#include "shape/query.h"
#include "shape/quick_pair.h"

/* Whether the last frame may help with two shapes: not where a few numbers decide, nor over many parts. */
static bool can_use_cache(const graze_shape *a, const graze_shape *b)
{
    if (a->form == GRZ_FORM_CURVED || b->form == GRZ_FORM_CURVED) /* at a mesh */
        return graze_shape_has_triangles(a) || graze_shape_has_triangles(b);
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

static grz_quick_placed quick_placed(const graze_scene *scene, uint32_t index)
{
    return (grz_quick_placed){&scene->quick.data[index], &scene->world_states.data[index].world};
}

graze_verdict grz_scene_test_quick(const graze_scene *scene, grz_contact *contact)
{
    if (!grz_contact_is_quick(scene, contact))
        return GRAZE_VERDICT_UNKNOWN;
    grz_quick_placed a = quick_placed(scene, contact->a), b = quick_placed(scene, contact->b);
    double point[3];
    if (contact->of_shapes && contact->colliding && contact->has_witness && contact->shape_hit.has_point &&
        grz_quick_share_point(a, b, contact->shape_hit.point))
        return GRAZE_VERDICT_YES;
    if (contact->of_shapes && !contact->colliding && grz_quick_are_apart(a, b, contact->separating_axis))
        return GRAZE_VERDICT_NO;
    graze_verdict verdict = grz_quick_pair_search(a, b, contact->separating_axis, point);
    if (verdict == GRAZE_VERDICT_YES)
    {
        contact->shape_hit = grz_shape_hit_none();
        grz_shape_hit_set_point(&contact->shape_hit, point);
    }
    return verdict;
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
