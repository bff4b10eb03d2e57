/* SPDX-License-Identifier: MIT */
/*
 * glTF meshes: all primitives of one become one triangle mesh. Primitives may share positions, with each other and with
 * other meshes; only elements that a triangle uses become vertices, each once, in order of first use. A table beside
 * the accessor maps them, so that the cost is proportional to the triangles.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/gltf.h"

enum
{
    MODE_TRIANGLES = 4,
    MODE_STRIP = 5,
    MODE_FAN = 6,
    CORNER_COST = 28, /* bytes that a corner may need: a vertex and an index */
    TABLE_COST = 8
};

typedef struct mesh_maker
{
    grz_gltf *gltf;
    uint32_t number; /* of the mesh, and of the current primitive */
    uint32_t primitive;
    grz_gltf_accessor *positions, *indices; /* `indices` may be NULL */
    GRZ_ARRAY(double) coordinates;
    GRZ_ARRAY(uint32_t) corners;
} mesh_maker;

/* --- triangles --- */

/* The vertex of an element of the positions; made when first used. */
static graze_status use_vertex(mesh_maker *maker, uint32_t element, uint32_t *out_vertex)
{
    grz_gltf_accessor *positions = maker->positions;
    if (positions->made_for[element] == maker->number + 1)
    {
        *out_vertex = positions->vertices[element];
        return GRAZE_STATUS_OK;
    }
    double position[3];
    grz_gltf_position(positions, element, position);
    if (!isfinite(position[0]) || !isfinite(position[1]) || !isfinite(position[2]))
    {
        grz_fail(maker->gltf->reader, GRAZE_STATUS_NOT_FINITE, "the position of vertex %lu is not finite",
                 (unsigned long)element);
        return grz_set_error_index(maker->gltf->reader, GRAZE_STATUS_NOT_FINITE, element);
    }
    size_t vertex = maker->coordinates.count / 3;
    if (vertex >= UINT32_MAX)
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_TOO_LARGE,
                        "there are more vertices than 32-bit indices can name");
    if (!GRZ_RESERVE(maker->gltf->reader->context, &maker->coordinates, 3 * vertex + 3))
        return grz_fail_memory(maker->gltf->reader);
    memcpy(maker->coordinates.data + 3 * vertex, position, sizeof position);
    maker->coordinates.count += 3;
    positions->made_for[element] = maker->number + 1;
    positions->vertices[element] = (uint32_t)vertex;
    *out_vertex = (uint32_t)vertex;
    return GRAZE_STATUS_OK;
}

/* The element of corner `place` of the primitive. */
static graze_status element_of(mesh_maker *maker, uint64_t place, uint32_t *out_element)
{
    uint32_t element = maker->indices != NULL ? grz_gltf_integer(maker->indices, place) : (uint32_t)place;
    if (element >= maker->positions->count)
    {
        grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_INDEX, "index %llu names vertex %lu, but there are %llu",
                 (unsigned long long)place, (unsigned long)element, (unsigned long long)maker->positions->count);
        return grz_set_error_index(maker->gltf->reader, GRAZE_STATUS_BAD_INDEX, place);
    }
    *out_element = element;
    return GRAZE_STATUS_OK;
}

static graze_status add_triangle(mesh_maker *maker, const uint64_t places[3], bool may_stitch)
{
    uint32_t elements[3], vertices[3];
    for (int c = 0; c < 3; c++)
    {
        graze_status status = element_of(maker, places[c], &elements[c]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    /* Strips are joined by degenerate triangles that repeat a vertex. They are not part of the surface, and as segments
     * they might lead through other parts. */
    if (may_stitch && (elements[0] == elements[1] || elements[1] == elements[2] || elements[2] == elements[0]))
        return GRAZE_STATUS_OK;
    for (int c = 0; c < 3; c++)
    {
        graze_status status = use_vertex(maker, elements[c], &vertices[c]);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    if (!GRZ_RESERVE(maker->gltf->reader->context, &maker->corners, maker->corners.count + 3))
        return grz_fail_memory(maker->gltf->reader);
    memcpy(maker->corners.data + maker->corners.count, vertices, sizeof vertices);
    maker->corners.count += 3;
    return GRAZE_STATUS_OK;
}

static graze_status add_triangles(mesh_maker *maker, uint64_t mode)
{
    uint64_t count = maker->indices != NULL ? maker->indices->count : maker->positions->count;
    if (mode == MODE_TRIANGLES && count % 3 != 0)
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_FORMAT, "its corners are no whole number of triangles");
    graze_status status = grz_gltf_spend(maker->gltf, mode == MODE_TRIANGLES ? count : 3 * count, CORNER_COST);
    uint64_t triangle_count = mode == MODE_TRIANGLES ? count / 3 : count < 3 ? 0 : count - 2;
    for (uint64_t t = 0; status == GRAZE_STATUS_OK && t < triangle_count && grz_read_elements(maker->gltf->reader, 1);
         t++)
    {
        uint64_t places[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        if (mode == MODE_STRIP) /* every other triangle is reversed */
            memcpy(places, (uint64_t[3]){t, t + 1 + t % 2, t + 2 - t % 2}, sizeof places);
        else if (mode == MODE_FAN)
            memcpy(places, (uint64_t[3]){t + 1, t + 2, 0}, sizeof places);
        status = add_triangle(maker, places, mode != MODE_TRIANGLES);
    }
    return grz_stopped(maker->gltf->reader, status);
}

/* --- primitives --- */

static graze_status make_table(mesh_maker *maker)
{
    grz_gltf_accessor *positions = maker->positions;
    if (positions->vertices != NULL)
        return GRAZE_STATUS_OK;
    graze_status status = grz_gltf_spend(maker->gltf, positions->count, TABLE_COST);
    if (status != GRAZE_STATUS_OK)
        return status;
    positions->vertices =
        grz_allocate_zeroed(maker->gltf->reader->context, positions->count, 2 * sizeof *positions->vertices);
    if (positions->vertices == NULL)
        return grz_fail_memory(maker->gltf->reader);
    positions->made_for = positions->vertices + positions->count;
    return GRAZE_STATUS_OK;
}

static graze_status find_positions(mesh_maker *maker, uint32_t primitive)
{
    grz_gltf *gltf = maker->gltf;
    uint32_t attributes = grz_json_member(&gltf->json, primitive, "attributes");
    uint64_t number;
    if (!grz_gltf_count(gltf, attributes, "POSITION", UINT64_MAX, &number) || number == UINT64_MAX)
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_FORMAT, "it has no positions");
    graze_status status = grz_gltf_find_accessor(gltf, number, &maker->positions);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (maker->positions->components != 3 || maker->positions->type == GRZ_GLTF_UINT32)
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_FORMAT,
                        "its positions are of a type that positions cannot have");
    uint32_t extensions = grz_json_member(&gltf->json, primitive, "extensions");
    if (maker->positions->bytes == NULL && grz_json_count(&gltf->json, extensions) > 0)
        return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED,
                        "its positions are packed by the extension %s, which is not supported",
                        grz_quote_word(grz_json_raw(&gltf->json, grz_json_first(&gltf->json, extensions))).text);
    return make_table(maker);
}

