/* SPDX-License-Identifier: MIT */
/*
 * Creating engines for a case, querying them, and the list of peers in this build.
 */
#define _POSIX_C_SOURCE 200809L

#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static const lab_peer *const families[] = {lab_peers_methods,
#ifdef LAB_HAS_FCL
                                           lab_peers_fcl,
#endif
#ifdef LAB_HAS_FCL_NATIVE
                                           lab_peers_fcl_native,
#endif
#ifdef LAB_HAS_ODE
                                           lab_peers_ode,
#endif
#ifdef LAB_HAS_BULLET
                                           lab_peers_bullet,
#endif
#ifdef LAB_HAS_EMBREE
                                           lab_peers_embree,
#endif
#ifdef LAB_HAS_CGAL
                                           lab_peers_cgal,
#endif
                                           NULL};

const lab_peer *lab_peer_at(size_t index)
{
    for (size_t i = 0; families[i] != NULL; i++)
    {
        for (const lab_peer *peer = families[i]; peer->name != NULL; peer++)
        {
            if (index-- == 0)
                return peer;
        }
    }
    return NULL;
}

double lab_cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* All engines here allocate with malloc. */
double lab_held_bytes(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    return 0;
#endif
}

bool lab_engine_open(lab_engine *engine, const lab_peer *peer, const lab_case *c)
{
    lab_soup soup_a = lab_soup_of(c->a), soup_b = lab_soup_of(c->b);
    double bytes = lab_held_bytes(), start = lab_cpu_now();
    *engine = (lab_engine){.peer = peer};
    engine->a = peer->create(&soup_a);
    engine->b = peer->create(&soup_b);
    engine->build_ns = lab_cpu_now() - start;
    engine->bytes_per_triangle = (lab_held_bytes() - bytes) / (double)(soup_a.triangle_count + soup_b.triangle_count);
    if (engine->a != NULL && engine->b != NULL)
        return true;
    lab_engine_close(engine);
    return false;
}

void lab_engine_close(lab_engine *engine)
{
    if (engine->a != NULL)
        engine->peer->destroy(engine->a);
    if (engine->b != NULL)
        engine->peer->destroy(engine->b);
    *engine = (lab_engine){0};
}

void lab_engine_place(const lab_engine *engine, const lab_case *c, size_t pose)
{
    if (engine->peer->place != NULL)
        engine->peer->place(engine->a, c->poses_a[pose].m, engine->b, c->poses_b[pose].m);
}

uint64_t lab_engine_query(const lab_engine *engine, const lab_case *c, size_t pose, lab_question question,
                          lab_pairs *out_pairs)
{
    const double *pose_a = c->poses_a[pose].m, *pose_b = c->poses_b[pose].m;
    if (question == LAB_DISTANCE)
        return (uint64_t)llround(engine->peer->distance(engine->a, pose_a, engine->b, pose_b) / LAB_DISTANCE_UNIT);
    if (question == LAB_CACHED && engine->peer == &lab_graze)
        return lab_graze_any_cached(engine, pose_a, pose_b);
    if (question == LAB_ANY || question == LAB_CACHED)
        return engine->peer->any(engine->a, pose_a, engine->b, pose_b);
    return engine->peer->all(engine->a, pose_a, engine->b, pose_b, out_pairs);
}
