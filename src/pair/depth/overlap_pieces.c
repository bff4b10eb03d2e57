/* SPDX-License-Identifier: MIT */
/*
 * Connected pieces of the common space of two bodies and their depths; see overlap_pieces.h. overlap_links.c says what
 * belongs together. A shell of one body that lies in the other without meeting it is a piece of its own, unless it
 * bounds a cavity.
 *
 * Depth of a piece, from below: that of a known point. It is known to belong to the piece if it lies on a surface that
 * links the piece, or in the box of this piece alone: each piece lies in the box around the vertices of its boundary.
 *
 * From above: the depth of all common points; and the distance to the contact. A point of the contact lies on both
 * surfaces, so no common point is deeper than its distance from any of them. The box of the piece is divided into
 * cells, and for each cell a point of the contact is taken from which no point of the cell is far. That needs the box
 * around all of the piece: all links were decided, and the box lies in no other, so the piece's boundary is no cavity.
 */
#include "pair/depth/overlap_pieces.h"

#include <math.h>
#include <string.h>

#include "pair/depth/overlap_links.h"
#include "pair/distance/triangle_distance.h"

enum
{
    MOST_SHELLS = 1024,  /* that are located */
    MOST_COMPARED = 512, /* pieces whose boxes are compared with all others */
    MOST_QUERIES = 2048, /* distances of vertices of all pieces */
    MOST_VERTICES = 16,  /* of a piece, whose distances are measured */
    CONTACT_POINTS = 96, /* of a piece, that bound its depth */
    CELLS = 4            /* along each side of its box */
};

typedef struct piece_search
{
    grz_overlap_links links;
    const graze_region *region;
    uint32_t *piece_of; /* of root nodes; NO_PIECE: none */
    GRZ_ARRAY(graze_overlap_piece) pieces;
    GRZ_ARRAY(size_t) counts; /* vertices of each piece */
    uint32_t *component_pieces;
} piece_search;

#define NO_PIECE UINT32_MAX

bool grz_may_have_pieces(const grz_body_pair *pair, const graze_region *region)
{
    const grz_twins *first = &pair->sides[0].body->adjacency, *second = &pair->sides[1].body->adjacency;
    return first->closed && second->closed &&
           (region->component_count != 1 || first->component_count > 1 || second->component_count > 1);
}

static void include(graze_box *box, const double point[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        box->lower[axis] = fmin(box->lower[axis], point[axis]);
        box->upper[axis] = fmax(box->upper[axis], point[axis]);
    }
}

static bool is_in_box(const graze_box *box, const double point[3], double error)
{
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < box->lower[axis] - error || point[axis] > box->upper[axis] + error)
            return false;
    return true;
}

/* The piece of a root, which is made if there is none. */
static bool add_piece(piece_search *s, uint32_t root)
{
    if (s->piece_of[root] != NO_PIECE)
        return true;
    graze_overlap_piece piece = {
        .bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, .lower = 0, .upper = INFINITY};
    s->piece_of[root] = (uint32_t)s->pieces.count;
    return GRZ_PUSH(s->links.pair->context, &s->pieces, piece) && GRZ_PUSH(s->links.pair->context, &s->counts, 0);
}

static bool add_components(piece_search *s)
{
    for (uint32_t i = 0; i < s->region->component_count; i++)
    {
        uint32_t root = grz_link_root(&s->links, i);
        if (!add_piece(s, root))
            return false;
        s->component_pieces[i] = s->piece_of[root];
        include(&s->pieces.data[s->piece_of[root]].bounds, s->region->components[i].bounds.lower);
        include(&s->pieces.data[s->piece_of[root]].bounds, s->region->components[i].bounds.upper);
    }
    return true;
}

/* ---- shells ---- */

