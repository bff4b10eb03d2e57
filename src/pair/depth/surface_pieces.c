/* SPDX-License-Identifier: MIT */
/*
 * Pieces of a surface and how a ball may touch them; see surface_pieces.h.
 *
 * A ball around x touches the surface at p and holds no point of it; u is the unit vector from x to p. So u . t >= 0
 * for all directions t from p along the triangles at p.
 * - In a triangle u is its normal n, or -n.
 * - On an edge of two triangles u is between n and n', or between -n and -n'. The former needs that each triangle is
 *   not behind the plane of the other, the latter that it is not in front.
 * - At a vertex. Say all normals of the triangles around it, which the surface, closed and oriented, has in a closed
 *   fan, make angles of at most h < 90 degrees with an axis a. Then the fan has a direction above (and below) every
 *   direction v across a, t = v cos f + a sin f with |f| <= h. Let u = y a + z v with z >= 0, and take the t above -v:
 *   0 <= u . t = y sin f - z cos f. So z <= |y| tan h: u is within h of a or of -a. If all edges of the fan go down
 *   from a, up to d = 2^-20 (t . a <= d for unit vectors t), and one goes down by 2^-10 at least, y > 0 is impossible.
 *   For a direction between two edges at an angle whose cosine is above -0.9 is a sum of these, with factors of sum 1,
 *   of length 0.22 at least: so sin f <= 5 d for all t, z <= 6 d y, and u . t <= y (6 d - 2^-10) < 0 for the edge that
 *   goes down. If all go up, y < 0 is impossible.
 *
 * Which sign. Where triangles meet no others (embedding.h), and the interior is behind one of them with the exterior in
 * front, so it is for all that are connected with it by edges: a ball inside the body touches them from behind. A
 * vertex may have several fans; one of them bounds the region of the ball, and that one is a piece as well.
 *
 * Rounding: all coordinates are at most reach; centres, heights and lengths are off by less than 32 u reach, which
 * radii include. Spreads include the errors of normals.
 */
#include "pair/depth/surface_pieces.h"

#include <string.h>

#include "pair/depth/normal_cones.h"

enum
{
    MOST_PIECES = 4096, /* of leaves, sharp edges and vertices */
    MOST_FAN = 256,
    NOT_NEAR = 2, /* `sides` of triangles that are not near, */
    NOT_ASKED = 3 /* and of those not asked yet */
};

#define SHARP 0.5    /* difference of normals from which on an edge or vertex is a piece of its own */
#define BLUNT -0.9   /* cosine of the largest angle of a triangle in a fan whose edges are known to go one way */
#define SIMILAR 0.35 /* difference of normals of triangles in a piece */

/* ---- normals around ---- */

static bool normal_of(grz_critical_search *q, uint32_t triangle, v3 *out_normal, double *out_error)
{
    grz_normal_ring *r = &q->rings[triangle];
    if (!r->has_normal)
    {
        v3 corners[3];
        grz_surface_corners(q->surface, triangle, corners);
        if (!grz_surface_normal(q->surface, corners, &r->normal, &r->error))
            return false;
        r->has_normal = true;
    }
    *out_normal = r->normal;
    *out_error = r->error;
    return true;
}

static uint32_t half_edge_before(uint32_t half_edge)
{
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
}

