// The rule by which a run goes on: from the newer checkpoint if all that it names can be read and
// is sound, else from the older one under the same condition. resume and the fault campaign of the
// tests share it.
#pragma once

#include "store/checkpoint/manifest.h"
#include "store/checkpoint/root.h"
#include "xmc/arena.h"
#include "xmc/device.h"
#include "xmc/go_on.h"
#include "xmc/status.h"

namespace xmc {

// `root` and `manifest` are what load_root() gave, and are those of the checkpoint to go on from
// afterwards. Scratch of the arena is used, as much as the largest block takes. A slot that was
// passed over is removed, but only when the other one is sound; after a failure both are as they
// were.
Status verify_root(Folder& folder, Manifest& manifest, Root& root, Arena& arena,
                   const GoOn& go_on = {});

}  // namespace xmc
