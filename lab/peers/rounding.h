// SPDX-License-Identifier: MIT
//
// Doubles rounded outward to floats, for peers that take only those: AABBs rounded outward lose no pair.
//
// A float is within 2^-24 of the double it was rounded from, relative to itself; subtracting 2^-23 of it and rounding
// once more leaves it below (among denormals FLT_MIN does so). That is an ulp more than necessary, and much faster than
// nextafter.
#ifndef LAB_PEERS_ROUNDING_H
#define LAB_PEERS_ROUNDING_H

#include <cfloat>
#include <cmath>

namespace lab
{

inline float round_down(double x)
{
    float rounded = float(x);
    return rounded - (std::abs(rounded) * 0x1p-23f + FLT_MIN);
}

inline float round_up(double x)
{
    return -round_down(-x);
}

} // namespace lab

#endif