/* Whether a shell bounds a cavity of its body: by its volume and the side of its triangles on which the body is. */
static bool is_cavity(const grz_placed_body *own, size_t component)
{
    const graze_mesh *mesh = own->placed->mesh;
    const grz_twins *adjacency = &own->body->adjacency;
    grz_body_view view = grz_placed_body_view(own);
    double volume = 0, origin[3];
    int side = 0;
    graze_pose_apply(&own->placed->pose, grz_body_component_corner(own->body, component), origin);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
    {
        if (adjacency->components[adjacency->merged[mesh->triangles[3 * (size_t)t]]] != component)
            continue;
        v3 corners[3];
        for (size_t k = 0; k < 3; k++)
        {
            double x[3];
            graze_pose_apply(&own->placed->pose, grz_triangle_corner(mesh, t, k), x);
            corners[k] = v3_sub(v3_load(x), v3_load(origin));
        }
        volume += v3_dot(corners[0], v3_cross(corners[1], corners[2]));
        if (side == 0 && adjacency->oriented)
            side = grz_body_interior_side(&view, t);
    }
    return volume * side > 0; /* counter-clockwise seen from outside, and the body is in front; or neither */
}

/* Shells without a contact: those in the other body are pieces. */
static bool add_shells(piece_search *s, int side, bool *met)
{
    const grz_placed_body *own = &s->links.pair->sides[side];
    const grz_twins *adjacency = &own->body->adjacency;
    grz_body_view other = grz_placed_body_view(&s->links.pair->sides[1 - side]);
    for (size_t i = 0; i < s->links.hits->count; i++)
    {
        const graze_hit *hit = &s->links.hits->data[i];
        uint32_t t = side == 0 ? hit->triangle_a : hit->triangle_b;
        met[adjacency->components[adjacency->merged[own->placed->mesh->triangles[3 * (size_t)t]]]] = true;
    }
    for (size_t c = 0, located = 0; c < adjacency->component_count; c++)
    {
        if (met[c])
            continue;
        if (located++ == MOST_SHELLS)
        {
            s->links.certain = false;
            break;
        }
        const double *corner = grz_body_component_corner(own->body, c);
        if (grz_locate_point(&other, corner, &own->placed->pose) != GRAZE_LOCATION_INSIDE || is_cavity(own, c))
            continue;
        uint32_t vertex = adjacency->merged[own->placed->mesh->triangles[own->body->corners[c]]];
        if (!add_piece(s, grz_link_root(&s->links, s->links.first_vertex[side] + vertex)))
            return false;
    }
    return true;
}

static bool add_all_shells(piece_search *s)
{
    const graze_context *context = s->links.pair->context;
    for (int side = 0; side < 2; side++)
    {
        size_t count = s->links.pair->sides[side].body->adjacency.component_count;
        if (count == 1 && s->region->component_count > 0)
            continue;
        bool *met = grz_allocate_zeroed(context, count, sizeof *met);
        bool done = met != NULL && add_shells(s, side, met);
        grz_release(context, met);
        if (!done)
            return false;
    }
    return true;
}

/* ---- boxes and depths ---- */

static uint32_t piece_of_vertex(const piece_search *s, int side, size_t vertex)
{
    return s->piece_of[grz_link_root(&s->links, s->links.first_vertex[side] + (uint32_t)vertex)];
}

static void place_vertex(const piece_search *s, int side, size_t vertex, double out[3])
{
    const grz_placed_body *own = &s->links.pair->sides[side];
    graze_pose_apply(&own->placed->pose, grz_body_vertex(own->body, (uint32_t)vertex), out);
}

static void add_vertices(piece_search *s)
{
    for (int side = 0; side < 2; side++)
        for (size_t v = 0; v < s->links.pair->sides[side].body->adjacency.vertex_count; v++)
        {
            uint32_t piece = piece_of_vertex(s, side, v);
            double at[3];
            if (piece == NO_PIECE)
                continue;
            place_vertex(s, side, v, at);
            include(&s->pieces.data[piece].bounds, at);
            s->counts.data[piece]++;
        }
}

