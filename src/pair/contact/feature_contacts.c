/* SPDX-License-Identifier: MIT */
/*
 * Which features of two triangles make a contact: a vertex over a face, two edges that cross, a vertex beside an edge,
 * two vertices. A feature counts only where its surface supports the normal: no edge at the vertex rises above it, both
 * triangles of the edge fall away from it. So a contact is a place where the gap is smallest, and inner edges of flat
 * or hollow regions have none. SLACK keeps features that are a few degrees off: all four corners of a box that stands
 * slightly tilted.
 */
#include "pair/contact/feature_contacts.h"

#include "mesh/mesh.h"

#define SLACK GRZ_CONTACT_SLACK
#define FLAT 1e-12    /* width of a triangle, relative to its edges, below which it has no side */
#define PARALLEL 1e-3 /* sine between edges below which vertices make the contacts */
#define BESIDE 1e-9   /* how far beside a face, as a share of it, a vertex may be: faces meet without gaps */

/* What a name of a feature speaks of, in its upper two bits; as in convex/manifold.c. */
enum
{
    OF_VERTEX = 0,
    OF_EDGE = 1,
    OF_FACE = 2
};

typedef struct triangle
{
    const grz_contact_side *side;
    uint32_t index;
    v3 corners[3];
    v3 normal; /* outward, of unit length; zero for a triangle without area */
} triangle;

typedef struct feature_search
{
    const graze_context *context;
    triangle of[2];
    double margin;
    grz_feature_contacts *contacts;
    bool out_of_memory;
} feature_search;

static v3 place(const graze_pose *pose, const double p[3])
{
    const double *m = pose->m;
    return v3_make(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                   m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]);
}

static v3 unit(v3 a)
{
    double length = v3_length(a);
    return length > 0 && length < INFINITY ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

static bool is_zero(v3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

grz_contact_side grz_contact_side_make(const graze_contact_surface *surface, const graze_pose *pose)
{
    const double *m = pose->m;
    v3 x = v3_make(m[0], m[4], m[8]), y = v3_make(m[1], m[5], m[9]), z = v3_make(m[2], m[6], m[10]);
    return (grz_contact_side){surface, pose, v3_dot(v3_cross(x, y), z) < 0 ? -1 : 1};
}

static triangle triangle_of(const grz_contact_side *side, uint32_t index)
{
    triangle t = {.side = side, .index = index};
    const graze_mesh *mesh = side->surface->mesh;
    for (uint32_t k = 0; k < 3; k++)
        t.corners[k] = place(side->pose, grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)index + k]));
    v3 normal = v3_cross(v3_sub(t.corners[1], t.corners[0]), v3_sub(t.corners[2], t.corners[0]));
    t.normal = unit(v3_scale(side->handedness, normal));
    return t;
}

/* ---- names and supports of features ---- */

static uint32_t name_of(unsigned what, uint32_t number)
{
    return what << 30 | (number & 0x3fffffff);
}

static uint32_t vertex_of(const triangle *t, uint32_t corner)
{
    const graze_contact_surface *s = t->side->surface;
    return s->adjacency.merged[s->mesh->triangles[3 * (size_t)t->index + corner]];
}

static bool makes_contacts(const triangle *t, uint32_t edge)
{
    const graze_contact_surface *s = t->side->surface;
    return grz_edge_makes_contacts(s, s->edges[3 * (size_t)t->index + edge]);
}

static uint32_t edge_number(const triangle *t, uint32_t edge)
{
    uint32_t half_edge = 3 * t->index + edge, twin = t->side->surface->adjacency.twins[half_edge];
    return twin < half_edge ? twin : half_edge;
}

static v3 merged_point(const grz_contact_side *side, uint32_t vertex)
{
    const graze_contact_surface *s = side->surface;
    return place(side->pose, grz_mesh_vertex(s->mesh, s->adjacency.mesh_vertex[vertex]));
}

/* Whether no edge at the vertex rises along the direction by more than the slack. */
static bool vertex_supports(const triangle *t, uint32_t corner, v3 direction)
{
    const graze_contact_surface *s = t->side->surface;
    uint32_t vertex = vertex_of(t, corner);
    if (!s->sharp[vertex])
        return false;
    for (uint32_t i = s->ring_starts[vertex]; i < s->ring_starts[vertex + 1]; i++)
    {
        v3 edge = v3_sub(merged_point(t->side, s->rings[i]), t->corners[corner]);
        if (v3_dot(direction, edge) > SLACK * v3_length(edge))
            return false;
    }
    return true;
}

