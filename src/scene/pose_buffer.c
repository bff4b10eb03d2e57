/* SPDX-License-Identifier: MIT */
/* Poses passed to the detector; see pose_buffer.h. */
#include "scene/pose_buffer.h"

#include <string.h>

#include "base/memory.h"

bool grz_pose_buffer_init(const graze_context *context, grz_pose_buffer *pose_buffer, size_t limit)
{
    size_t words = limit / 64 + 1;
    *pose_buffer =
        (grz_pose_buffer){.poses = grz_allocate(context, limit, sizeof *pose_buffer->poses),
                          .pose_indices = grz_allocate_zeroed(context, limit, sizeof *pose_buffer->pose_indices),
                          .bits = grz_allocate_zeroed(context, words, sizeof *pose_buffer->bits),
                          .word_count = words};
    if (pose_buffer->poses == NULL || pose_buffer->pose_indices == NULL || pose_buffer->bits == NULL)
    {
        grz_pose_buffer_release(context, pose_buffer);
        return false;
    }
    if (limit > 0) /* touches the pages now, not while the application sets poses */
        memset(pose_buffer->poses, 0, limit * sizeof *pose_buffer->poses);
    return true;
}

void grz_pose_buffer_release(const graze_context *context, grz_pose_buffer *pose_buffer)
{
    grz_release(context, pose_buffer->poses);
    grz_release(context, pose_buffer->pose_indices);
    grz_release(context, pose_buffer->bits);
    *pose_buffer = (grz_pose_buffer){0};
}

void grz_pose_buffer_set(grz_pose_buffer *pose_buffer, graze_object object, const graze_pose *pose)
{
    uint64_t *word = &pose_buffer->bits[object.index / 64], bit = UINT64_C(1) << object.index % 64;
    uint32_t *pose_index = &pose_buffer->pose_indices[object.index];
    if ((*word & bit) == 0)
        *pose_index = pose_buffer->count++;
    *word |= bit;
    pose_buffer->poses[*pose_index] = (grz_buffered_pose){object, *pose};
}

static void clear(grz_pose_buffer *pose_buffer)
{
    memset(pose_buffer->bits, 0, pose_buffer->word_count * sizeof *pose_buffer->bits);
    pose_buffer->count = 0;
}

/* Adds the poses that only the older buffer has: mostly none, since applications tend to move the same objects again.
 */
static void add_missing(const grz_pose_buffer *older, grz_pose_buffer *newer)
{
    for (size_t word = 0; word < older->word_count; word++)
    {
        /* shortcut: merged-pose-buffers */
        for (uint64_t bits = older->bits[word] & ~newer->bits[word]; bits != 0; bits &= bits - 1)
        {
            size_t index = 64 * word + (size_t)__builtin_ctzll(bits);
            const grz_buffered_pose *noted = &older->poses[older->pose_indices[index]];
            grz_pose_buffer_set(newer, noted->object, &noted->pose);
        }
    }
}

grz_pose_buffer *grz_pose_buffer_merge(grz_pose_buffer *older, grz_pose_buffer *newer)
{
    bool into_newer = older->count <= newer->count;
    grz_pose_buffer *from = into_newer ? older : newer, *into = into_newer ? newer : older;
    if (into_newer)
        add_missing(older, newer);
    else
        for (uint32_t i = 0; i < newer->count; i++)
            grz_pose_buffer_set(older, newer->poses[i].object, &newer->poses[i].pose);
    into->commit = newer->commit;
    clear(from);
    return into;
}

void grz_pose_buffer_apply(grz_pose_buffer *pose_buffer, graze_scene *scene)
{
    for (uint32_t i = 0; i < pose_buffer->count;
         i++) /* fails for an object that a callback has removed or given another shape meanwhile, which is skipped */
        graze_scene_move(scene, pose_buffer->poses[i].object, &pose_buffer->poses[i].pose);
    clear(pose_buffer);
}