static void take_point(graze_overlap_piece *piece, const double point[3], double depth)
{
    if (!(depth > piece->lower))
        return;
    piece->lower = depth;
    memcpy(piece->point, point, sizeof piece->point);
}

/* Measures some vertices of each piece, which lie in the other body. */
static void measure_vertices(piece_search *s)
{
    size_t quota = MOST_QUERIES / (s->pieces.count + 1);
    quota = quota < 2 ? 2 : quota > MOST_VERTICES ? MOST_VERTICES : quota;
    for (size_t i = 0; i < s->links.common.count; i++)
    {
        const grz_common_point *known = &s->links.common.data[i];
        uint32_t piece = s->piece_of[grz_link_root(&s->links, known->node)];
        if (piece != NO_PIECE)
            take_point(&s->pieces.data[piece], known->point, known->depth);
    }
    for (int side = 1; side >= 0; side--)
        for (size_t v = s->links.pair->sides[side].body->adjacency.vertex_count; v-- > 0;)
        {
            uint32_t piece = piece_of_vertex(s, side, v);
            if (piece == NO_PIECE)
                continue;
            size_t left = s->counts.data[piece]--;
            if (left % (left / quota + 1) != 0)
                continue;
            double at[3];
            grz_nearest_triangle nearest;
            place_vertex(s, side, v, at);
            grz_find_nearest_triangle(&s->links.space.surfaces[1 - side], at, GRZ_COARSE, GRZ_NO_TRIANGLE, &nearest);
            take_point(&s->pieces.data[piece], at, (nearest.lower - s->links.error) * (1 - 4 * GRZ_U));
        }
}

/* The only piece whose box holds a point, or NO_PIECE. */
static uint32_t only_piece_at(const piece_search *s, const double point[3])
{
    uint32_t found = NO_PIECE;
    for (size_t i = 0; i < s->pieces.count; i++)
    {
        if (!is_in_box(&s->pieces.data[i].bounds, point, s->links.error))
            continue;
        if (found != NO_PIECE)
            return NO_PIECE;
        found = (uint32_t)i;
    }
    return found;
}

/* Tries the centre of a piece's box. */
static void try_centre(piece_search *s, graze_overlap_piece *piece)
{
    double centre[3], depth = 0;
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = 0.5 * piece->bounds.lower[axis] + 0.5 * piece->bounds.upper[axis];
    uint32_t only = s->links.certain ? only_piece_at(s, centre) : NO_PIECE;
    if (only == NO_PIECE || &s->pieces.data[only] != piece)
        return;
    for (int side = 0; side < 2; side++)
    {
        grz_nearest_triangle nearest;
        grz_find_nearest_triangle(&s->links.space.surfaces[side], centre, GRZ_COARSE, GRZ_NO_TRIANGLE, &nearest);
        depth = fmax(depth, nearest.lower);
        if (!grz_simplex_point_inside(&s->links.space, side, centre, nearest.lower))
            return;
    }
    take_point(piece, centre, depth);
}

/* The square of the largest distance from a point to a cell of a box. */
static double farthest_sq(const graze_box *box, const int cell[3], const double point[3], double error)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double side = box->upper[axis] - box->lower[axis];
        double low = box->lower[axis] + side * cell[axis] / CELLS;
        double high = box->lower[axis] + side * (cell[axis] + 1) / CELLS;
        double far = fmax(fabs(point[axis] - low), fabs(point[axis] - high)) + 4 * error;
        sum += far * far;
    }
    return sum;
}

/* How far a point of the piece may be from all of some points of its contact. */
static double bound_by_contact(const piece_search *s, size_t index, size_t contact_count, const uint32_t *contact)
{
    const graze_overlap_piece *piece = &s->pieces.data[index];
    double most = 0;
    for (int i = 0; i < CELLS * CELLS * CELLS; i++)
    {
        const int cell[3] = {i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS};
        double least = INFINITY;
        for (size_t k = 0; k < contact_count; k++)
            least =
                fmin(least, farthest_sq(&piece->bounds, cell, s->links.found->points[contact[k]].at, s->links.error));
        most = fmax(most, least);
    }
    return sqrt(most) * (1 + 16 * GRZ_U);
}

