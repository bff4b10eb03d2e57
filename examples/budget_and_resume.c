/* SPDX-License-Identifier: MIT */
/* An interruptible query: each call may do some box tests only. It tells what is known so far and is resumed until
 * done. */
#include "example.h"

int main(void)
{
    graze_mesh *box = NULL;
    graze_tree *tree = NULL;
    check(graze_mesh_create_box(NULL, 1, 1, 1, 64, &box));
    check(graze_tree_create(NULL, box, NULL, NULL, &tree));
    graze_placed_mesh a = {box, tree, graze_pose_identity()};
    graze_placed_mesh b = {box, tree, graze_pose_translation(0.3, 0.4, 0.55)};

    graze_search *search = NULL;
    check(graze_search_create(NULL, &a, &b, GRAZE_SEARCH_COUNT, NULL, &search));
    graze_budget budget = {0, 0, NULL, NULL};
    budget.box_tests = 1000; // or budget.seconds

    int calls = 0;
    graze_status status;
    while ((status = graze_search_run(search, &budget)) == GRAZE_STATUS_UNFINISHED)
    {
        graze_search_state state = graze_search_examine(search);
        if (++calls == 1)
            printf("first call: %s, counts are %s, pairs of volumes left: %s\n", graze_status_text(status),
                   state.finished ? "final" : "lower bounds", state.undecided ? "some" : "none");
        // A program with a frame to draw stops here and goes on in the next frame, or drops the search.
    }
    check(status);

    graze_search_state state = graze_search_examine(search);
    graze_pair_counts counts;
    check(graze_pair_count(NULL, &a, &b, NULL, &counts));
    printf("resumed until finished: %llu crossing pairs of triangles\n", (unsigned long long)state.counts.crossing);
    printf("same as one query without a budget: %s\n", state.counts.pairs == counts.pairs ? "yes" : "no");
    graze_search_destroy(search);
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
    return 0;
}