/* Whether a triangle at the edge falls away from it along the direction: its far corner, seen across the edge. */
static bool falls_away(v3 start, v3 along, v3 far, v3 direction)
{
    v3 to_far = v3_sub(far, start), across = v3_sub(to_far, v3_scale(v3_dot(to_far, along), along));
    double height = v3_dot(direction, across), width = v3_length(across);
    return height <= SLACK * width || width <= FLAT * v3_length(to_far);
}

static bool edge_supports(const triangle *t, uint32_t edge, v3 direction)
{
    const graze_contact_surface *s = t->side->surface;
    if (!makes_contacts(t, edge))
        return false;
    v3 start = t->corners[edge], along = unit(v3_sub(t->corners[(edge + 1) % 3], start));
    if (!falls_away(start, along, t->corners[(edge + 2) % 3], direction))
        return false;
    uint32_t twin = s->adjacency.twins[3 * t->index + edge];
    if (twin == GRAZE_NO_HALF_EDGE)
        return true;
    uint32_t far = s->mesh->triangles[twin / 3 * 3 + (twin % 3 + 2) % 3];
    return falls_away(start, along, place(t->side->pose, grz_mesh_vertex(s->mesh, far)), direction);
}

/* The edges at most this share of the triangle's height away from a point are those it lies on; and the sine up to
   which a direction is that of the normal: beyond, the closest point on a flat edge is not the closest one of the face.
 */
#define ON_EDGE 1e-6
#define ALONG_NORMAL 1e-6

bool grz_contact_feature_supports(const grz_contact_side *side, uint32_t index, v3 point, v3 direction)
{
    triangle t = triangle_of(side, index);
    uint32_t edges[3], count = 0;
    for (uint32_t k = 0; k < 3; k++)
    {
        v3 edge = v3_sub(t.corners[(k + 1) % 3], t.corners[k]);
        v3 inward = v3_scale(side->handedness, v3_cross(t.normal, edge));
        double height = v3_dot(inward, v3_sub(t.corners[(k + 2) % 3], t.corners[k]));
        if (v3_dot(inward, v3_sub(point, t.corners[k])) <= ON_EDGE * height)
            edges[count++] = k;
    }
    if (count == 0 || v3_length(v3_cross(t.normal, direction)) < ALONG_NORMAL)
        return true;
    if (count == 1)
        return edge_supports(&t, edges[0], direction);
    uint32_t corner = edges[0] == 0 && edges[1] == 2 ? 0 : edges[1]; /* where both edges meet */
    return vertex_supports(&t, corner, direction);
}

/* ---- contacts ---- */

/* `first` is the side of point p; the normal points from it to the other one. */
static void add(feature_search *q, int first, v3 normal, v3 p, v3 r, double gap, uint32_t name_p, uint32_t name_r)
{
    grz_feature_contact contact = {.normal = first == 0 ? normal : v3_scale(-1, normal)};
    contact.point.point_a = first == 0 ? p : r;
    contact.point.point_b = first == 0 ? r : p;
    contact.point.gap = gap;
    contact.point.feature = (uint64_t)(first == 0 ? name_p : name_r) << 32 | (first == 0 ? name_r : name_p);
    q->out_of_memory = q->out_of_memory || !GRZ_PUSH(q->context, q->contacts, contact);
}

static bool is_above(const triangle *face, v3 p)
{
    for (int k = 0; k < 3; k++)
    {
        v3 edge = v3_sub(face->corners[(k + 1) % 3], face->corners[k]);
        v3 inward = v3_scale(face->side->handedness, v3_cross(face->normal, edge));
        double height = v3_dot(inward, v3_sub(face->corners[(k + 2) % 3], face->corners[k]));
        if (v3_dot(inward, v3_sub(p, face->corners[k])) < -BESIDE * height)
            return false;
    }
    return true;
}

static void try_vertex_face(feature_search *q, int first, uint32_t corner)
{
    const triangle *t = &q->of[first], *face = &q->of[1 - first];
    v3 p = t->corners[corner], normal = v3_scale(-1, face->normal);
    double gap = v3_dot(face->normal, v3_sub(p, face->corners[0]));
    if (gap < 0 && !face->side->surface->adjacency.closed) /* behind a sheet */
    {
        gap = -gap;
        normal = face->normal;
    }
    if (is_zero(normal) || !(fabs(gap) <= q->margin) || !is_above(face, p) || !vertex_supports(t, corner, normal))
        return;
    uint32_t face_number = face->side->surface->faces[face->index];
    add(q, first, normal, p, v3_add(p, v3_scale(gap, normal)), gap, name_of(OF_VERTEX, vertex_of(t, corner)),
        name_of(OF_FACE, face_number));
}