/* Whether the box of a piece lies in that of another. */
static bool is_nested(const piece_search *s, size_t index)
{
    const graze_box *box = &s->pieces.data[index].bounds;
    for (size_t i = 0; i < s->pieces.count; i++)
        if (i != index && is_in_box(&s->pieces.data[i].bounds, box->lower, s->links.error) &&
            is_in_box(&s->pieces.data[i].bounds, box->upper, s->links.error))
            return true;
    return false;
}

/* Some points of the contact of each piece: `CONTACT_POINTS` places for each of them. */
static bool sample_contacts(const piece_search *s, uint32_t **out_points, size_t **out_counts)
{
    const graze_context *context = s->links.pair->context;
    const grz_hit_pieces *found = s->links.found;
    uint32_t *points = grz_allocate(context, s->pieces.count, CONTACT_POINTS * sizeof *points);
    size_t *counts = grz_allocate_zeroed(context, s->pieces.count, 2 * sizeof *counts), *seen = counts;
    *out_points = points;
    *out_counts = counts;
    if (points == NULL || counts == NULL)
        return false;
    counts = seen + s->pieces.count;
    for (size_t i = 0; i < found->point_count; i++)
        counts[s->component_pieces[found->component_of[i]]]++;
    for (size_t i = 0; i < found->point_count; i++)
    {
        uint32_t piece = s->component_pieces[found->component_of[i]];
        size_t step = (counts[piece] + CONTACT_POINTS - 1) / CONTACT_POINTS;
        if (seen[piece] % step == 0)
            points[piece * (size_t)CONTACT_POINTS + seen[piece] / step] = (uint32_t)i;
        seen[piece]++;
    }
    for (size_t i = 0; i < s->pieces.count; i++)
    {
        size_t step = (counts[i] + CONTACT_POINTS - 1) / CONTACT_POINTS;
        seen[i] = step > 0 ? (counts[i] + step - 1) / step : 0;
    }
    return true;
}

/* Upper bounds from the contact, and lower bounds from the centres of boxes. */
static bool compare_boxes(piece_search *s)
{
    uint32_t *points;
    size_t *counts;
    bool done = sample_contacts(s, &points, &counts);
    for (size_t i = 0; done && i < s->pieces.count; i++)
    {
        try_centre(s, &s->pieces.data[i]);
        if (s->links.certain && counts[i] > 0 && !is_nested(s, i))
            s->pieces.data[i].upper =
                fmin(s->pieces.data[i].upper, bound_by_contact(s, i, counts[i], points + i * (size_t)CONTACT_POINTS));
    }
    grz_release(s->links.pair->context, points);
    grz_release(s->links.pair->context, counts);
    return done;
}

/* The piece that the deepest point belongs to: the only one around it; or that of the closest point of a surface. */
static uint32_t piece_of_deepest(piece_search *s, const grz_deepest_common_point *deepest)
{
    uint32_t piece = s->links.certain && s->pieces.count <= MOST_COMPARED ? only_piece_at(s, deepest->point) : NO_PIECE;
    if (piece != NO_PIECE)
        return piece;
    grz_nearest_triangle nearest[2];
    for (int side = 0; side < 2; side++)
        grz_find_nearest_triangle(&s->links.space.surfaces[side], deepest->point, 0, GRZ_NO_TRIANGLE, &nearest[side]);
    int side = nearest[1].upper < nearest[0].lower;
    uint32_t node;
    if ((side == 0 && !(nearest[0].upper < nearest[1].lower)) ||
        !grz_link_node_of_point(&s->links, side, nearest[side].triangle, nearest[side].point, &node))
        return NO_PIECE;
    return s->piece_of[grz_link_root(&s->links, node)];
}

