// SPDX-License-Identifier: MIT
//
// Floats around doubles, for peers that take nothing larger: what is rounded outward loses no pair.
//
// A float is within 2^-24 of the double it was rounded from, relative to itself; taking 2^-23 off and rounding once
// more leaves it below (and FLT_MIN does so among denormals). That is an ulp more than need be, and much quicker than
// asking for the next float.
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
