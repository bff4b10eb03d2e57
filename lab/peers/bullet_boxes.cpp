// SPDX-License-Identifier: MIT
//
// Bullet's broad phases: the dynamic tree, whose pairs are those of fat AABBs, and so too many, and sweep
// and prune along three axes. Boxes are floats, rounded outward. "bullet-tree-deferred" finds pairs once per frame
// instead of at every move. The sweep inserts boxes only one by one, which takes minutes for 100,000.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

#include "rounding.h"
#include "scene_peer.h"

namespace
{

enum Variant
{
    tree,
    deferred_tree,
    sweep
};

struct World
{
    std::unique_ptr<btBroadphaseInterface> broad;
    std::vector<btBroadphaseProxy *> proxies;

    ~World()
    {
        for (btBroadphaseProxy *proxy : proxies)
            broad->destroyProxy(proxy, nullptr);
    }
};

btVector3 lower_corner(const double *box)
{
    return btVector3(lab::round_down(box[0]), lab::round_down(box[1]), lab::round_down(box[2]));
}

btVector3 upper_corner(const double *box)
{
    return btVector3(lab::round_up(box[3]), lab::round_up(box[4]), lab::round_up(box[5]));
}

std::unique_ptr<btBroadphaseInterface> make_broad(const lab_scene_view &scene, int variant)
{
    if (variant == sweep)
    {
        double cage[6];
        std::copy(scene.lower, scene.lower + 3, cage);
        std::copy(scene.upper, scene.upper + 3, cage + 3);
        return std::make_unique<bt32BitAxisSweep3>(lower_corner(cage), upper_corner(cage), unsigned(scene.count) + 1);
    }
    auto broad = std::make_unique<btDbvtBroadphase>();
    broad->m_deferedcollide = variant == deferred_tree;
    return broad;
}

void *create(const lab_scene_view *scene, int variant)
{
    auto *world = new World;
    world->broad = make_broad(*scene, variant);
    world->proxies.reserve(scene->count);
    for (size_t i = 0; i < scene->count; i++)
    {
        const double *box = scene->first + 6 * i;
        world->proxies.push_back(world->broad->createProxy(lower_corner(box), upper_corner(box), BOX_SHAPE_PROXYTYPE,
                                                           reinterpret_cast<void *>(i), 1, 1, nullptr));
    }
    world->broad->calculateOverlappingPairs(nullptr);
    return world;
}

void destroy(void *world)
{
    delete static_cast<World *>(world);
}

uint32_t number_of(const btBroadphaseProxy *proxy)
{
    return uint32_t(reinterpret_cast<size_t>(proxy->m_clientObject));
}

void frame(void *user, const lab_scene_view *scene, lab_tally *tally)
{
    auto &world = *static_cast<World *>(user);
    for (size_t i = 0; i < scene->mover_count; i++)
    {
        const double *box = scene->moved + 6 * i;
        world.broad->setAabb(world.proxies[scene->movers[i]], lower_corner(box), upper_corner(box), nullptr);
    }
    world.broad->calculateOverlappingPairs(nullptr);
    const btBroadphasePairArray &pairs = world.broad->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); i++)
        lab_tally_add(tally, number_of(pairs[i].m_pProxy0), number_of(pairs[i].m_pProxy1));
}

constexpr lab_scene_peer make_peer(const char *name, const char *what, Variant variant, size_t most)
{
    return {name, what, false, false, most, variant, create, destroy, frame};
}

} // namespace

extern "C" const lab_scene_peer lab_broad_bullet[] = {
    make_peer("bullet-tree", "btDbvtBroadphase", tree, 0),
    make_peer("bullet-tree-deferred", "btDbvtBroadphase, pairs once a frame", deferred_tree, 0),
    make_peer("bullet-sweep", "bt32BitAxisSweep3", sweep, 30000),
    {}};