static uint32_t half_edge_after(uint32_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static v3 corner_at(const grz_critical_search *q, uint32_t half_edge)
{
    v3 corners[3];
    grz_surface_corners(q->surface, half_edge / 3, corners);
    return corners[half_edge % 3];
}

/* The normals of the fan around the start of a half-edge. False when one is not certain, or there are too many. */
static bool find_fan(grz_critical_search *q, uint32_t first, v3 normals[MOST_FAN], uint32_t half_edges[MOST_FAN],
                     int *out_count, double *out_error)
{
    uint32_t h = first;
    *out_count = 0;
    *out_error = 0;
    do
    {
        double error;
        if (*out_count == MOST_FAN || !normal_of(q, h / 3, &normals[*out_count], &error))
            return false;
        *out_error = fmax(*out_error, error);
        half_edges[(*out_count)++] = h;
        h = q->body->adjacency.twins[half_edge_before(h)];
        if (h == GRAZE_NO_HALF_EDGE)
            return false;
    } while (h != first);
    return true;
}

/* Signs that count at a triangle: of those a ball inside the body may touch, which lies behind it, or in front. */
static uint8_t signs_at(const grz_critical_search *q, uint32_t triangle)
{
    int8_t side = q->sides[triangle];
    return side == -1 ? GRZ_ALONG : side == 1 ? GRZ_AGAINST : GRZ_ALONG | GRZ_AGAINST;
}

static void add_piece(grz_critical_search *q, const grz_surface_piece *p)
{
    if (p->signs == 0) /* a ball inside the body cannot touch it */
        return;
    if (q->pieces.count == MOST_PIECES || !GRZ_PUSH(q->s->space.context, &q->pieces, *p))
        q->failed = true;
}

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

/* Whether the edges of a fan go down from the axis of its vertex (sign -1), or up (1), or along it, but not all. */
static bool goes_one_way(const grz_critical_search *q, const grz_surface_piece *vertex, const uint32_t *half_edges,
                         int count, double sign)
{
    double lowest = INFINITY, highest = -INFINITY;
    v3 before = unit(v3_sub(corner_at(q, half_edge_after(half_edges[count - 1])), vertex->centre));
    for (int i = 0; i < count; i++)
    {
        v3 edge = v3_sub(corner_at(q, half_edge_after(half_edges[i])), vertex->centre), direction = unit(edge);
        double height = sign * v3_dot(vertex->axis, direction);
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
        if (!(v3_length(edge) > 0x1p22 * q->error) || !(v3_dot(direction, before) > BLUNT))
            return false;
        before = direction;
    }
    return lowest > -0x1p-21 && highest > 0x1p-10;
}

/* The vertex at the start of a half-edge as a piece. */
static void add_vertex(grz_critical_search *q, uint32_t half_edge)
{
    v3 normals[MOST_FAN], sum = v3_make(0, 0, 0), at = corner_at(q, half_edge);
    uint32_t half_edges[MOST_FAN];
    int count;
    double error;
    if (!find_fan(q, half_edge, normals, half_edges, &count, &error))
    {
        q->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
    {
        q->marks[half_edges[i] / 3] |= (uint8_t)(1 << half_edges[i] % 3);
        sum = v3_add(sum, normals[i]);
    }
    grz_surface_piece p = {.centre = at,
                           .axis = unit(sum),
                           .radius = q->error,
                           .signs = GRZ_ALONG | GRZ_AGAINST,
                           .end_count = 1,
                           .ends = {at}};
    for (int i = 0; i < count; i++)
        p.spread = fmax(p.spread, v3_length(v3_sub(normals[i], p.axis)));
    p.spread += 4 * error + 64 * GRZ_U;
    bool down = goes_one_way(q, &p, half_edges, count, -1), up = goes_one_way(q, &p, half_edges, count, 1);
    if (!(p.spread < 1.41)) /* angles of 90 degrees: u may be anything */
        p.spread = 2;
    else if (down || up)
        p.signs = down ? GRZ_AGAINST : GRZ_ALONG;
    p.signs &= signs_at(q, half_edge / 3);
    add_piece(q, &p);
}

/* An edge as a piece. */
static void add_edge(grz_critical_search *q, uint32_t half_edge)
{
    uint32_t twin = q->body->adjacency.twins[half_edge];
    v3 n, m;
    double error, other_error;
    q->marks[half_edge / 3] |= (uint8_t)(8 << half_edge % 3);
    q->marks[twin / 3] |= (uint8_t)(8 << twin % 3);
    if (!normal_of(q, half_edge / 3, &n, &error) || !normal_of(q, twin / 3, &m, &other_error))
    {
        q->failed = true;
        return;
    }
    v3 from = corner_at(q, half_edge), to = corner_at(q, half_edge_after(half_edge));
    grz_surface_piece p = {.centre = v3_scale(0.5, v3_add(from, to)),
                           .axis = unit(v3_add(n, m)),
                           .signs = GRZ_ALONG | GRZ_AGAINST,
                           .end_count = 2,
                           .ends = {from, to}};
    p.radius = 0.5 * v3_length(v3_sub(to, from)) + q->error;
    p.spread =
        fmax(v3_length(v3_sub(n, p.axis)), v3_length(v3_sub(m, p.axis))) + 4 * (error + other_error) + 64 * GRZ_U;
    v3 third = v3_sub(corner_at(q, half_edge_before(twin)), from);
    double height = v3_dot(n, third), slack = q->error + 4 * error * v3_length(third);
    if (!(p.spread < 1.41))
        p.spread = 2;
    else if (fabs(height) > slack)
        p.signs = height < 0 ? GRZ_AGAINST : GRZ_ALONG;
    p.signs &= signs_at(q, half_edge / 3);
    add_piece(q, &p);
}

/* The normal of a triangle and the spread of those around it; sharp edges and vertices become pieces. */
static const grz_normal_ring *ring_of(grz_critical_search *q, uint32_t triangle)
{
    grz_normal_ring *r = &q->rings[triangle];
    if (r->known)
        return r;
    double error = 0;
    v3 own;
    r->known = true;
    r->usable = normal_of(q, triangle, &own, &error);
    for (uint32_t h = 3 * triangle; h < 3 * triangle + 3 && r->usable; h++)
    {
        v3 normals[MOST_FAN];
        uint32_t half_edges[MOST_FAN];
        int count;
        double fan_error, spread = 0;
        if (!find_fan(q, h, normals, half_edges, &count, &fan_error))
        {
            r->usable = false;
            break;
        }
        for (int i = 0; i < count; i++)
            spread = fmax(spread, v3_length(v3_sub(normals[i], r->normal)));
        spread += 8 * fmax(error, fan_error) + 64 * GRZ_U;
        if (spread <= SHARP)
            r->spread = fmax(r->spread, spread);
        else if ((q->marks[triangle] >> (h - 3 * triangle) & 1) == 0)
            add_vertex(q, h);
        uint32_t twin = q->body->adjacency.twins[h];
        v3 other;
        double other_error;
        if (!normal_of(q, twin / 3, &other, &other_error))
        {
            r->usable = false;
            break;
        }
        double difference = v3_length(v3_sub(other, r->normal)) + 8 * fmax(error, other_error) + 64 * GRZ_U;
        if (difference <= SHARP)
            r->spread = fmax(r->spread, difference);
        else if ((q->marks[triangle] >> (h - 3 * triangle) & 8) == 0)
            add_edge(q, h);
    }
    r->spread = fmax(r->spread, 4 * error + 64 * GRZ_U);
    q->failed = q->failed || !r->usable;
    return r;
}

/* ---- pieces ---- */

/* A piece of these triangles, whose normals are similar. */
static grz_surface_piece piece_of(grz_critical_search *q, const uint32_t *triangles, uint8_t count)
{
    grz_surface_piece p = {.signs = 0, .count = count};
    v3 corners[GRZ_LANES][3], sum = v3_make(0, 0, 0), normals = v3_make(0, 0, 0);
    for (uint8_t i = 0; i < count; i++)
    {
        p.triangles[i] = triangles[i];
        p.signs |= signs_at(q, triangles[i]);
        grz_surface_corners(q->surface, triangles[i], corners[i]);
        for (int k = 0; k < 3; k++)
            sum = v3_add(sum, corners[i][k]);
        normals = v3_add(normals, ring_of(q, triangles[i])->normal);
    }
    p.centre = v3_scale(1.0 / (3 * count), sum);
    p.axis = unit(normals);
    for (uint8_t i = 0; i < count; i++)
    {
        const grz_normal_ring *r = ring_of(q, triangles[i]);
        p.spread = fmax(p.spread, v3_length(v3_sub(r->normal, p.axis)) + r->spread);
        for (int k = 0; k < 3; k++)
            p.radius = fmax(p.radius, v3_length(v3_sub(corners[i][k], p.centre)));
    }
    p.radius += q->error;
    p.spread += 64 * GRZ_U;
    p.end_count = count == 1 ? 3 : 0;
    memcpy(p.ends, corners[0], sizeof p.ends);
    return p;
}

/* The triangles of a leaf as pieces of similar normals. */
static void add_leaf(grz_critical_search *q, const uint32_t *triangles, uint32_t count)
{
    bool taken[GRZ_LANES] = {false};
    for (uint32_t i = 0; i < count && !q->failed; i++)
    {
        uint32_t group[GRZ_LANES];
        uint8_t size = 0;
        if (taken[i])
            continue;
        const v3 normal = ring_of(q, triangles[i])->normal;
        for (uint32_t k = i; k < count; k++)
            if (!taken[k] && v3_length(v3_sub(ring_of(q, triangles[k])->normal, normal)) < SIMILAR)
            {
                taken[k] = true;
                group[size++] = triangles[k];
            }
        grz_surface_piece p = piece_of(q, group, size);
        add_piece(q, &p);
    }
}

double grz_gap_to_common_box(const grz_critical_search *q, v3 centre)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double along = v3_dot(q->box->axes[axis], centre);
        double gap = fmax(fmax(q->box->extents[axis].lower - along, along - q->box->extents[axis].upper), 0);
        square += gap * gap;
    }
    return sqrt(square) * (1 - 16 * GRZ_U);
}

