/* SPDX-License-Identifier: MIT */
/*
 * Whether two touching bodies overlap, decided by their neighbourhoods at each contact; see overlap.h.
 *
 * Both are closed and oriented and neither meets itself. So at a point inside a triangle the body fills one side, and
 * at a point of an edge one of the two wedges between its triangles: in the plane across the edge, an arc of
 * directions. If the bodies overlap, a part of one surface lies inside the other body, or coplanar triangles overlap
 * with both bodies on the same side (see overlap.c). Such a part of a surface extends until it meets the other surface.
 * Either it meets it along a segment, and the two arcs overlap there; or it meets it in single points at most, and the
 * part consists of whole triangles, whose corners lie inside the other body or on its surface. All three cases are
 * tested; if none holds, the bodies do not overlap. Arcs are compared by exact signs.
 */
#include "pair/solid/overlap.h"

#include "exact/predicates.h"
#include "mesh/union_find.h"

/* ---- arcs around a line ---- */

enum
{
    LINE_START, /* indices in a grz_points; the line is directed from LINE_START to LINE_END */
    LINE_END,
    FIRST_START, /* an arc runs counter-clockwise, viewed against the line, from the half-plane through its start */
    FIRST_END,   /* to the half-plane through its end; half-planes are bounded by the line */
    SECOND_START,
    SECOND_END
};

/* The angle from one half-plane counter-clockwise to another, compared with half a turn. */
typedef enum angular_order
{
    SAME = 0,
    LESS_THAN_HALF,
    OPPOSITE,
    MORE_THAN_HALF,
    UNCLEAR /* a point lies on the line and defines no half-plane */
} angular_order;

/* For a point coplanar with the line and `reference`: 1 on the same side of the line as `reference`, -1 on the other,
   0 on the line. Decided in a projection along an axis in which `reference` is not on the line. */
static int side_in_plane(grz_points *points, int reference, int point)
{
    for (int axis = 0; axis < 3; axis++)
    {
        int side = grz_orient2d(points, LINE_START, LINE_END, reference, axis);
        if (side != 0)
            return side * grz_orient2d(points, LINE_START, LINE_END, point, axis);
    }
    return 0;
}

static angular_order turn_between(grz_points *points, int from, int to)
{
    /* det(line, from, to): positive when `to` is less than half a turn ahead. */
    int sign = grz_orient3d(points, LINE_END, from, to, LINE_START);
    if (sign != 0)
        return sign > 0 ? LESS_THAN_HALF : MORE_THAN_HALF;
    int side = side_in_plane(points, from, to);
    return side == 0 ? UNCLEAR : side > 0 ? SAME : OPPOSITE;
}

/* Whether the half-plane through `point` lies inside the arc or at its start: 1 or 0; -1 when unclear. */
static int is_in_arc(grz_points *points, int start, int end, int point)
{
    angular_order to_point = turn_between(points, start, point), to_end = turn_between(points, start, end);
    if (to_point == UNCLEAR || to_end == UNCLEAR)
        return -1;
    if (to_point == SAME || to_end == SAME) /* an arc that ends where it starts goes all around */
        return 1;
    if (to_point != to_end || to_point == OPPOSITE)
        return to_point < to_end;
    return turn_between(points, point, end) == LESS_THAN_HALF;
}

/* Two open arcs overlap if and only if one of them starts inside the other, or both start at the same half-plane. */
static graze_verdict arcs_overlap(grz_points *points)
{
    int first = is_in_arc(points, FIRST_START, FIRST_END, SECOND_START);
    int second = is_in_arc(points, SECOND_START, SECOND_END, FIRST_START);
    if (first < 0 || second < 0)
        return GRAZE_VERDICT_UNKNOWN;
    return first > 0 || second > 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}

/* ---- sets of triangles ---- */

