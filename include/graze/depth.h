#ifndef GRAZE_DEPTH_H
#define GRAZE_DEPTH_H
#include "graze/search.h"
#endif
