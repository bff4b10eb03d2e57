/* SPDX-License-Identifier: MIT */
/*
 * Creates a mesh: checks the caller's arrays, copies them, triangulates polygons, computes the bounds.
 *
 * The caller's arrays are read through memcpy, so strides need not respect alignment. Checks come in the order shape of
 * the arrays, vertices, sizes of the loops, corners; the first error is reported.
 */
#include "mesh/mesh.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "math/interval.h"
#include "mesh/triangulate.h"

/* Half-edges, triangle corners and loop ends are numbered in 32 bits with one number to spare. */
#define COUNT_LIMIT ((size_t)UINT32_MAX)

static size_t scalar_size(const graze_mesh_def *def)
{
    return def->vertex_scalar == GRAZE_SCALAR_FLOAT ? sizeof(float) : sizeof(double);
}

static graze_status check_arrays(const graze_mesh_def *def, graze_error *error)
{
    const graze_status bad = GRAZE_STATUS_BAD_ARGUMENT;
    if (def->vertex_scalar != GRAZE_SCALAR_DOUBLE && def->vertex_scalar != GRAZE_SCALAR_FLOAT)
        return grz_error(error, bad, "vertex_scalar is neither float nor double");
    if (def->vertices == NULL && def->vertex_count > 0)
        return grz_error(error, bad, "vertices is NULL but vertex_count is not 0");
    if (def->vertex_stride != 0 && def->vertex_stride < 3 * scalar_size(def))
        return grz_error(error, bad, "vertex_stride is smaller than a vertex");
    if (def->corners == NULL && def->corner_count > 0)
        return grz_error(error, bad, "corners is NULL but corner_count is not 0");
    if (def->vertex_count >= COUNT_LIMIT || def->corner_count >= COUNT_LIMIT)
        return grz_error(error, GRAZE_STATUS_TOO_LARGE, "more vertices or corners than 32-bit indices can name");
    if (def->loop_sizes == NULL)
    {
        if (def->loop_count > 0 || def->face_loop_counts != NULL)
            return grz_error(error, bad, "loop_sizes is NULL but there are loops");
        if (def->corner_count % 3 != 0)
            return grz_error(error, bad, "corner_count is not a multiple of three");
        if (def->triangle_stride != 0 && def->triangle_stride < 3 * sizeof(uint32_t))
            return grz_error(error, bad, "triangle_stride is smaller than a triangle");
        return GRAZE_STATUS_OK;
    }
    if (def->triangle_stride != 0)
        return grz_error(error, bad, "triangle_stride is given for polygons");
    if (def->loop_count > def->corner_count)
        return grz_error(error, bad, "there are more loops than corners");
    if (def->face_loop_counts == NULL && def->face_count != 0)
        return grz_error(error, bad, "face_loop_counts is NULL but face_count is not 0");
    return GRAZE_STATUS_OK;
}

/* Converts a float. By bits where it is denormal, which a conversion may flush to 0. */
static double from_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & UINT32_C(0x7f800000)) != 0)
        return x;
    double magnitude = 0x1p-149 * (double)(bits & UINT32_C(0x7fffff));
    return bits >> 31 != 0 ? -magnitude : magnitude;
}

