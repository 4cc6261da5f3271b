// A minimal perfect hash on flash: numbers n keys, known by 64-bit hashes, from 0 to n - 1 and
// keeps a small value for each of them. Everything but a few pages stays in a file; a query reads
// one page of it. README.md has an example, format.h the file.
#pragma once

#include "phf/builder.h"
#include "phf/format.h"
#include "phf/plan.h"
#include "phf/reader.h"
#include "phf/verify.h"
