#include "pair_case.h"
void check_bodies(fuzz_bytes *bytes, pair_case *c){(void)bytes;(void)c;}