/* Reads a vertex as doubles; false when it is not finite. */
static bool read_vertex(const void *source, graze_scalar scalar, double out[3])
{
    if (scalar == GRAZE_SCALAR_FLOAT)
    {
        float single[3];
        memcpy(single, source, sizeof single);
        for (int i = 0; i < 3; i++)
            out[i] = from_float(single[i]);
    }
    else
        memcpy(out, source, 3 * sizeof(double));
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static graze_status not_finite(const double vertex[3], size_t index, graze_error *error)
{
    int axis = !isfinite(vertex[0]) ? 0 : !isfinite(vertex[1]) ? 1 : 2;
    return grz_error_index(error, GRAZE_STATUS_NOT_FINITE, index, "coordinate %c of vertex %zu is not finite",
                           "xyz"[axis], index);
}

static graze_status stopped(const grz_monitor *monitor, graze_error *error)
{
    graze_status status = grz_monitor_status(monitor);
    return status == GRAZE_STATUS_OK ? status : grz_error(error, status, "making the mesh was stopped");
}

/* Copies the vertices as doubles and rejects those that are not finite. */
static graze_status copy_vertices(graze_mesh *mesh, const graze_mesh_def *def, grz_monitor *monitor, graze_error *error)
{
    mesh->vertices = grz_allocate(&mesh->context, def->vertex_count, 3 * sizeof(double));
    if (mesh->vertices == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for %zu vertices", def->vertex_count);
    mesh->vertex_count = def->vertex_count;
    size_t stride = def->vertex_stride != 0 ? def->vertex_stride : 3 * scalar_size(def);
    for (size_t v, end = 0; grz_monitor_stage_block(monitor, def->vertex_count, &v, &end);)
        for (; v < end; v++)
        {
            double *vertex = mesh->vertices + 3 * v;
            if (!read_vertex((const char *)def->vertices + v * stride, def->vertex_scalar, vertex))
                return not_finite(vertex, v, error);
        }
    return stopped(monitor, error);
}

static graze_status bad_index(graze_error *error, size_t corner, uint32_t index, size_t vertex_count)
{
    return grz_error_index(error, GRAZE_STATUS_BAD_INDEX, corner, "corner %zu names vertex %lu, but there are only %zu",
                           corner, (unsigned long)index, vertex_count);
}

static graze_status check_corners(const uint32_t *corners, size_t count, size_t vertex_count, grz_monitor *monitor,
                                  graze_error *error)
{
    for (size_t c, end = 0; grz_monitor_block(monitor, count, &c, &end);)
        for (; c < end; c++)
            if (corners[c] >= vertex_count)
                return bad_index(error, c, corners[c], vertex_count);
    return stopped(monitor, error);
}

static graze_status copy_triangles(graze_mesh *mesh, const graze_mesh_def *def, grz_monitor *monitor,
                                   graze_error *error)
{
    mesh->triangles = grz_allocate(&mesh->context, def->corner_count, sizeof(uint32_t));
    if (mesh->triangles == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for %zu corners", def->corner_count);
    mesh->triangle_count = def->corner_count / 3;
    mesh->face_count = mesh->triangle_count;
    size_t stride = def->triangle_stride != 0 ? def->triangle_stride : 3 * sizeof(uint32_t);
    for (size_t t, end = 0; grz_monitor_stage_block(monitor, mesh->triangle_count, &t, &end);)
        for (; t < end; t++)
            memcpy(mesh->triangles + 3 * t, (const char *)def->corners + t * stride, 3 * sizeof(uint32_t));
    return check_corners(mesh->triangles, def->corner_count, mesh->vertex_count, monitor, error);
}

/* Fills the starts of loops and faces, checking that they add up and that no face is too small. */
static graze_status copy_loops(graze_mesh *mesh, const graze_mesh_def *def, grz_monitor *monitor, graze_error *error)
{
    uint64_t start = 0;
    for (size_t l = 0; l < def->loop_count && grz_monitor_elements(monitor, 1); l++)
    {
        mesh->loop_starts[l] = (uint32_t)start;
        start += def->loop_sizes[l];
        if (start > def->corner_count)
            break;
    }
    if (stopped(monitor, error) != GRAZE_STATUS_OK)
        return grz_monitor_status(monitor);
    if (start != def->corner_count)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "loop_sizes do not add up to corner_count");
    mesh->loop_starts[def->loop_count] = (uint32_t)start;

    uint64_t loop = 0;
    for (size_t f = 0; f < mesh->face_count && grz_monitor_elements(monitor, 1); f++)
    {
        uint64_t end = loop + (def->face_loop_counts != NULL ? def->face_loop_counts[f] : 1);
        if (end > def->loop_count)
            return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "face_loop_counts do not add up to loop_count");
        if (end == loop)
            return grz_error_index(error, GRAZE_STATUS_TOO_FEW_CORNERS, f, "face %zu has no corners", f);
        if (mesh->face_starts != NULL)
            mesh->face_starts[f] = (uint32_t)loop;
        for (; loop < end; loop++)
            if (def->loop_sizes[loop] < 3)
                return grz_error_index(error, GRAZE_STATUS_TOO_FEW_CORNERS, f,
                                       "a loop of face %zu has %lu corners; it needs three", f,
                                       (unsigned long)def->loop_sizes[loop]);
    }
    if (stopped(monitor, error) != GRAZE_STATUS_OK)
        return grz_monitor_status(monitor);
    if (loop != def->loop_count)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "face_loop_counts do not add up to loop_count");
    if (mesh->face_starts != NULL)
        mesh->face_starts[mesh->face_count] = (uint32_t)loop;
    return GRAZE_STATUS_OK;
}

