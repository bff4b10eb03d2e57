// SPDX-License-Identifier: MIT
//
// Floats around doubles, for peers that take nothing larger: what is rounded outward loses no pair.
#ifndef LAB_PEERS_ROUNDING_H
#define LAB_PEERS_ROUNDING_H

#include <cmath>

namespace lab
{

inline float round_down(double x)
{
    float rounded = float(x);
    return double(rounded) > x ? std::nextafter(rounded, -INFINITY) : rounded;
}

inline float round_up(double x)
{
    return -round_down(-x);
}

} // namespace lab

#endif
