// SPDX-License-Identifier: MIT
//
// Embree: rtcCollide, which finds the pairs of overlapping AABBs of two scenes of user geometry; the triangles are
// tested here (triangle.h). It has no poses: for every query the smaller mesh's vertices are transformed into the
// other's frame and its BVH is refitted. "embree-frame" stands for a user who needs no rotation: there placing and
// building are not timed. There is no early exit.
#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "peer.h"
#include "rounding.h"
#include "triangle.h"

namespace
{

using lab::Point;

RTCDevice device()
{
    static RTCDevice the_device = rtcNewDevice("threads=1,user_threads=1");
    return the_device;
}

// Vertices in some frame, and Embree's BVH over their triangles.
struct Tree
{
    std::vector<Point> points;
    const std::vector<uint32_t> *triangles;
    RTCScene scene;
    RTCGeometry geometry;

    Tree(std::vector<Point> the_points, const std::vector<uint32_t> *the_triangles, RTCBuildQuality quality)
        : points(std::move(the_points)), triangles(the_triangles), scene(rtcNewScene(device())),
          geometry(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER))
    {
        if (quality == RTC_BUILD_QUALITY_REFIT)
        {
            rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
            rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW); // any other would rebuild instead of refitting
        }
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcSetGeometryUserPrimitiveCount(geometry, unsigned(triangles->size() / 3));
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bound, nullptr);
        rtcAttachGeometry(scene, geometry);
        commit();
    }

    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;

    ~Tree()
    {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
    }

    void commit()
    {
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }

    void corners(size_t triangle, Point out[3]) const
    {
        for (size_t i = 0; i < 3; i++)
            out[i] = points[(*triangles)[3 * triangle + i]];
    }

    static void bound(const RTCBoundsFunctionArguments *arguments)
    {
        Point p[3];
        static_cast<const Tree *>(arguments->geometryUserPtr)->corners(arguments->primID, p);
        RTCBounds *out = arguments->bounds_o;
        out->lower_x = lab::round_down(std::min({p[0].x, p[1].x, p[2].x}));
        out->lower_y = lab::round_down(std::min({p[0].y, p[1].y, p[2].y}));
        out->lower_z = lab::round_down(std::min({p[0].z, p[1].z, p[2].z}));
        out->upper_x = lab::round_up(std::max({p[0].x, p[1].x, p[2].x}));
        out->upper_y = lab::round_up(std::max({p[0].y, p[1].y, p[2].y}));
        out->upper_z = lab::round_up(std::max({p[0].z, p[1].z, p[2].z}));
    }
};

struct Mesh
{
    std::vector<Point> points;
    std::vector<uint32_t> triangles;
    std::unique_ptr<Tree> own, moved; // in its own frame, and in that of the mesh it was last placed against
};

void *create(const lab_soup *soup)
{
    auto *mesh = new Mesh;
    mesh->points.reserve(soup->vertex_count);
    for (size_t i = 0; i < soup->vertex_count; i++)
        mesh->points.push_back({soup->vertices[3 * i], soup->vertices[3 * i + 1], soup->vertices[3 * i + 2]});
    mesh->triangles.assign(soup->triangles, soup->triangles + 3 * soup->triangle_count);
    mesh->own = std::make_unique<Tree>(mesh->points, &mesh->triangles, RTC_BUILD_QUALITY_MEDIUM);
    return mesh;
}

void destroy(void *mesh)
{
    delete static_cast<Mesh *>(mesh);
}

double row_times(const double *row, const double *column, int stride)
{
    return row[0] * column[0] + row[1] * column[stride] + row[2] * column[2 * stride];
}

// The inverse of a rigid pose, times another.
void relative_pose(const double *to, const double *from, double out[12])
{
    for (int i = 0; i < 3; i++)
    {
        const double row[3] = {to[i], to[4 + i], to[8 + i]};
        for (int j = 0; j < 3; j++)
            out[4 * i + j] = row_times(row, from + j, 4);
        const double offset[3] = {from[3] - to[3], from[7] - to[7], from[11] - to[11]};
        out[4 * i + 3] = row_times(row, offset, 1);
    }
}