static graze_status out_of_memory(graze_error *error)
{
    return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for the faces");
}

/* Triangulates every face; the number of triangles is known beforehand. */
static graze_status cut_faces(graze_mesh *mesh, grz_monitor *monitor, graze_error *error)
{
    grz_arena arena = grz_arena_make(&mesh->context);
    size_t triangle = 0;
    for (size_t f = 0; f < mesh->face_count; f++)
    {
        size_t first = mesh->face_starts != NULL ? mesh->face_starts[f] : f;
        size_t end = mesh->face_starts != NULL ? mesh->face_starts[f + 1] : f + 1;
        grz_polygon polygon = {mesh->vertices, mesh->corners + mesh->loop_starts[first], mesh->loop_starts + first,
                               end - first};
        bool irregular = false;
        graze_status status = grz_triangulate(&arena, &polygon, monitor, mesh->triangles + 3 * triangle, &irregular);
        if (status != GRAZE_STATUS_OK)
        {
            grz_arena_release(&arena);
            return status == GRAZE_STATUS_OUT_OF_MEMORY ? out_of_memory(error) : stopped(monitor, error);
        }
        grz_monitor_progress(monitor, (double)triangle / (double)mesh->triangle_count);
        mesh->irregular_face_count += irregular;
        size_t corner_count = mesh->loop_starts[end] - mesh->loop_starts[first];
        for (size_t n = grz_polygon_triangle_count(corner_count, polygon.loop_count); n > 0; n--)
            mesh->triangle_faces[triangle++] = (uint32_t)f;
    }
    grz_arena_release(&arena);
    return GRAZE_STATUS_OK;
}

static graze_status copy_polygons(graze_mesh *mesh, const graze_mesh_def *def, grz_monitor *monitor, graze_error *error)
{
    const graze_context *context = &mesh->context;
    mesh->face_count = def->face_loop_counts != NULL ? def->face_count : def->loop_count;
    if (mesh->face_count > def->loop_count)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "there are more faces than loops");
    mesh->loop_starts = grz_allocate(context, def->loop_count + 1, sizeof(uint32_t));
    if (def->face_loop_counts != NULL)
        mesh->face_starts = grz_allocate(context, mesh->face_count + 1, sizeof(uint32_t));
    if (mesh->loop_starts == NULL || (def->face_loop_counts != NULL && mesh->face_starts == NULL))
        return out_of_memory(error);
    graze_status status = copy_loops(mesh, def, monitor, error);
    if (status != GRAZE_STATUS_OK)
        return status;

    /* The sum over all faces of n + 2 h - 2, where a face has one loop more than holes. */
    mesh->triangle_count = def->corner_count + 2 * def->loop_count - 4 * mesh->face_count;
    if (mesh->triangle_count >= COUNT_LIMIT / 3)
        return grz_error(error, GRAZE_STATUS_TOO_LARGE, "more triangles than 32-bit indices can name");
    mesh->corners = grz_allocate(context, def->corner_count, sizeof(uint32_t));
    mesh->triangles = grz_allocate(context, mesh->triangle_count, 3 * sizeof(uint32_t));
    mesh->triangle_faces = grz_allocate(context, mesh->triangle_count, sizeof(uint32_t));
    if (mesh->corners == NULL || mesh->triangles == NULL || mesh->triangle_faces == NULL)
        return out_of_memory(error);
    if (def->corner_count > 0)
        memcpy(mesh->corners, def->corners, def->corner_count * sizeof(uint32_t));
    status = check_corners(mesh->corners, def->corner_count, mesh->vertex_count, monitor, error);
    return status == GRAZE_STATUS_OK ? cut_faces(mesh, monitor, error) : status;
}

/*
 * Bounding sphere around the centre of the box. Differences and squares are each rounded once, by u; the sum, the root
 * and the widening itself add less than 8 u together. Underflow changes the length by less than 2^-500. Overflow is
 * infinite.
 */
static void compute_bounding_sphere(graze_mesh *mesh, grz_monitor *monitor)
{
    double largest = 0;
    for (int i = 0; i < 3; i++)
        mesh->centre[i] = mesh->triangle_count > 0 ? 0.5 * mesh->lower[i] + 0.5 * mesh->upper[i] : 0;
    for (size_t first, end = 0; grz_monitor_block(monitor, mesh->triangle_count, &first, &end);)
        for (size_t c = 3 * first; c < 3 * end; c++)
        {
            const double *vertex = grz_mesh_vertex(mesh, mesh->triangles[c]);
            double x = vertex[0] - mesh->centre[0], y = vertex[1] - mesh->centre[1], z = vertex[2] - mesh->centre[2];
            double square = x * x + y * y + z * z;
            largest = square > largest ? square : largest;
        }
    /* shortcut: mesh-spheres */
    mesh->radius = largest < DBL_MAX ? sqrt(largest) * (1 + 16 * GRZ_U) + 0x1p-500 : INFINITY;
}

