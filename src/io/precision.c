/* SPDX-License-Identifier: MIT */
/* How closely coordinates of a file are known: its number format, and the finest decimal place of text. */
#include <math.h>

#include "io/model.h"
#include "text/number.h"

bool grz_model_make_precision(graze_model *model, const grz_builder *builder)
{
    model->numbers = builder->numbers;
    if (builder->numbers != GRAZE_NUMBER_DECIMAL)
        return true;
    model->part_places = grz_allocate(&model->context, model->part_count, sizeof *model->part_places);
    if (model->part_places == NULL)
        return false;
    for (size_t p = 0; p < model->part_count; p++)
        model->part_places[p] = INT16_MAX;
    for (size_t f = 0, corner = 0; f < builder->face_count; f++)
    {
        int16_t *finest = &model->part_places[model->face_parts != NULL ? model->face_parts[f] : 0];
        size_t size = builder->loop_sizes.count > 0 ? builder->loop_sizes.data[f] : 3;
        for (size_t end = corner + size; corner < end; corner++)
        {
            int16_t place = builder->finest_places.data[builder->corners.data[corner]];
            *finest = place < *finest ? place : *finest;
        }
    }
    return true;
}

graze_precision graze_model_part_precision(const graze_model *model, size_t part)
{
    graze_precision precision = {GRAZE_NUMBER_DOUBLE, 0};
    if (model == NULL || part >= model->part_count)
        return precision;
    precision.format = model->numbers;
    if (model->part_places != NULL && model->part_places[part] != INT16_MAX) /* a part without faces has none */
        precision.finest_place = model->part_places[part];
    return precision;
}

double graze_precision_resolution(graze_precision precision, double largest, double scale)
{
    double least = fabs(largest) * 0x1p-53, most = fabs(largest) * 0x1p-24;
    if (precision.format != GRAZE_NUMBER_DECIMAL)
        return precision.format == GRAZE_NUMBER_FLOAT ? most : least;
    double half_place = grz_number_from_decimal(5, precision.finest_place - 1) * fabs(scale);
    return fmin(fmax(half_place, least), most);
}