/* How the other surface meets a triangle: not at all, in points only, or in a segment or polygon. */
enum
{
    NOT_MET,
    IN_POINTS,
    IN_SEGMENTS,
    LEFT_OUT /* without area, and met: its corners decide nothing */
};

/* Joins triangles across common edges that the other surface meets in points at most: the rest of such a triangle, and
 * of its edges, stays connected. */
static void join_triangles(const graze_body *body, const uint8_t *marks, uint32_t *parents)
{
    for (uint32_t t = 0; t < body->mesh->triangle_count; t++)
        parents[t] = t;
    for (uint32_t h = 0; h < 3 * body->mesh->triangle_count; h++)
    {
        uint32_t twin = body->adjacency.twins[h];
        if (twin == GRAZE_NO_HALF_EDGE || twin < h || (marks[h / 3] | marks[twin / 3]) >= IN_SEGMENTS)
            continue;
        grz_union_find_join(parents, h / 3, twin / 3);
    }
}

/* ---- contacts ---- */

enum
{
    NOT_ASKED = 2,
    CONTACTS_TRIED = 24 /* before planes are */
};

/* Of a surface that does not meet itself the answer is that of the whole shell in every pose, but for its handedness.
 */
static int find_interior_side(const grz_placed_body *side, uint32_t triangle)
{
    const graze_body *body = side->body;
    atomic_schar *kept = (atomic_schar *)(uintptr_t)&body->interior_sides[body->shells[triangle]];
    int handedness = graze_pose_handedness(&side->placed->pose);
    bool embedded = atomic_load_explicit(&body->self_contact, memory_order_relaxed) == GRZ_SELF_CONTACT_NONE;
    int known = embedded ? atomic_load_explicit(kept, memory_order_relaxed) : 0;
    /* shortcut: known-interior-side */
    if (known != 0)
        return known * handedness;
    grz_body_view view = grz_placed_body_view(side);
    int found = grz_body_interior_side(&view, triangle);
    if (embedded && found != 0)
        atomic_store_explicit(kept, (signed char)(found * handedness), memory_order_relaxed);
    return found;
}

int grz_shell_interior_side(const grz_body_pair *body_pair, int side, uint32_t triangle)
{
    const grz_placed_body *placed = &body_pair->sides[side];
    int8_t *known = &body_pair->local_overlap.interior_sides[side][placed->body->shells[triangle]];
    if (*known == NOT_ASKED)
        *known = (int8_t)find_interior_side(placed, triangle);
    return *known;
}

static graze_placed_point corner_of(const grz_placed_pair *p, int side, size_t half_edge)
{
    const graze_placed_mesh *placed = &p->placed[side];
    return (graze_placed_point){grz_mesh_vertex(placed->mesh, placed->mesh->triangles[half_edge]), &placed->pose};
}

