// SPDX-License-Identifier: MIT
//
// Included before FCL's headers to instantiate its templates with our own compiler flags instead of using those of the
// library. All symbols are renamed, so that the linker cannot mix the two; `extern template`, which refers to an
// instance in the library, becomes an instance here; and the few functions that are no templates are defined here,
// inline, which the library's are not.
#ifndef LAB_PEERS_FCL_NATIVE_H
#define LAB_PEERS_FCL_NATIVE_H

// Headers that FCL includes and that are not its own must come first, without renaming.
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <immintrin.h>
#include <octomap/octomap.h>

#define Eigen Eigen_native
#include <Eigen/Dense>
#include <Eigen/StdVector>

#define fcl fcl_native
#define extern

#include <fcl/broadphase/detail/morton.h>
#include <fcl/geometry/bvh/BV_node_base.h>
#include <fcl/geometry/bvh/detail/BVH_front.h>
#include <fcl/math/triangle.h>

namespace fcl
{

inline Triangle::Triangle()
{
}

inline Triangle::Triangle(std::size_t first, std::size_t second, std::size_t third) : vids{first, second, third}
{
}

inline void Triangle::set(std::size_t first, std::size_t second, std::size_t third)
{
    *this = Triangle(first, second, third);
}

inline std::size_t Triangle::operator[](int corner) const
{
    return vids[corner];
}

inline std::size_t &Triangle::operator[](int corner)
{
    return vids[corner];
}

// A node's first_child is its left child with the right one next to it, or -1 - primitive in a leaf.
inline bool BVNodeBase::isLeaf() const
{
    return first_child < 0;
}

inline int BVNodeBase::primitiveId() const
{
    return -1 - first_child;
}

inline int BVNodeBase::leftChild() const
{
    return first_child;
}

inline int BVNodeBase::rightChild() const
{
    return first_child + 1;
}

namespace detail
{

inline BVHFrontNode::BVHFrontNode(int left_node, int right_node) : left(left_node), right(right_node), valid(true)
{
}

inline void updateFrontList(BVHFrontList *list, int first, int second)
{
    if (list != nullptr)
        list->emplace_back(first, second);
}

// Interleaves the lowest bits of three numbers (Morton code), x first.
inline uint64 interleave(uint32 x, uint32 y, uint32 z, int bits)
{
    uint64 code = 0;
    for (int i = 0; i < bits; i++)
        code |= uint64(x >> i & 1) << 3 * i | uint64(y >> i & 1) << (3 * i + 1) | uint64(z >> i & 1) << (3 * i + 2);
    return code;
}

inline uint32 morton_code(uint32 x, uint32 y, uint32 z)
{
    return uint32(interleave(x, y, z, 10));
}

inline uint64 morton_code60(uint32 x, uint32 y, uint32 z)
{
    return interleave(x, y, z, 20);
}

} // namespace detail
} // namespace fcl

#endif
