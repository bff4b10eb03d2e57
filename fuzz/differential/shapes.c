/* SPDX-License-Identifier: MIT */
/* Generates small meshes from bytes; see shapes.h. */
#include "shapes.h"

#include <math.h>
#include <string.h>

#include "finding.h"

double take_coordinate(fuzz_bytes *bytes)
{
    uint8_t byte = take_byte(bytes);
    double whole = (double)(byte & 7) - 2;
    switch (byte >> 3)
    {
    case 16:
    case 17:
        return whole + 0.5;
    case 18:
    case 19:
        return whole * 0.1;
    case 20:
        return nextafter(whole, INFINITY);
    case 21:
        return nextafter(whole, -INFINITY);
    case 22:
        return whole == 0 ? -0.0 : -whole;
    case 23:
        return whole * 0.25;
    case 24:
        return whole * 1e-3;
    case 25:
        return whole / 3;
    case 26:
        return whole * 0x1p-40;
    case 27:
        return whole + 0x1p-30;
    case 28:
        return whole * 0x1p20;
    case 29:
        return whole * 0x1p-1072;
    case 30:
        return whole * 1e15 + 0.5;
    case 31: /* any double between the powers of two given by two more bytes */
        whole += take_byte(bytes) / 256.0;
        return ldexp(whole, (int)take_byte(bytes) - 128);
    default:
        return whole;
    }
}

static uint32_t add_vertex(small_mesh *mesh, double x, double y, double z)
{
    if (mesh->vertex_count == SMALL_VERTICES)
        return 0;
    double *vertex = mesh->vertices[mesh->vertex_count];
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
    return mesh->vertex_count++;
}

static void add_triangle(small_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (mesh->triangle_count == SMALL_TRIANGLES || mesh->vertex_count == 0)
        return;
    uint32_t *triangle = mesh->triangles[mesh->triangle_count++];
    triangle[0] = a % mesh->vertex_count;
    triangle[1] = b % mesh->vertex_count;
    triangle[2] = c % mesh->vertex_count;
}

/* Faces over vertices that were just added, possibly inside out. */
static void add_faces(small_mesh *mesh, uint32_t first, const uint8_t (*faces)[3], int count, bool inward)
{
    for (int i = 0; i < count; i++)
        add_triangle(mesh, first + faces[i][0], first + faces[i][inward ? 2 : 1], first + faces[i][inward ? 1 : 2]);
}

static void add_box(fuzz_bytes *bytes, small_mesh *mesh)
{
    static const uint8_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                         {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    uint8_t sizes = take_byte(bytes);
    double lower[3], upper[3];
    for (int k = 0; k < 3; k++)
    {
        lower[k] = take_coordinate(bytes);
        upper[k] = lower[k] + 1 + (sizes >> (2 * k) & 3);
    }
    uint32_t first = mesh->vertex_count;
    for (int i = 0; i < 8; i++)
        add_vertex(mesh, (i & 1) != 0 ? upper[0] : lower[0], (i & 2) != 0 ? upper[1] : lower[1],
                   (i & 4) != 0 ? upper[2] : lower[2]);
    add_faces(mesh, first, faces, 12, (sizes & 0x40) != 0);
}

/* The corner of a cube, or the tetrahedron inscribed in one. */
static void add_tetrahedron(fuzz_bytes *bytes, small_mesh *mesh)
{
    static const uint8_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    uint8_t form = take_byte(bytes);
    double p[3], size = (double)(1 + (form & 3));
    for (int k = 0; k < 3; k++)
        p[k] = take_coordinate(bytes);
    uint32_t first = mesh->vertex_count;
    bool inscribed = (form & 4) != 0;
    add_vertex(mesh, p[0], p[1], p[2]);
    add_vertex(mesh, p[0] + size, p[1] + (inscribed ? size : 0), p[2]);
    add_vertex(mesh, p[0], p[1] + size, p[2] + (inscribed ? size : 0));
    add_vertex(mesh, p[0] + (inscribed ? size : 0), p[1], p[2] + size);
    add_faces(mesh, first, faces, 4, (form & 8) != 0);
}

static void add_octahedron(fuzz_bytes *bytes, small_mesh *mesh)
{
    static const uint8_t faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                        {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    uint8_t form = take_byte(bytes);
    double p[3], size = (double)(1 + (form & 3));
    for (int k = 0; k < 3; k++)
        p[k] = take_coordinate(bytes);
    uint32_t first = mesh->vertex_count;
    for (int i = 0; i < 6; i++)
    {
        double sign = i % 2 == 0 ? size : -size;
        add_vertex(mesh, p[0] + (i / 2 == 0 ? sign : 0), p[1] + (i / 2 == 1 ? sign : 0),
                   p[2] + (i / 2 == 2 ? sign : 0));
    }
    add_faces(mesh, first, faces, 8, (form & 8) != 0);
}

/* Two tetrahedra that share an edge, which then has four faces; or only a corner, or a face. */
static void add_pair_of_tetrahedra(fuzz_bytes *bytes, small_mesh *mesh)
{
    static const uint8_t faces[3][8][3] = {
        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {0, 1, 4}, {0, 5, 1}, {1, 5, 4}, {0, 4, 5}},
        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {0, 4, 5}, {0, 5, 6}, {0, 6, 4}, {4, 6, 5}},
        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {0, 1, 2}, {0, 4, 1}, {1, 4, 2}, {0, 2, 4}}};
    static const double places[7][3] = {{0, 0, 0},  {0, 0, 2},  {2, 0, 0},   {0, 2, 0},
                                        {-2, 0, 0}, {0, -2, 0}, {-1, -1, -2}};
    uint8_t form = take_byte(bytes);
    uint32_t first = mesh->vertex_count;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = take_coordinate(bytes);
    for (int i = 0; i < 7; i++)
        add_vertex(mesh, p[0] + places[i][0], p[1] + places[i][1], p[2] + places[i][2]);
    add_faces(mesh, first, faces[form % 3], 8, (form & 8) != 0);
}