static uint32_t half_edge_after(uint32_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

/* The half-edge of a triangle whose two corners are set in the mask. */
static uint32_t masked_half_edge(uint32_t triangle, unsigned mask)
{
    return 3 * triangle + (mask == 3 ? 0 : mask == 6 ? 1 : 2);
}

/* The orientation of three points projected along the first axis where it is not zero; 0 when they are collinear. */
static int projected_turn(const graze_placed_point corners[3], int *out_axis)
{
    for (*out_axis = 0; *out_axis < 3; ++*out_axis)
    {
        int sign = graze_point_orient2d_placed(corners, *out_axis);
        if (sign != 0)
            return sign;
    }
    return 0;
}

/* Whether two collinear segments have the same direction. */
static bool same_way(const graze_placed_point a[2], const graze_placed_point b[2])
{
    for (int axis = 0; axis < 3; axis++)
    {
        int sign = graze_point_compare_placed(&a[1], &a[0], axis);
        if (sign != 0)
            return sign == graze_point_compare_placed(&b[1], &b[0], axis);
    }
    return true;
}

/*
 * The arc of a body around an edge on the line, for a body behind its triangles. The front of the triangle whose
 * half-edge has the direction of the line is on its counter-clockwise side, so the arc ends at this triangle; it starts
 * at the triangle of the twin.
 */
static bool edge_arc(const grz_placed_pair *p, int side, uint32_t half_edge, const graze_placed_point line[2],
                     graze_placed_point arc[2])
{
    uint32_t twin = p->body_pair->sides[side].body->adjacency.twins[half_edge];
    if (twin == GRAZE_NO_HALF_EDGE)
        return false;
    const graze_placed_point own[2] = {corner_of(p, side, half_edge), corner_of(p, side, half_edge_after(half_edge))};
    bool along = same_way(line, own);
    arc[along ? 1 : 0] = corner_of(p, side, half_edge_after(half_edge_after(half_edge)));
    arc[along ? 0 : 1] = corner_of(p, side, half_edge_after(half_edge_after(twin)));
    return true;
}

/* The same for a line through the interior of a triangle, which has corners on both sides of the line. */
static bool face_arc(const grz_placed_pair *p, int side, uint32_t triangle, const graze_placed_point line[2],
                     graze_placed_point arc[2])
{
    graze_placed_point corners[3], with_corner[3] = {line[0], line[1]};
    for (uint32_t k = 0; k < 3; k++)
        corners[k] = corner_of(p, side, 3 * (size_t)triangle + k);
    int axis, turned = projected_turn(corners, &axis);
    bool found[2] = {false, false};
    for (int k = 0; turned != 0 && k < 3; k++)
    {
        with_corner[2] = corners[k];
        int sign = graze_point_orient2d_placed(with_corner, axis);
        if (sign == 0)
            continue;
        arc[sign == turned] = corners[k];
        found[sign == turned] = true;
    }
    return found[0] && found[1];
}

static unsigned bits_in(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1);
}

/* Local overlap at two triangles that share a segment. */
static graze_verdict segment_overlap(const grz_placed_pair *p, const graze_hit *hit)
{
    const uint32_t triangles[2] = {hit->triangle_a, hit->triangle_b};
    const unsigned masks[2] = {hit->contact.mask_a, hit->contact.mask_b};
    int owner = bits_in(masks[0]) == 2 ? 0 : 1;
    if (bits_in(masks[owner]) != 2)
        return GRAZE_VERDICT_UNKNOWN;
    uint32_t edge = masked_half_edge(triangles[owner], masks[owner]);
    const graze_placed_point line[2] = {corner_of(p, owner, edge), corner_of(p, owner, half_edge_after(edge))};
    grz_points points;
    grz_points_start(&points, NULL);
    for (int k = 0; k < 2; k++)
        grz_points_add(&points, line[k].point, line[k].pose);
    for (int i = 0; i < 2; i++)
    {
        graze_placed_point arc[2];
        int inner = grz_shell_interior_side(p->body_pair, i, triangles[i]);
        bool known = bits_in(masks[i]) == 2 ? edge_arc(p, i, masked_half_edge(triangles[i], masks[i]), line, arc)
                                            : face_arc(p, i, triangles[i], line, arc);
        if (inner == 0 || !known)
            return GRAZE_VERDICT_UNKNOWN;
        for (int k = 0; k < 2; k++) /* a body in front of its triangles fills the other arc */
        {
            const graze_placed_point *point = &arc[inner < 0 ? k : 1 - k];
            grz_points_add(&points, point->point, point->pose);
        }
    }
    return arcs_overlap(&points);
}

/* Local overlap at coplanar triangles that share a polygon: whether both bodies are on the same side. */
static graze_verdict face_overlap(const grz_placed_pair *p, const graze_hit *hit)
{
    graze_placed_point a[3], b[3];
    for (size_t k = 0; k < 3; k++)
    {
        a[k] = corner_of(p, 0, 3 * (size_t)hit->triangle_a + k);
        b[k] = corner_of(p, 1, 3 * (size_t)hit->triangle_b + k);
    }
    int axis, turned = projected_turn(a, &axis);
    int product = grz_shell_interior_side(p->body_pair, 0, hit->triangle_a) *
                  grz_shell_interior_side(p->body_pair, 1, hit->triangle_b);
    if (turned != 0)
        product *= turned * graze_point_orient2d_placed(b, axis);
    return product == 0 || turned == 0 ? GRAZE_VERDICT_UNKNOWN : product > 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
}

