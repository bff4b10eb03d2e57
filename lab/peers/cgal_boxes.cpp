// SPDX-License-Identifier: MIT
//
// CGAL: box_self_intersection_d, which streams over sorted segments of boxes and keeps nothing from one frame to the
// next. Its boxes are doubles. The cutoff below which it compares all pairs was chosen by trial at these densities.
#include <CGAL/box_intersection_d.h>

#include <vector>

#include "scene_peer.h"

namespace
{

constexpr std::ptrdiff_t cutoff = 400;

// A box of a scene workload, for CGAL.
struct Traits
{
    struct Box
    {
        double lower[3], upper[3];
        uint32_t number;
    };

    using Box_parameter = const Box *;
    using NT = double;
    using ID = uint32_t;

    static int dimension()
    {
        return 3;
    }

    static ID id(Box_parameter box)
    {
        return box->number;
    }

    static NT min_coord(Box_parameter box, int axis)
    {
        return box->lower[axis];
    }

    static NT max_coord(Box_parameter box, int axis)
    {
        return box->upper[axis];
    }
};

struct World
{
    std::vector<Traits::Box> boxes;
    std::vector<const Traits::Box *> order; // shuffled by CGAL in every frame

    void put(size_t i, const double *box)
    {
        std::copy(box, box + 3, boxes[i].lower);
        std::copy(box + 3, box + 6, boxes[i].upper);
    }
};

void *create(const lab_scene_view *scene, int)
{
    auto *world = new World;
    world->boxes.resize(scene->count);
    for (size_t i = 0; i < scene->count; i++)
    {
        world->put(i, scene->first + 6 * i);
        world->boxes[i].number = uint32_t(i);
        world->order.push_back(&world->boxes[i]);
    }
    return world;
}

void destroy(void *world)
{
    delete static_cast<World *>(world);
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
        world.put(scene->movers[i], scene->moved + 6 * i);
    CGAL::box_self_intersection_d(
        world.order.begin(), world.order.end(),
        [tally](const Traits::Box *a, const Traits::Box *b) { lab_tally_add(tally, a->number, b->number); }, Traits(),
        cutoff);
}

} // namespace

extern "C" const lab_scene_peer lab_broad_cgal[] = {
    {"cgal-boxes", "box_self_intersection_d", false, false, 0, 0, create, destroy, frame}, {}};