static void try_edges(feature_search *q, uint32_t edge_a, uint32_t edge_b)
{
    const triangle *a = &q->of[0], *b = &q->of[1];
    if (!makes_contacts(a, edge_a) || !makes_contacts(b, edge_b))
        return;
    v3 p = a->corners[edge_a], d = v3_sub(a->corners[(edge_a + 1) % 3], p);
    v3 r = b->corners[edge_b], e = v3_sub(b->corners[(edge_b + 1) % 3], r);
    v3 cross = v3_cross(d, e), between = v3_sub(r, p);
    double square = v3_dot(cross, cross), lengths = v3_length(d) * v3_length(e);
    if (!(sqrt(square) > PARALLEL * lengths))
        return;
    double share_a = v3_dot(v3_cross(between, e), cross) / square;
    double share_b = v3_dot(v3_cross(between, d), cross) / square;
    if (!(share_a > 0 && share_a < 1 && share_b > 0 && share_b < 1))
        return;
    v3 point_a = v3_add(p, v3_scale(share_a, d)), point_b = v3_add(r, v3_scale(share_b, e)), normal = unit(cross);
    double gap = v3_dot(normal, v3_sub(point_b, point_a));
    if (!(fabs(gap) <= q->margin))
        return;
    if (gap < 0)
    {
        gap = -gap;
        normal = v3_scale(-1, normal);
    }
    /* Apart first: edges of sheets support both directions, and do not overlap beside one another. */
    for (int turn = 0; turn < 2; turn++, gap = -gap, normal = v3_scale(-1, normal))
        if (edge_supports(a, edge_a, normal) && edge_supports(b, edge_b, v3_scale(-1, normal)))
        {
            add(q, 0, normal, point_a, point_b, gap, name_of(OF_EDGE, edge_number(a, edge_a)),
                name_of(OF_EDGE, edge_number(b, edge_b)));
            return;
        }
}

static void try_vertex_edge(feature_search *q, int first, uint32_t corner, uint32_t edge)
{
    const triangle *t = &q->of[first], *other = &q->of[1 - first];
    if (!makes_contacts(other, edge))
        return;
    v3 p = t->corners[corner], start = other->corners[edge], e = v3_sub(other->corners[(edge + 1) % 3], start);
    double share = v3_dot(v3_sub(p, start), e) / v3_dot(e, e);
    if (!(share > 0 && share < 1))
        return;
    v3 foot = v3_add(start, v3_scale(share, e)), normal = v3_sub(foot, p);
    double gap = v3_length(normal);
    normal = unit(normal);
    if (gap <= q->margin && !is_zero(normal) && vertex_supports(t, corner, normal) &&
        edge_supports(other, edge, v3_scale(-1, normal)))
        add(q, first, normal, p, foot, gap, name_of(OF_VERTEX, vertex_of(t, corner)),
            name_of(OF_EDGE, edge_number(other, edge)));
}

static void try_vertices(feature_search *q, uint32_t corner_a, uint32_t corner_b)
{
    const triangle *a = &q->of[0], *b = &q->of[1];
    v3 normal = v3_sub(b->corners[corner_b], a->corners[corner_a]);
    double gap = v3_length(normal);
    normal = unit(normal);
    if (gap <= q->margin && !is_zero(normal) && vertex_supports(a, corner_a, normal) &&
        vertex_supports(b, corner_b, v3_scale(-1, normal)))
        add(q, 0, normal, a->corners[corner_a], b->corners[corner_b], gap, name_of(OF_VERTEX, vertex_of(a, corner_a)),
            name_of(OF_VERTEX, vertex_of(b, corner_b)));
}

bool grz_add_feature_contacts(const graze_context *context, const grz_contact_side sides[2],
                              const uint32_t triangles[2], double margin, grz_feature_contacts *contacts)
{
    feature_search q = {.context = context, .margin = margin, .contacts = contacts};
    for (int side = 0; side < 2; side++)
        q.of[side] = triangle_of(&sides[side], triangles[side]);
    for (uint32_t i = 0; i < 3; i++)
    {
        for (int side = 0; side < 2; side++)
            try_vertex_face(&q, side, i);
        for (uint32_t k = 0; k < 3; k++)
        {
            try_edges(&q, i, k);
            try_vertex_edge(&q, 0, i, k);
            try_vertex_edge(&q, 1, i, k);
            try_vertices(&q, i, k);
        }
    }
    return !q.out_of_memory;
}
