// Stands in for LLFIO's header of this name, which every other one of its headers asks for.
#pragma once

#define LLFIO_V2_NAMESPACE llfio_stand_in
