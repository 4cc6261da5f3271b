// The program xmc-lite. A checker has a main() of its own, with its compiled model.
#include "xmc/native.h"

int main(int argc, char** argv) { return xmc::run_cli(argc, argv, nullptr); }
