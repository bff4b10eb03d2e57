/* SPDX-License-Identifier: MIT */
/* Composition of fragments; see compose.h. Colours are those of the report page in its light theme. */
#include "picture/compose.h"

enum
{
    MOST_LAYERS = 96, /* nearest fragments of a sample that are composed */
    STRIPE = 32       /* width of stripes, in samples */
};

typedef struct color
{
    float r, g, b;
} color;

static const color part_colors[2] = {{239, 142, 37}, {60, 139, 234}};
static const color common_color = {232, 30, 52}, mark_color = {235, 0, 90}, face_color = {232, 30, 52};
static const color edge_color = {29, 36, 46};
static const color top_color = {251, 252, 253}, bottom_color = {226, 231, 238};

static const float edge_opacity = 0.75f, common_opacity = 0.92f, face_opacity = 0.9f;
static const float least_mark = 0.75f, least_face = 0.4f, least_common = 0.7f; /* behind something */

/* A volume whose ends are nearer to each other than this share of the distance is taken for faces that touch: depths
 * are floats. */
static const float thinnest = 4e-6f;

static void swap(fragment *a, fragment *b)
{
    fragment other = *a;
    *a = *b;
    *b = other;
}

static bool is_before(const fragment *a, const fragment *b)
{
    return a->w != b->w ? a->w > b->w : a->kind < b->kind;
}

/* The fragments of a sample, nearest first. */
static size_t layers_of(const fragment_band *band, size_t sample, fragment layers[MOST_LAYERS])
{
    size_t count = 0;
    for (uint32_t at = band->first[sample]; at != NO_FRAGMENT; at = band->fragments[at].next)
    {
        const fragment *next = &band->fragments[at];
        if (count == MOST_LAYERS && !is_before(next, &layers[count - 1]))
            continue;
        count += count < MOST_LAYERS;
        layers[count - 1] = *next;
        for (size_t i = count - 1; i > 0 && is_before(&layers[i], &layers[i - 1]); i--)
            swap(&layers[i], &layers[i - 1]);
    }
    return count;
}

static color mix(color a, color b, float share)
{
    return (color){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b)};
}

static color shaded(color c, uint8_t shade)
{
    float f = (float)shade / 255;
    return (color){c.r * f, c.g * f, c.b * f};
}

/* The state of a line of sight. */
typedef struct sight
{
    color sum;
    float left; /* the share of light that is not yet taken */
    bool inside[2], passed[2];
    const fragment *mark; /* nearest mark or face of the contact */
    float left_at_mark;
    const fragment *common; /* where the first volume in both parts begins */
    float left_at_common;
} sight;

static void take(sight *at, color c, float opacity)
{
    float share = at->left * opacity;
    at->sum.r += share * c.r;
    at->sum.g += share * c.g;
    at->sum.b += share * c.b;
    at->left -= share;
}

/* Whether the volume in both parts that begins with this surface is more than faces that touch. */
static bool is_thick(const fragment *layers, size_t count, size_t begin)
{
    for (size_t i = begin + 1; i < count; i++)
        if (layers[i].kind >= FRAGMENT_SURFACE_A)
            return layers[begin].w - layers[i].w > thinnest * layers[begin].w;
    return false;
}

static void take_surface(sight *at, const compose_style *style, const fragment *layers, size_t count, size_t i,
                         bool second_stripe)
{
    int part = layers[i].kind == FRAGMENT_SURFACE_B;
    bool was_common = at->inside[0] && at->inside[1];
    at->inside[part] = !at->inside[part];
    bool enters = at->inside[0] && at->inside[1] && is_thick(layers, count, i);
    if (style->shows_common && enters && !was_common)
    {
        if (at->common == NULL)
        {
            at->common = &layers[i];
            at->left_at_common = at->left;
        }
        take(at, shaded(common_color, layers[i].shade), common_opacity);
    }
    else
    {
        int shown = style->has_stripes && second_stripe ? 1 : part;
        take(at, shaded(part_colors[shown], layers[i].shade),
             at->passed[part] ? style->others[part] : style->nearest[part]);
    }
    at->passed[part] = true;
}