/* Every corner of a face is a corner of one of its triangles, so the triangles use all vertices that faces use. */
static void compute_bounds(graze_mesh *mesh, grz_monitor *monitor)
{
    bool flushed = grz_flushes_denormals();
    for (int i = 0; i < 3; i++)
    {
        mesh->lower[i] = INFINITY;
        mesh->upper[i] = -INFINITY;
    }
    for (size_t first, end = 0; grz_monitor_block(monitor, mesh->triangle_count, &first, &end);)
        for (size_t c = 3 * first; c < 3 * end; c++)
        {
            const double *vertex = grz_mesh_vertex(mesh, mesh->triangles[c]);
            for (int i = 0; i < 3; i++)
            {
                if (flushed ? grz_is_less(vertex[i], mesh->lower[i]) : vertex[i] < mesh->lower[i])
                    mesh->lower[i] = vertex[i];
                if (flushed ? grz_is_less(mesh->upper[i], vertex[i]) : vertex[i] > mesh->upper[i])
                    mesh->upper[i] = vertex[i];
            }
        }
    compute_bounding_sphere(mesh, monitor);
}

bool grz_mesh_derive(graze_mesh *mesh, grz_monitor *monitor)
{
    compute_bounds(mesh, monitor);
    mesh->lattice = grz_find_lattice(mesh->vertices, 3 * mesh->vertex_count, mesh->lower, mesh->upper);
    grz_monitor_progress(monitor, 0.5);
    /* shortcut: mesh-identities */
    mesh->identity =
        grz_identity_make(mesh->vertices, 3 * mesh->vertex_count, mesh->triangles, 3 * mesh->triangle_count, monitor);
    return grz_mesh_scale(mesh, monitor);
}

static graze_status create(const graze_context *context, const graze_mesh_def *def, graze_error *error,
                           graze_mesh **out_mesh)
{
    if (def == NULL || out_mesh == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "%s is NULL", def == NULL ? "def" : "out_mesh");
    GRZ_FULL_STRUCT(graze_mesh_def, def);
    if (!def_fits)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "a definition of another size: start from the default");
    graze_status status = check_arrays(def, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_mesh *mesh = grz_allocate_zeroed(context, 1, sizeof *mesh);
    if (mesh == NULL)
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for a mesh");
    mesh->context = grz_context_copy(context);
    grz_monitor limits = grz_monitor_make_for_mesh(&def->budget);
    grz_monitor *monitor = grz_monitor_is_needed(&limits) ? &limits : NULL;
    grz_monitor_stage(monitor, 0.2);
    status = copy_vertices(mesh, def, monitor, error);
    grz_monitor_stage(monitor, def->loop_sizes == NULL ? 0.4 : 0.9);
    if (status == GRAZE_STATUS_OK)
        status = def->loop_sizes == NULL ? copy_triangles(mesh, def, monitor, error)
                                         : copy_polygons(mesh, def, monitor, error);
    grz_monitor_stage(monitor, 1);
    if (status == GRAZE_STATUS_OK && !grz_mesh_derive(mesh, monitor))
        status = grz_monitor_may_continue(monitor)
                     ? grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for a mesh")
                     : stopped(monitor, error);
    if (status == GRAZE_STATUS_OK)
        *out_mesh = mesh;
    else
        graze_mesh_destroy(mesh);
    return status;
}

graze_status graze_mesh_create(const graze_context *context, const graze_mesh_def *def, graze_error *error,
                               graze_mesh **out_mesh)
{
    grz_environment environment;
    grz_environment_enter(&environment);
    graze_status status = create(context, def, error, out_mesh);
    grz_environment_leave(&environment);
    return status;
}

/* Gives a mapped mesh vertices of its own, to be written. */
static bool own_vertices(graze_mesh *mesh)
{
    if (!mesh->borrowed)
        return true;
    double *vertices = grz_allocate(&mesh->context, mesh->vertex_count, 3 * sizeof(double));
    if (vertices == NULL)
        return false;
    mesh->vertices = mesh->blob_memory = vertices;
    mesh->borrowed = false;
    return true;
}

