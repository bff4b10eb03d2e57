/* SPDX-License-Identifier: MIT */
/* A query on several threads: same hits, in the same order, as on one. */
#include "example.h"

enum
{
    CAPACITY = 20000
};

int main(void)
{
    graze_pool *pool = NULL;
    check(graze_pool_create(NULL, 2, &pool)); // or hooks to a thread pool of one's own: graze_tasks in graze/context.h
    graze_context threaded = graze_context_default();
    threaded.tasks = graze_pool_tasks(pool);

    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    check(graze_mesh_create_box(NULL, 1, 1, 1, 64, &box));
    check(graze_tree_create(&threaded, box, NULL, NULL, &tree)); // trees are built by several threads too
    graze_placed_mesh a = {box, tree, graze_pose_identity()};
    graze_placed_mesh b = {box, tree, graze_pose_translation(1, 0.3, 0.4)}; // two faces coincide in part

    static graze_hit one[CAPACITY], two[CAPACITY];
    graze_pair_counts counts_one, counts_two;
    check(graze_pair_gather(NULL, &a, &b, NULL, one, CAPACITY, &counts_one));
    check(graze_pair_gather(&threaded, &a, &b, NULL, two, CAPACITY, &counts_two));

    bool same = counts_one.pairs == counts_two.pairs && counts_one.pairs <= CAPACITY;
    for (size_t i = 0; same && i < counts_one.pairs; i++)
        same = one[i].triangle_a == two[i].triangle_a && one[i].triangle_b == two[i].triangle_b;
    printf("%llu pairs touch, %llu of them coplanar\n", (unsigned long long)counts_two.touching,
           (unsigned long long)counts_two.coplanar);
    printf("same hits in the same order on 1 and 2 threads: %s\n", same ? "yes" : "no");

    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
    graze_pool_destroy(pool); // last: no context with its tasks is used any more
    return same ? 0 : 1;
}