/* A square of an axis-aligned plane; possibly from both sides. */
static void add_square(fuzz_bytes *bytes, small_mesh *mesh)
{
    static const uint8_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};
    uint8_t form = take_byte(bytes);
    int axis = form % 3;
    double p[3], size = (double)(1 + (form >> 2 & 3));
    for (int k = 0; k < 3; k++)
        p[k] = take_coordinate(bytes);
    uint32_t first = mesh->vertex_count;
    for (int i = 0; i < 4; i++)
    {
        double q[3] = {p[0], p[1], p[2]};
        q[(axis + 1) % 3] += i == 1 || i == 2 ? size : 0;
        q[(axis + 2) % 3] += i >= 2 ? size : 0;
        add_vertex(mesh, q[0], q[1], q[2]);
    }
    add_faces(mesh, first, faces, (form & 16) != 0 ? 4 : 2, (form & 32) != 0);
}

static void add_soup(fuzz_bytes *bytes, small_mesh *mesh)
{
    uint8_t form = take_byte(bytes);
    for (int i = 0; i < 1 + (form & 7); i++)
    {
        double x = take_coordinate(bytes), y = take_coordinate(bytes), z = take_coordinate(bytes);
        add_vertex(mesh, x, y, z);
    }
    for (int i = 0; i < (form >> 3 & 7); i++)
    {
        uint8_t corners = take_byte(bytes);
        add_triangle(mesh, corners & 7u, corners >> 3 & 7u, corners >> 6 | (corners & 1u) << 2);
    }
}

/* Triangles i j i: segments and points over vertices of their own or of others. */
static void add_repeating(fuzz_bytes *bytes, small_mesh *mesh)
{
    uint8_t form = take_byte(bytes);
    for (int i = 0; i < (form & 3); i++)
    {
        double x = take_coordinate(bytes), y = take_coordinate(bytes), z = take_coordinate(bytes);
        uint32_t a = add_vertex(mesh, x, y, z), b = (form & 4) != 0 ? take_byte(bytes) : add_vertex(mesh, x + 1, y, z);
        add_triangle(mesh, a, b, a);
    }
}

static void edit(fuzz_bytes *bytes, small_mesh *mesh)
{
    uint8_t kind = take_byte(bytes), which = take_byte(bytes);
    if (mesh->triangle_count == 0)
        return;
    uint32_t *triangle = mesh->triangles[which % mesh->triangle_count];
    double *coordinate = &mesh->vertices[which % mesh->vertex_count][kind / 8 % 3];
    switch (kind & 7)
    {
    case 0: /* one ulp up or down */
        *coordinate = nextafter(*coordinate, (kind & 64) != 0 ? INFINITY : -INFINITY);
        break;
    case 1:
        *coordinate = take_coordinate(bytes);
        break;
    case 2: /* a duplicate, possibly reversed */
        add_triangle(mesh, triangle[0], triangle[(kind & 64) != 0 ? 2 : 1], triangle[(kind & 64) != 0 ? 1 : 2]);
        break;
    case 3: /* a hole */
        memmove(triangle, mesh->triangles[--mesh->triangle_count], sizeof mesh->triangles[0]);
        break;
    case 4: /* inside out */
        add_triangle(mesh, triangle[0], triangle[2], triangle[1]);
        memmove(triangle, mesh->triangles[mesh->triangle_count - 1], sizeof mesh->triangles[0]);
        mesh->triangle_count -= mesh->triangle_count > 1;
        break;
    case 5: /* a separate vertex at the same place */
        triangle[kind / 8 % 3] =
            add_vertex(mesh, mesh->vertices[triangle[kind / 8 % 3]][0], mesh->vertices[triangle[kind / 8 % 3]][1],
                       mesh->vertices[triangle[kind / 8 % 3]][2]);
        break;
    case 6: /* another corner */
        triangle[kind / 8 % 3] = take_byte(bytes) % mesh->vertex_count;
        break;
    default: /* a vertex moves to the place of another */
        memmove(mesh->vertices[which % mesh->vertex_count], mesh->vertices[kind / 8 % mesh->vertex_count],
                sizeof mesh->vertices[0]);
        break;
    }
}