/* A point of the contact, of the component nearest to the centre of the box. */
static void choose_points(piece_search *s)
{
    for (size_t i = 0; i < s->region->component_count; i++)
    {
        graze_overlap_piece *piece = &s->pieces.data[s->component_pieces[i]];
        const double *point = s->region->components[i].point;
        double now = 0, best = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double centre = 0.5 * piece->bounds.lower[axis] + 0.5 * piece->bounds.upper[axis];
            now += (point[axis] - centre) * (point[axis] - centre);
            best += (piece->point[axis] - centre) * (piece->point[axis] - centre);
        }
        if (piece->lower == 0 && (s->counts.data[s->component_pieces[i]] == 0 || now < best))
            memcpy(piece->point, point, sizeof piece->point);
        s->counts.data[s->component_pieces[i]] = 1;
    }
}

static bool measure_depths(piece_search *s, const grz_deepest_common_point *deepest)
{
    measure_vertices(s);
    if (s->pieces.count <= MOST_COMPARED && !compare_boxes(s))
        return false;
    uint32_t deep = deepest->depth > 0 ? piece_of_deepest(s, deepest) : NO_PIECE;
    for (size_t i = 0; i < s->pieces.count; i++)
    {
        graze_overlap_piece *piece = &s->pieces.data[i];
        piece->lower = fmin(piece->lower, deepest->depth); /* the deepest point is the deepest that is told of */
        piece->upper = fmax(fmin(piece->upper, deepest->upper), piece->lower);
        if (i != deep)
            continue;
        piece->lower = deepest->depth;
        piece->upper = deepest->upper;
        memcpy(piece->point, deepest->point, sizeof piece->point);
    }
    memset(s->counts.data, 0, s->counts.count * sizeof *s->counts.data);
    choose_points(s);
    return true;
}

static bool find_pieces(piece_search *s, const grz_deepest_common_point *deepest)
{
    const graze_context *context = s->links.pair->context;
    s->piece_of = grz_allocate(context, s->links.first_vertex[2], sizeof *s->piece_of);
    s->component_pieces = grz_allocate(context, s->region->component_count, sizeof *s->component_pieces);
    if (s->piece_of == NULL || s->component_pieces == NULL)
        return false;
    memset(s->piece_of, 0xff, s->links.first_vertex[2] * sizeof *s->piece_of);
    if (!add_components(s) || !add_all_shells(s))
        return false;
    add_vertices(s);
    return s->pieces.count == 0 || measure_depths(s, deepest);
}

graze_status grz_find_overlap_pieces(grz_body_pair *pair, const grz_hits *hits, const grz_hit_pieces *found,
                                     const grz_deepest_common_point *deepest, graze_region *region)
{
    double reach = fmax(grz_coordinate_bound(pair->sides[0].placed->mesh, &pair->sides[0].placed->pose),
                        grz_coordinate_bound(pair->sides[1].placed->mesh, &pair->sides[1].placed->pose));
    if (!(reach > 0x1p-300 && reach < 0x1p300)) /* squares of distances would leave the range */
        return GRAZE_STATUS_OK;
    piece_search s;
    memset(&s, 0, sizeof s);
    s.region = region;
    graze_status status = grz_overlap_links_make(pair, hits, found, region->component_count, &s.links);
    if (status == GRAZE_STATUS_OK && !find_pieces(&s, deepest))
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (status == GRAZE_STATUS_OK)
        status = grz_monitor_status(pair->monitor);
    if (status == GRAZE_STATUS_OK && s.pieces.count > 0)
        grz_region_set_overlaps(region, s.pieces.data, s.pieces.count, s.component_pieces);
    else
    {
        grz_release(pair->context, s.pieces.data);
        grz_release(pair->context, s.component_pieces);
    }
    grz_release(pair->context, s.piece_of);
    grz_release(pair->context, s.counts.data);
    grz_overlap_links_release(&s.links);
    return status;
}
