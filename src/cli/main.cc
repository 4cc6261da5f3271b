#include "xmc/native.h"

int main(int argc, char** argv) { return xmc::run_cli(argc, argv, nullptr); }
