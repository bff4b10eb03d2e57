/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The whole of libgraze. (Mesh files are read by libgraze_io: include graze/io.h or graze/assembly.h as well.)
 */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include "graze/batch.h"
#include "graze/box.h"
#include "graze/broad_phase.h"
#include "graze/cache.h"
#include "graze/context.h"
#include "graze/depth.h"
#include "graze/detector.h"
#include "graze/distance.h"
#include "graze/exact.h"
#include "graze/generate.h"
#include "graze/interest.h"
#include "graze/mesh.h"
#include "graze/mesh_query.h"
#include "graze/pair.h"
#include "graze/pose.h"
#include "graze/region.h"
#include "graze/scene.h"
#include "graze/scene_query.h"
#include "graze/search.h"
#include "graze/self.h"
#include "graze/status.h"
#include "graze/tasks.h"
#include "graze/topology.h"
#include "graze/tree.h"

#endif