graze_verdict grz_local_overlap_at(const grz_placed_pair *p, const graze_hit *hit)
{
    if (!p->body_pair->local_overlap.solid)
        return GRAZE_VERDICT_UNKNOWN;
    if (hit->contact.dimension == 0)
        return GRAZE_VERDICT_NO;
    return hit->contact.dimension == 1 ? segment_overlap(p, hit) : face_overlap(p, hit);
}

graze_status grz_some_contact_overlaps(grz_placed_pair *p, const grz_hits *hits, bool *out_overlaps)
{
    *out_overlaps = false;
    for (int i = 0; i < 2; i++)
    {
        const graze_body *body = p->body_pair->sides[i].body;
        /* shortcut: contacts-before-planes */
        if (atomic_load_explicit(&body->self_contact, memory_order_relaxed) != GRZ_SELF_CONTACT_NONE ||
            graze_pose_handedness(&p->placed[i].pose) == 0)
            return GRAZE_STATUS_OK;
    }
    graze_status status = grz_local_overlap_prepare(p->body_pair);
    size_t step = hits->count / CONTACTS_TRIED + 1;
    for (size_t i = 0; i < hits->count && status == GRAZE_STATUS_OK && !*out_overlaps; i += step)
    {
        *out_overlaps = grz_local_overlap_at(p, &hits->data[i]) == GRAZE_VERDICT_YES;
        grz_monitor_exact_tests(p->body_pair->monitor, 4);
        status = grz_monitor_status(p->body_pair->monitor);
    }
    return status;
}

static graze_verdict contacts_overlap(const grz_placed_pair *p, const grz_hits *hits)
{
    graze_verdict verdict = GRAZE_VERDICT_NO;
    for (size_t i = 0; i < hits->count && grz_monitor_exact_tests(p->body_pair->monitor, 4); i++)
    {
        graze_verdict here = grz_local_overlap_at(p, &hits->data[i]);
        if (here == GRAZE_VERDICT_YES)
            return here;
        if (here == GRAZE_VERDICT_UNKNOWN)
            verdict = here;
    }
    return verdict;
}

/* ---- corners ---- */

static void mark_triangles(const grz_hits *hits, int side, uint8_t *marks)
{
    for (size_t i = 0; i < hits->count; i++)
    {
        uint8_t *mark = &marks[side == 0 ? hits->data[i].triangle_a : hits->data[i].triangle_b];
        uint8_t how = hits->data[i].contact.dimension == 0 ? IN_POINTS : IN_SEGMENTS;
        *mark = *mark > how ? *mark : how;
    }
}

/* A triangle without area is a segment or a point and bounds nothing. Where it meets the other surface it may pass
   through it, so its corners decide nothing: it is excluded. */
static void leave_out_segments(const graze_mesh *mesh, uint8_t *marks)
{
    const grz_body_view surface = {.mesh = mesh};
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (marks[t] != NOT_MET && !grz_body_triangle_has_area(&surface, t))
            marks[t] = LEFT_OUT;
}

/* Whether any set of joined triangles lies inside `other`: locates one corner of each set that is not on the surface
   of `other`, starting with triangles that do not meet it. Of triangles marked IN_SEGMENTS, all corners are located,
   and only when `last` is IN_SEGMENTS. */