/* Sets the side of all triangles connected with one. */
static void spread_side(grz_critical_search *q, uint32_t first, int8_t side)
{
    size_t count = 1;
    q->queue[0] = first;
    q->sides[first] = side;
    for (size_t i = 0; i < count; i++)
        for (uint32_t h = 3 * q->queue[i]; h < 3 * q->queue[i] + 3; h++)
        {
            uint32_t twin = q->body->adjacency.twins[h];
            if (twin == GRAZE_NO_HALF_EDGE || q->sides[twin / 3] != NOT_ASKED)
                continue;
            q->sides[twin / 3] = side;
            q->queue[count++] = twin / 3;
        }
}

/* Gathers the leaves that may hold a nearest point of a common point. */
static void gather_leaves(grz_critical_search *q, uint32_t node) /* NOLINT(misc-no-recursion) */
{
    const grz_world_tree *world = &q->surface->body->world;
    const uint32_t *children = world->tree->nodes[node].children;
    grz_world_aabbs boxes;
    grz_world_tree_child_aabbs(world, node, &boxes);
    for (int lane = 0; lane < GRZ_TREE_WIDTH && children[lane] != GRZ_NO_CHILD && !q->failed; lane++)
    {
        v3 lower = v3_make(boxes.lower[0][lane], boxes.lower[1][lane], boxes.lower[2][lane]);
        v3 upper = v3_make(boxes.upper[0][lane], boxes.upper[1][lane], boxes.upper[2][lane]);
        double radius = 0.5 * v3_length(v3_sub(upper, lower)) + q->error;
        uint32_t child = children[lane] & ~GRZ_LEAF_FLAG;
        if (grz_gap_to_common_box(q, v3_scale(0.5, v3_add(lower, upper))) > radius + q->most)
            continue;
        if ((children[lane] & GRZ_LEAF_FLAG) == 0)
            gather_leaves(q, child);
        else if (!GRZ_PUSH(q->s->space.context, &q->leaves, child))
            q->failed = true;
    }
}