static void scale(small_mesh *mesh, int exponent)
{
    for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++)
    {
        double *coordinate = &mesh->vertices[i / 3][i % 3], scaled = ldexp(*coordinate, exponent);
        *coordinate = isfinite(scaled) ? scaled : *coordinate;
    }
}

void take_shape(fuzz_bytes *bytes, uint32_t most, small_mesh *out)
{
    static void (*const makers[])(fuzz_bytes *, small_mesh *) = {add_box,       add_tetrahedron, add_soup,
                                                                 add_square,    add_octahedron,  add_pair_of_tetrahedra,
                                                                 add_repeating, add_soup};
    static const int exponents[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1060, -300, 60, 305, 1000};
    memset(out, 0, sizeof *out);
    uint8_t form = take_byte(bytes);
    for (int piece = 0; piece <= (form & 1) + (form >> 1 & 1); piece++)
        makers[take_below(bytes, 8)](bytes, out);
    for (int i = 0; i < (form >> 2 & 3); i++)
        edit(bytes, out);
    scale(out, exponents[form >> 4]);
    if (out->triangle_count > most)
        out->triangle_count = most;
}

void shape_tame(small_mesh *mesh)
{
    for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++)
    {
        double *coordinate = &mesh->vertices[i / 3][i % 3], size = fabs(*coordinate);
        if (size > 1e9 || (size > 0 && size < 1e-9))
            *coordinate = (double)(i % 3);
    }
}

void take_moved(fuzz_bytes *bytes, small_mesh *mesh)
{
    for (unsigned i = 0, count = take_below(bytes, 4); i < count && mesh->vertex_count > 0; i++)
    {
        uint8_t which = take_byte(bytes);
        mesh->vertices[which % mesh->vertex_count][which / 64 % 3] = take_coordinate(bytes);
    }
}

graze_mesh *shape_create(const small_mesh *shape)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = shape->vertices;
    def.vertex_count = shape->vertex_count;
    def.corners = shape->triangles[0];
    def.corner_count = 3 * (size_t)shape->triangle_count;
    graze_error error;
    graze_mesh *mesh = NULL;
    graze_status status = graze_mesh_create(NULL, &def, &error, &mesh);
    if (status != GRAZE_STATUS_OK)
        finding("a mesh was refused: %s", error.text);
    return mesh;
}

oracle_mesh shape_for_oracle(const small_mesh *shape, const graze_pose *pose)
{
    return (oracle_mesh){shape->vertices[0], shape->triangles[0], shape->triangle_count, pose};
}

/* The first vertex at the same place. */
static uint32_t merged(const small_mesh *shape, uint32_t vertex)
{
    const double *v = shape->vertices[vertex];
    uint32_t first = 0;
    while (shape->vertices[first][0] != v[0] || shape->vertices[first][1] != v[1] || shape->vertices[first][2] != v[2])
        first++;
    return first;
}

shape_facts shape_examine(const small_mesh *shape)
{
    uint8_t runs[SMALL_VERTICES][SMALL_VERTICES] = {{0}};
    shape_facts facts = {false, true, true};
    for (uint32_t t = 0; t < shape->triangle_count; t++)
    {
        uint32_t corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = merged(shape, shape->triangles[t][k]);
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
            continue;
        facts.any = true;
        for (int k = 0; k < 3; k++)
            runs[corners[k]][corners[(k + 1) % 3]]++;
    }
    for (uint32_t i = 0; i < shape->vertex_count; i++)
        for (uint32_t j = 0; j < i; j++)
        {
            int sum = runs[i][j] + runs[j][i];
            facts.closed = facts.closed && (sum == 0 || sum == 2);
            facts.oriented = facts.oriented && (sum != 2 || runs[i][j] == 1);
        }
    facts.closed = facts.closed && facts.any;
    return facts;
}
