/* SPDX-License-Identifier: MIT */
/* A tree saved as one block of bytes and mapped later instead of built. Damaged bytes are refused. */
#include "example.h"

int main(void)
{
    graze_mesh *torus = NULL;
    graze_tree *built = NULL, *mapped = NULL;
    check(graze_mesh_create_torus(NULL, 2, 0.5, 128, 64, &torus));
    check(graze_tree_create(NULL, torus, NULL, NULL, &built));

    // Bytes aligned to 64 are used where they lie, as in a file mapped into memory; others are copied.
    size_t size = graze_tree_saved_size(built), rounded = (size + 63) / 64 * 64;
    unsigned char *bytes = (unsigned char *)aligned_alloc(64, rounded);
    if (!bytes)
        return 1;
    check(graze_tree_save(built, bytes, size));
    graze_error error;
    check(graze_tree_map(NULL, torus, bytes, size, NULL, &error, &mapped));

    graze_placed_mesh a = {torus, built, graze_pose_identity()}, b = {torus, built, graze_pose_translation(1, 0, 0.25)};
    graze_pair_counts with_built, with_mapped;
    check(graze_pair_count(NULL, &a, &b, NULL, &with_built));
    a.tree = b.tree = mapped;
    check(graze_pair_count(NULL, &a, &b, NULL, &with_mapped));
    printf("collide: %s\n", with_mapped.pairs ? "yes" : "no");
    printf("same answer with the tree that was built: %s\n", with_built.pairs == with_mapped.pairs ? "yes" : "no");
    graze_tree_destroy(mapped);

    bytes[size / 2] ^= 1;
    graze_status status = graze_tree_map(NULL, torus, bytes, size, NULL, &error, &mapped);
    printf("one bit changed: %s\n", graze_status_text(status));
    free(bytes);
    graze_tree_destroy(built);
    graze_mesh_destroy(torus);
    return 0;
}
