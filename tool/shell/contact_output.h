/* SPDX-License-Identifier: MIT */
/* Contacts for solvers as JSON. */
#ifndef TOOL_SHELL_CONTACT_OUTPUT_H
#define TOOL_SHELL_CONTACT_OUTPUT_H

#include "graze/shape_contact.h"
#include "text/json_writer.h"

/* Writes a list of manifolds; the layout is one of arrays. */
void json_put_manifolds(grz_json_writer *json, grz_json_layout layout, const graze_shape_manifold *manifolds,
                        size_t count);

#endif