static graze_verdict sets_inside(const graze_placed_mesh *placed, const grz_body_view *other, const uint8_t *marks,
                                 int last, uint32_t *parents, graze_verdict *verdicts)
{
    const graze_mesh *mesh = placed->mesh;
    for (int mark = NOT_MET; mark <= last; mark++)
    {
        for (uint32_t i = 0; i < 3 * mesh->triangle_count && grz_monitor_work(other->monitor, 1); i++)
        {
            if (marks[i / 3] != mark)
                continue;
            /* shortcut: one-corner-a-set */
            bool is_known = verdicts[grz_union_find_root(parents, i / 3)] != GRAZE_VERDICT_UNKNOWN;
            if (is_known && mark != IN_SEGMENTS)
                continue;
            graze_location location = grz_locate_point(other, grz_mesh_vertex(mesh, mesh->triangles[i]), &placed->pose);
            if (location == GRAZE_LOCATION_INSIDE)
                return GRAZE_VERDICT_YES;
            if (location == GRAZE_LOCATION_OUTSIDE)
                verdicts[grz_union_find_root(parents, i / 3)] = GRAZE_VERDICT_NO;
        }
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (marks[t] < IN_SEGMENTS && verdicts[grz_union_find_root(parents, t)] == GRAZE_VERDICT_UNKNOWN)
            return GRAZE_VERDICT_UNKNOWN;
    return GRAZE_VERDICT_NO;
}

/* Whether a part of one surface that meets the other in points at most lies in the other body; when `last` is
   IN_SEGMENTS, whether any corner of a triangle with area does. */
static graze_status corners_inside(grz_placed_pair *p, const grz_hits *hits, int side, int last,
                                   graze_verdict *out_verdict)
{
    const graze_context *context = p->body_pair->context;
    const graze_body *body = p->body_pair->sides[side].body;
    size_t count = body->mesh->triangle_count;
    grz_body_view other;
    graze_status status = grz_placed_pair_body(p, 1 - side, &other);
    if (status != GRAZE_STATUS_OK)
        return status;
    uint8_t *marks = grz_allocate_zeroed(context, count, sizeof *marks);
    uint32_t *parents = grz_allocate(context, count, sizeof *parents);
    graze_verdict *verdicts = grz_allocate_zeroed(context, count, sizeof *verdicts);
    if (marks != NULL && parents != NULL && verdicts != NULL)
    {
        mark_triangles(hits, side, marks);
        leave_out_segments(body->mesh, marks);
        join_triangles(body, marks, parents);
        *out_verdict = sets_inside(&p->placed[side], &other, marks, last, parents, verdicts);
        status = grz_monitor_status(p->body_pair->monitor);
    }
    else
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    grz_release(context, marks);
    grz_release(context, parents);
    grz_release(context, verdicts);
    return status;
}

/* ---- both ---- */

/* Whether neither surface meets itself and both poses are invertible; computed once. */
static graze_status find_embedded(grz_body_pair *body_pair)
{
    bool embedded = true;
    for (int i = 0; i < 2 && embedded && !body_pair->local_overlap.embedded_known; i++)
    {
        const graze_placed_mesh *placed = body_pair->sides[i].placed;
        bool found;
        graze_status status = grz_body_meets_itself(body_pair->context, body_pair->sides[i].body, placed->tree,
                                                    body_pair->monitor, &found);
        if (status != GRAZE_STATUS_OK)
            return status;
        embedded = !found && graze_pose_handedness(&placed->pose) != 0;
    }
    if (!body_pair->local_overlap.embedded_known)
        body_pair->local_overlap.embedded = embedded;
    body_pair->local_overlap.embedded_known = true;
    return GRAZE_STATUS_OK;
}

/* For surfaces that are open or not oriented: only a corner of one inside the other, where that is closed, proves
   an overlap. Otherwise *out_overlap is left as it is. */
static graze_status corners_overlap(grz_placed_pair *p, const grz_hits *hits, graze_verdict *out_overlap)
{
    graze_status status = GRAZE_STATUS_OK;
    for (int i = 0; i < 2 && status == GRAZE_STATUS_OK && *out_overlap != GRAZE_VERDICT_YES; i++)
    {
        graze_verdict corners = GRAZE_VERDICT_UNKNOWN;
        if (p->body_pair->sides[1 - i].body->adjacency.closed)
            status = corners_inside(p, hits, i, IN_SEGMENTS, &corners);
        if (status == GRAZE_STATUS_OK && corners == GRAZE_VERDICT_YES)
            *out_overlap = GRAZE_VERDICT_YES;
    }
    return status;
}

graze_status grz_touching_bodies_overlap(grz_placed_pair *p, const grz_hits *hits, graze_verdict *out_overlap)
{
    graze_status status = grz_local_overlap_prepare(p->body_pair);
    graze_verdict corners[2], contacts = GRAZE_VERDICT_UNKNOWN;
    *out_overlap = GRAZE_VERDICT_UNKNOWN;
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!p->body_pair->local_overlap.solid)
        return corners_overlap(p, hits, out_overlap);
    for (int i = 0; i < 2; i++)
    {
        status = corners_inside(p, hits, i, IN_POINTS, &corners[i]);
        if (status == GRAZE_STATUS_OK && corners[i] == GRAZE_VERDICT_YES)
            *out_overlap = GRAZE_VERDICT_YES;
        if (status != GRAZE_STATUS_OK || corners[i] == GRAZE_VERDICT_YES)
            return status;
    }
    status = find_embedded(p->body_pair);
    /* shortcut: local-overlap */
    if (status == GRAZE_STATUS_OK && p->body_pair->local_overlap.embedded)
        contacts = contacts_overlap(p, hits);
    bool none = contacts == GRAZE_VERDICT_NO && corners[0] == GRAZE_VERDICT_NO && corners[1] == GRAZE_VERDICT_NO;
    if (none || contacts == GRAZE_VERDICT_YES)
        *out_overlap = contacts;
    return status == GRAZE_STATUS_OK ? grz_monitor_status(p->body_pair->monitor) : status;
}