static graze_status find_indices(mesh_maker *maker, uint32_t primitive)
{
    grz_gltf *gltf = maker->gltf;
    uint64_t number;
    maker->indices = NULL;
    if (grz_json_member(&gltf->json, primitive, "indices") == GRZ_JSON_NONE)
        return GRAZE_STATUS_OK;
    if (!grz_gltf_count(gltf, primitive, "indices", UINT64_MAX, &number))
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_FORMAT, "its indices are no accessor");
    graze_status status = grz_gltf_find_accessor(gltf, number, &maker->indices);
    if (status != GRAZE_STATUS_OK)
        return status;
    unsigned type = maker->indices->type;
    if (maker->indices->components != 1 ||
        (type != GRZ_GLTF_UINT8 && type != GRZ_GLTF_UINT16 && type != GRZ_GLTF_UINT32))
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_FORMAT,
                        "its indices are of a type that indices cannot have");
    return GRAZE_STATUS_OK;
}

static graze_status add_primitive(mesh_maker *maker, uint32_t primitive)
{
    grz_gltf *gltf = maker->gltf;
    uint64_t mode;
    if (!grz_gltf_count(gltf, primitive, "mode", MODE_TRIANGLES, &mode) || mode > MODE_FAN)
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_BAD_FORMAT, "its mode is none that glTF has");
    if (grz_json_count(&gltf->json, grz_json_member(&gltf->json, primitive, "targets")) > 0)
        return grz_fail(maker->gltf->reader, GRAZE_STATUS_UNSUPPORTED, "morph targets are not supported");
    if (mode < MODE_TRIANGLES)
    {
        gltf->meshes[maker->number].passed_over++;
        return GRAZE_STATUS_OK;
    }
    graze_status status = find_positions(maker, primitive);
    if (status == GRAZE_STATUS_OK)
        status = find_indices(maker, primitive);
    return status == GRAZE_STATUS_OK ? add_triangles(maker, mode) : status;
}

static graze_status make_mesh(mesh_maker *maker)
{
    grz_gltf *gltf = maker->gltf;
    const grz_json *json = &gltf->json;
    uint32_t value = gltf->mesh_list.values[maker->number], primitives = grz_json_member(json, value, "primitives");
    grz_gltf_label label = grz_gltf_label_of(gltf, value);
    char about[96];
    for (uint32_t item = grz_json_first(json, primitives); item != GRZ_JSON_NONE;
         item = grz_json_next(json, primitives, item), maker->primitive++)
    {
        snprintf(about, sizeof about, "mesh %lu%s, primitive %lu", (unsigned long)maker->number, label.text,
                 (unsigned long)maker->primitive);
        gltf->reader->about = about;
        graze_status status = add_primitive(maker, item);
        gltf->reader->about = NULL;
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    if (maker->corners.count == 0)
        return GRAZE_STATUS_OK;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = maker->coordinates.data;
    def.vertex_count = maker->coordinates.count / 3;
    def.corners = maker->corners.data;
    def.corner_count = maker->corners.count;
    graze_error error;
    graze_status status = grz_make_mesh(gltf->reader, &def, &error, &gltf->meshes[maker->number].mesh);
    return status == GRAZE_STATUS_OK ? status : grz_fail(gltf->reader, status, "%s", error.text);
}

graze_status grz_gltf_read_mesh(grz_gltf *gltf, uint32_t mesh)
{
    grz_gltf_mesh *entry = &gltf->meshes[mesh];
    if (entry->read)
        return GRAZE_STATUS_OK;
    grz_reader *reader = gltf->reader;
    graze_error *outer = reader->error, error;
    mesh_maker maker = {.gltf = gltf, .number = mesh};
    reader->error = &error;
    entry->read = true;
    entry->status = make_mesh(&maker);
    reader->error = outer;
    grz_release(reader->context, maker.coordinates.data);
    grz_release(reader->context, maker.corners.data);
    if (entry->status == GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    if (entry->status == GRAZE_STATUS_OUT_OF_MEMORY || gltf->fatal || !grz_monitor_may_continue(reader->monitor))
    {
        if (outer != NULL)
            *outer = error;
        return entry->status;
    }
    entry->fault = grz_gltf_keep(gltf, error.text, strlen(error.text));
    return entry->fault != NULL ? GRAZE_STATUS_OK : grz_fail_memory(reader);
}