static color background(unsigned row, unsigned height)
{
    return mix(top_color, bottom_color, (float)row / (float)height);
}

static color color_of(const fragment_band *band, const compose_style *style, unsigned x, unsigned row, unsigned height)
{
    fragment layers[MOST_LAYERS];
    size_t count = layers_of(band, (size_t)row * band->width + x, layers);
    sight at = {.left = 1};
    bool second_stripe = (x + row + band->top) / STRIPE % 2 == 1;
    for (size_t i = 0; i < count && (at.left > 0.01f || at.mark == NULL); i++)
    {
        if (layers[i].kind >= FRAGMENT_SURFACE_A)
            take_surface(&at, style, layers, count, i, second_stripe);
        else if (layers[i].kind == FRAGMENT_EDGE)
            take(&at, edge_color, edge_opacity);
        else if (at.mark == NULL || (at.mark->kind == FRAGMENT_FACE && layers[i].kind == FRAGMENT_MARK))
        {
            at.mark = &layers[i];
            at.left_at_mark = at.left;
        }
    }
    color result = background(band->top + row, height);
    result = (color){at.sum.r + at.left * result.r, at.sum.g + at.left * result.g, at.sum.b + at.left * result.b};
    if (at.common != NULL && at.left_at_common < least_common)
        result = mix(result, shaded(common_color, at.common->shade), least_common - at.left_at_common);
    if (at.mark == NULL)
        return result;
    bool is_face = at.mark->kind == FRAGMENT_FACE;
    float least = is_face ? least_face : least_mark,
          opacity = is_face ? face_opacity * at.left_at_mark : at.left_at_mark;
    return mix(result, is_face ? face_color : mark_color, opacity > least ? opacity : least);
}

/* Whether two samples have the same surfaces, so that they have the same colour but for the order of surfaces that
 * cross between them. */
static bool have_same_layers(const fragment_band *band, size_t one, size_t other)
{
    uint32_t p = band->first[one], q = band->first[other];
    while (p != NO_FRAGMENT && q != NO_FRAGMENT)
    {
        const fragment *a = &band->fragments[p], *b = &band->fragments[q];
        if (a->kind != b->kind || a->shade != b->shade)
            return false;
        p = a->next;
        q = b->next;
    }
    return p == q;
}

/* The average of samples x samples; where all of them have the same layers, the first one's colour. */
static color pixel_of(const fragment_band *band, const compose_style *style, unsigned left, unsigned top,
                      unsigned height, unsigned samples)
{
    size_t first = (size_t)top * band->width + left;
    float share = 1.0f / (float)(samples * samples);
    bool same = !style->has_stripes;
    for (unsigned k = 1; k < samples * samples && same; k++)
        same = have_same_layers(band, first, first + (size_t)(k / samples) * band->width + k % samples);
    if (same && band->first[first] == NO_FRAGMENT)
        return background(band->top + top, height);
    if (same)
        return color_of(band, style, left, top, height);
    color sum = {0, 0, 0};
    for (unsigned k = 0; k < samples * samples; k++)
    {
        color one = color_of(band, style, left + k % samples, top + k / samples, height);
        sum = (color){sum.r + share * one.r, sum.g + share * one.g, sum.b + share * one.b};
    }
    return sum;
}

void compose_band(const fragment_band *band, const compose_style *style, unsigned height, unsigned samples,
                  unsigned char *out_pixels)
{
    unsigned columns = band->width / samples, rows = band->rows / samples;
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++)
        {
            color pixel = pixel_of(band, style, x * samples, y * samples, height, samples);
            unsigned char *out = out_pixels + 3 * ((size_t)y * columns + x);
            out[0] = (unsigned char)(pixel.r + 0.5f);
            out[1] = (unsigned char)(pixel.g + 0.5f);
            out[2] = (unsigned char)(pixel.b + 0.5f);
        }
}