graze_status graze_mesh_move_vertices(graze_mesh *mesh, const void *vertices, size_t stride, graze_scalar scalar,
                                      graze_error *error)
{
    graze_mesh_def def = {.vertices = vertices, .vertex_stride = stride, .vertex_scalar = scalar};
    if (mesh == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "mesh is NULL");
    def.vertex_count = mesh->vertex_count;
    graze_status status = check_arrays(&def, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    stride = stride != 0 ? stride : 3 * scalar_size(&def);
    const char *source = vertices;
    for (size_t v = 0; v < mesh->vertex_count; v++)
    {
        double vertex[3];
        if (!read_vertex(source + v * stride, scalar, vertex))
            return not_finite(vertex, v, error);
    }
    if (!own_vertices(mesh))
        return grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for %zu vertices", mesh->vertex_count);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        read_vertex(source + v * stride, scalar, mesh->vertices + 3 * v);
    grz_mesh_derive(mesh, NULL);
    return GRAZE_STATUS_OK;
}

void graze_mesh_destroy(graze_mesh *mesh)
{
    if (mesh == NULL)
        return;
    graze_context context = mesh->context;
    void (*release)(void *user) = mesh->release;
    void *release_user = mesh->release_user;
    grz_release(&context, mesh->scaled_memory);
    grz_release(&context, mesh->blob_memory);
    if (!mesh->mapped)
    {
        grz_release(&context, mesh->vertices);
        grz_release(&context, mesh->triangles);
        grz_release(&context, mesh->triangle_faces);
        grz_release(&context, mesh->corners);
        grz_release(&context, mesh->loop_starts);
        grz_release(&context, mesh->face_starts);
    }
    grz_release(&context, mesh);
    if (release != NULL)
        release(release_user);
}

size_t graze_mesh_vertex_count(const graze_mesh *mesh)
{
    return mesh != NULL ? mesh->vertex_count : 0;
}

size_t graze_mesh_triangle_count(const graze_mesh *mesh)
{
    return mesh != NULL ? mesh->triangle_count : 0;
}

size_t graze_mesh_face_count(const graze_mesh *mesh)
{
    return mesh != NULL ? mesh->face_count : 0;
}

const double *graze_mesh_vertices(const graze_mesh *mesh)
{
    return mesh != NULL ? mesh->vertices : NULL;
}

const uint32_t *graze_mesh_triangles(const graze_mesh *mesh)
{
    return mesh != NULL ? mesh->triangles : NULL;
}

uint32_t graze_mesh_triangle_face(const graze_mesh *mesh, size_t triangle)
{
    if (mesh == NULL || triangle >= mesh->triangle_count)
        return 0;
    return mesh->triangle_faces != NULL ? mesh->triangle_faces[triangle] : (uint32_t)triangle;
}

size_t graze_mesh_face_loop_count(const graze_mesh *mesh, size_t face)
{
    if (mesh == NULL || face >= mesh->face_count)
        return 0;
    return mesh->face_starts != NULL ? mesh->face_starts[face + 1] - mesh->face_starts[face] : 1;
}

const uint32_t *graze_mesh_face_loop(const graze_mesh *mesh, size_t face, size_t loop, size_t *out_count)
{
    const uint32_t *corners = NULL;
    size_t count = 0;
    if (loop < graze_mesh_face_loop_count(mesh, face) && mesh->corners == NULL)
    {
        count = 3;
        corners = mesh->triangles + 3 * face;
    }
    else if (loop < graze_mesh_face_loop_count(mesh, face))
    {
        size_t l = (mesh->face_starts != NULL ? mesh->face_starts[face] : face) + loop;
        count = mesh->loop_starts[l + 1] - mesh->loop_starts[l];
        corners = mesh->corners + mesh->loop_starts[l];
    }
    if (out_count != NULL)
        *out_count = count;
    return corners;
}

size_t graze_mesh_irregular_face_count(const graze_mesh *mesh)
{
    return mesh != NULL ? mesh->irregular_face_count : 0;
}

graze_box graze_mesh_bounds(const graze_mesh *mesh)
{
    graze_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int axis = 0; mesh != NULL && axis < 3; axis++)
    {
        box.lower[axis] = mesh->lower[axis];
        box.upper[axis] = mesh->upper[axis];
    }
    return box;
}
