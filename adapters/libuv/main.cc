// The adapter as a program on the system's libuv, or on one that LD_PRELOAD puts in its place.
#include "adapter.h"

int main() { return libuv_adapter::RunSession(); }