std::vector<Point> placed(const std::vector<Point> &points, const double *m)
{
    std::vector<Point> out(points.size());
    for (size_t i = 0; i < points.size(); i++)
    {
        Point p = points[i];
        out[i] = {m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                  m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
    }
    return out;
}

bool moves_first(const Mesh &a, const Mesh &b)
{
    return a.triangles.size() < b.triangles.size();
}

void move(Mesh &mesh, const double *pose, const double *frame, bool refit)
{
    double relative[12];
    relative_pose(frame, pose, relative);
    if (refit && mesh.moved)
    {
        mesh.moved->points = placed(mesh.points, relative);
        mesh.moved->commit();
        return;
    }
    mesh.moved = std::make_unique<Tree>(placed(mesh.points, relative), &mesh.triangles,
                                        refit ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_MEDIUM);
}

void place_with(void *user_a, const double *pose_a, void *user_b, const double *pose_b, bool refit)
{
    Mesh &a = *static_cast<Mesh *>(user_a), &b = *static_cast<Mesh *>(user_b);
    if (moves_first(a, b))
        move(a, pose_a, pose_b, refit);
    else
        move(b, pose_b, pose_a, refit);
}

void place(void *a, const double *pose_a, void *b, const double *pose_b)
{
    place_with(a, pose_a, b, pose_b, false);
}

struct Search
{
    const Tree *a, *b;
    bool first_only;
    std::vector<lab_pair> pairs;
};

void visit(void *user, RTCCollision *collisions, unsigned count)
{
    auto *search = static_cast<Search *>(user);
    for (unsigned i = 0; i < count && !(search->first_only && !search->pairs.empty()); i++)
    {
        Point a[3], b[3];
        search->a->corners(collisions[i].primID0, a);
        search->b->corners(collisions[i].primID1, b);
        if (lab::triangles_meet(a, b))
            search->pairs.push_back({collisions[i].primID0, collisions[i].primID1});
    }
}

Search collide(void *user_a, void *user_b, bool first_only)
{
    Mesh &a = *static_cast<Mesh *>(user_a), &b = *static_cast<Mesh *>(user_b);
    bool first_moves = moves_first(a, b);
    Search search = {
        first_moves ? a.moved.get() : a.own.get(), first_moves ? b.own.get() : b.moved.get(), first_only, {}};
    rtcCollide(search.a->scene, search.b->scene, visit, &search);
    return search;
}

uint64_t hand_out(const Search &search, lab_pairs *out_pairs)
{
    for (const lab_pair &pair : search.pairs)
    {
        if (out_pairs != nullptr)
            lab_pairs_push(out_pairs, pair.a, pair.b);
    }
    return search.pairs.size();
}

bool any_placed(void *a, const double *, void *b, const double *)
{
    return !collide(a, b, true).pairs.empty();
}

uint64_t all_placed(void *a, const double *, void *b, const double *, lab_pairs *out_pairs)
{
    return hand_out(collide(a, b, false), out_pairs);
}

bool any(void *a, const double *pose_a, void *b, const double *pose_b)
{
    place_with(a, pose_a, b, pose_b, true);
    return any_placed(a, pose_a, b, pose_b);
}

uint64_t all(void *a, const double *pose_a, void *b, const double *pose_b, lab_pairs *out_pairs)
{
    place_with(a, pose_a, b, pose_b, true);
    return all_placed(a, pose_a, b, pose_b, out_pairs);
}

} // namespace

extern "C" const lab_peer lab_peers_embree[] = {
    {"embree", "rtcCollide, the smaller mesh refitted for every pose", create, destroy, nullptr, any, all, nullptr},
    {"embree-frame", "rtcCollide in one frame: placing is not timed", create, destroy, place, any_placed, all_placed,
     nullptr},
    {}};
