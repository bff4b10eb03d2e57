/* SPDX-License-Identifier: MIT */
/* Trees from the leaves up; see tree_join.h. */
#include "pair/method/tree_join.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

enum
{
    NEIGHBOURS = 16, /* on either side */
    CURVE_BITS = 20  /* an axis */
};

/* A part that is not joined yet. */
typedef struct curve_part
{
    double lower[3], upper[3];
    uint32_t part, count;
} curve_part;

typedef struct joining
{
    const graze_context *context;
    grz_monitor *monitor;
    curve_part *open_parts; /* in the order of the curve */
    uint32_t *nearest;      /* of each: the neighbour with which it is smallest */
    grz_tree_joint *joints;
    size_t count, joint_count, element_count;
} joining;

static uint64_t spread(uint64_t x)
{
    uint64_t code = 0;
    for (int bit = 0; bit < CURVE_BITS; bit++)
        code |= (x >> bit & 1) << (3 * bit);
    return code;
}

static uint64_t curve_code(const double point[3], const double lower[3], double side)
{
    uint64_t code = 0;
    for (int i = 0; i < 3; i++)
    {
        double share = side > 0 ? (point[i] - lower[i]) / side : 0;
        double cell = share * (1 << CURVE_BITS), last = (1 << CURVE_BITS) - 1;
        code |= spread((uint64_t)(cell > last ? last : cell > 0 ? cell : 0)) << i;
    }
    return code;
}

/* Sorts the elements along the curve; stable, so that the order is the same everywhere. */
static bool sort_elements(const joining *j, const double (*centroids)[3], grz_key_value *order, grz_key_value *scratch)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0;
    for (size_t e = 0; e < j->element_count; e++)
        for (int i = 0; i < 3; i++)
        {
            lower[i] = centroids[e][i] < lower[i] ? centroids[e][i] : lower[i];
            upper[i] = centroids[e][i] > upper[i] ? centroids[e][i] : upper[i];
        }
    for (int i = 0; i < 3; i++)
        side = upper[i] - lower[i] > side ? upper[i] - lower[i] : side;
    for (size_t e = 0; e < j->element_count; e++)
        order[e] = (grz_key_value){curve_code(centroids[e], lower, side), e};
    return grz_sort_keyed_monitored(order, scratch, j->element_count, j->monitor);
}

static void start_part(const graze_mesh *mesh, const double centroid[3], uint32_t element, curve_part *out)
{
    memcpy(out->lower, centroid, sizeof out->lower);
    memcpy(out->upper, centroid, sizeof out->upper);
    for (int corner = 0; mesh != NULL && corner < 3; corner++)
        for (int i = 0; i < 3; i++)
        {
            double x = grz_scaled_corner(mesh, element, corner)[i];
            out->lower[i] = x < out->lower[i] ? x : out->lower[i];
            out->upper[i] = x > out->upper[i] ? x : out->upper[i];
        }
    out->part = element;
    out->count = 1;
}

static curve_part joined(const curve_part *a, const curve_part *b)
{
    curve_part c = *a;
    for (int i = 0; i < 3; i++)
    {
        c.lower[i] = b->lower[i] < c.lower[i] ? b->lower[i] : c.lower[i];
        c.upper[i] = b->upper[i] > c.upper[i] ? b->upper[i] : c.upper[i];
    }
    c.count = a->count + b->count;
    return c;
}

/* Volumes are compared, of flat boxes the sums of sides. Equal ones are ordered by their places, the nearer first, so
   that of all pairs there is a least one, whose parts are each other's nearest. */
typedef struct pair_size
{
    double volume, sides;
} pair_size;

static pair_size size_of(const curve_part *a, const curve_part *b)
{
    curve_part both = joined(a, b);
    double x = both.upper[0] - both.lower[0], y = both.upper[1] - both.lower[1], z = both.upper[2] - both.lower[2];
    return (pair_size){x * y * z, x + y + z};
}