static bool make_room(grz_body_pair *body_pair, int side)
{
    grz_local_overlap_facts *facts = &body_pair->local_overlap;
    size_t count = body_pair->sides[side].body->shell_count;
    facts->interior_sides[side] = grz_allocate(body_pair->context, count, sizeof *facts->interior_sides[side]);
    if (facts->interior_sides[side] == NULL)
        return false;
    memset(facts->interior_sides[side], NOT_ASKED, count);
    return true;
}

graze_status grz_local_overlap_prepare(grz_body_pair *body_pair)
{
    grz_local_overlap_facts *facts = &body_pair->local_overlap;
    if (facts->ready)
        return GRAZE_STATUS_OK;
    facts->solid = true;
    for (int i = 0; i < 2; i++)
        facts->solid =
            facts->solid && body_pair->sides[i].body->adjacency.closed && body_pair->sides[i].body->adjacency.oriented;
    if (facts->solid && !(make_room(body_pair, 0) && make_room(body_pair, 1)))
    {
        grz_local_overlap_release(body_pair);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    facts->ready = true;
    return GRAZE_STATUS_OK;
}

graze_status grz_body_pair_is_embedded(grz_body_pair *body_pair, bool *out_embedded)
{
    graze_status status = grz_local_overlap_prepare(body_pair);
    if (status == GRAZE_STATUS_OK && body_pair->local_overlap.solid)
        status = find_embedded(body_pair);
    if (status == GRAZE_STATUS_OK)
        *out_embedded = body_pair->local_overlap.solid && body_pair->local_overlap.embedded;
    return status;
}

void grz_local_overlap_release(grz_body_pair *body_pair)
{
    for (int i = 0; i < 2; i++)
        grz_release(body_pair->context, body_pair->local_overlap.interior_sides[i]);
    body_pair->local_overlap = (grz_local_overlap_facts){.ready = false};
}