/* Finds the side of the interior for the triangles near: the same for all that are connected by edges and meet no other
   triangle. Near an interior point of a common edge there are only its two triangles, so that the same regions lie in
   front of both and behind both. */
static void find_sides(grz_critical_search *q)
{
    const graze_tree *tree = q->surface->body->world.tree;
    grz_body_view view = grz_placed_body_view(q->surface->body);
    bool usable = graze_pose_handedness(&q->surface->body->placed->pose) != 0 &&
                  grz_embedding_start(q->s->space.context, q->body, tree, q->s->pair->monitor, &q->embedding);
    memset(q->sides, NOT_NEAR, q->body->mesh->triangle_count * sizeof *q->sides);
    for (size_t i = 0; i < q->leaves.count; i++)
    {
        const grz_leaf *leaf = &tree->leaves[q->leaves.data[i]];
        bool clear = usable && grz_embedding_leaf_is_clear(&q->embedding, q->leaves.data[i]);
        for (uint32_t k = 0; k < leaf->count; k++)
            q->sides[tree->order[leaf->first + k]] = clear ? NOT_ASKED : 0;
    }
    for (size_t i = 0; i < q->leaves.count; i++)
    {
        const grz_leaf *leaf = &tree->leaves[q->leaves.data[i]];
        for (uint32_t k = 0; k < leaf->count; k++)
            if (q->sides[tree->order[leaf->first + k]] == NOT_ASKED)
                spread_side(q, tree->order[leaf->first + k],
                            (int8_t)grz_body_interior_side(&view, tree->order[leaf->first + k]));
    }
}

/* Whether all triangles near face the same way. */
static void find_facing(grz_critical_search *q)
{
    const graze_tree *tree = q->surface->body->world.tree;
    bool out = true, in = true;
    for (size_t i = 0; i < q->leaves.count; i++)
    {
        const grz_leaf *leaf = &tree->leaves[q->leaves.data[i]];
        for (uint32_t k = 0; k < leaf->count; k++)
        {
            out = out && q->sides[tree->order[leaf->first + k]] == -1;
            in = in && q->sides[tree->order[leaf->first + k]] == 1;
        }
    }
    q->facing = out ? 1 : in ? -1 : 0;
}

void grz_gather_near_leaves(grz_critical_search *q)
{
    gather_leaves(q, 0);
    if (q->failed)
        return;
    find_sides(q);
    find_facing(q);
}

void grz_gather_surface_pieces(grz_critical_search *q)
{
    const graze_tree *tree = q->surface->body->world.tree;
    for (size_t i = 0; i < q->leaves.count && !q->failed; i++)
    {
        const grz_leaf *leaf = &tree->leaves[q->leaves.data[i]];
        add_leaf(q, tree->order + leaf->first, leaf->count);
    }
}

grz_surface_piece grz_piece_of_triangle(grz_critical_search *q, uint32_t triangle)
{
    return piece_of(q, &triangle, 1);
}