static bool is_less(pair_size a, pair_size b)
{
    return a.volume < b.volume || (a.volume == b.volume && a.sides < b.sides);
}

/* Places are compared by the lower one of the pair, then by the upper one: the first of equal pairs in the order of
   (lower place, upper place) is less. Going up through the places keeps it. */
static uint32_t find_nearest(const joining *j, size_t i)
{
    size_t first = i > NEIGHBOURS ? i - NEIGHBOURS : 0, end = i + NEIGHBOURS + 1;
    end = end < j->count ? end : j->count;
    size_t best = i;
    pair_size least = {INFINITY, INFINITY};
    for (size_t k = first; k < end; k++)
    {
        pair_size size = k != i ? size_of(&j->open_parts[i], &j->open_parts[k]) : least;
        if (k != i && (best == i || is_less(size, least)))
        {
            best = k;
            least = size;
        }
    }
    return (uint32_t)best;
}

/* Joins all pairs of parts that are each other's nearest. */
static bool join_once(joining *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->count; i++)
        j->nearest[i] = find_nearest(j, i);
    for (size_t i = 0; i < j->count; i++)
    {
        size_t other = j->nearest[i];
        bool mutual = j->nearest[other] == i;
        if (mutual && other < i)
            continue;
        curve_part c = j->open_parts[i];
        if (mutual)
        {
            c = joined(&c, &j->open_parts[other]);
            j->joints[j->joint_count] = (grz_tree_joint){{j->open_parts[i].part, j->open_parts[other].part}, c.count};
            c.part = (uint32_t)(j->element_count + j->joint_count++);
        }
        j->open_parts[kept++] = c;
    }
    bool fewer = kept < j->count;
    j->count = kept;
    return fewer && grz_monitor_elements(j->monitor, kept * 2 * NEIGHBOURS);
}

/* Where nothing is each other's nearest, which only numbers that are not numbers can do, neighbours are joined. */
static void join_rest(joining *j)
{
    while (j->count > 1)
    {
        curve_part c = joined(&j->open_parts[j->count - 2], &j->open_parts[j->count - 1]);
        j->joints[j->joint_count] =
            (grz_tree_joint){{j->open_parts[j->count - 2].part, j->open_parts[j->count - 1].part}, c.count};
        c.part = (uint32_t)(j->element_count + j->joint_count++);
        j->open_parts[j->count-- - 2] = c;
    }
}

bool grz_tree_join(const graze_context *context, const graze_mesh *mesh, const double (*centroids)[3], size_t count,
                   grz_monitor *monitor, grz_tree_joint **out_joints)
{
    joining j = {.context = context, .monitor = monitor, .count = count, .element_count = count};
    grz_key_value *order = grz_allocate(context, count, sizeof *order);
    grz_key_value *scratch = grz_allocate(context, count, sizeof *scratch);
    j.open_parts = grz_allocate(context, count, sizeof *j.open_parts);
    j.nearest = grz_allocate(context, count, sizeof *j.nearest);
    j.joints = grz_allocate(context, count, sizeof *j.joints);
    bool done = order != NULL && scratch != NULL && j.open_parts != NULL && j.nearest != NULL && j.joints != NULL &&
                sort_elements(&j, centroids, order, scratch);
    for (size_t e = 0; done && e < count; e++)
        start_part(mesh, centroids[order[e].value], (uint32_t)order[e].value, &j.open_parts[e]);
    while (done && j.count > 1 && join_once(&j))
    {
    }
    done = done && grz_monitor_may_continue(monitor);
    if (done)
        join_rest(&j);
    grz_release(context, order);
    grz_release(context, scratch);
    grz_release(context, j.open_parts);
    grz_release(context, j.nearest);
    if (!done)
        grz_release(context, j.joints);
    *out_joints = done ? j.joints : NULL;
    return done;
}
