// The root of a checkpoint: two slots, written in turn, so that a power cut in the middle of a
// commit leaves the checkpoint before it. What a root says is in its manifest; the files it names
// are never changed below the sizes it gives for them, so a root stays true while its files grow.
//
//   slot     = header sequence line* checksum         root.0 has the even sequences, root.1 the odd
//   header   = "xmc-lite checkpoint 3" LF             3 is the version
//   sequence = "sequence " number LF                  counts commits, from 1
//   line     = name " " value LF                      store/checkpoint/manifest.h
//   checksum = "checksum " hex{16} LF                 XXH3 of everything before
//
// A slot is sound when all of this holds and the folder has every file it names in the size that it
// gives or larger. Cards that lied about a flush are found that way, or by store/verify.h.
#pragma once

#include "store/checkpoint/manifest.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

inline constexpr u32 kRootSlots = 2;
inline constexpr const char* kRootFiles[kRootSlots] = {"root.0", "root.1"};

// Replaces the older slot. The files that the manifest names and their names in the folder are
// durable already. `sequence` is one more than that of the root before.
Status commit_root(Folder& folder, const Manifest& manifest, u64 sequence);

struct RootSlot {
  enum class State : u8 { absent, unsound, sound };
  State state = State::absent;
  u64 sequence = 0;  // 0: not known
  u64 bytes = 0;     // of the slot
  Status why;        // it is not sound
};
// Reads one slot; the manifest is that of a sound one, and else undefined.
RootSlot read_root(Folder& folder, u32 slot, Manifest& manifest);

struct Root {
  u32 slot = kNone;
  u64 sequence = 0;
  u64 bytes = 0;           // of the slot
  bool fell_back = false;  // a newer one was there and is not sound
  RootSlot passed_over;    // that one
};
// The newest sound slot, without `except`. Code::usage when there is no checkpoint at all,
// Code::corrupt when none is sound. No file of the folder may be open.
Result<Root> load_root(Folder& folder, Manifest& manifest, u32 except = kNone);

// Removes a slot that is not used. A run that goes on from the older root calls this before it
// changes any file: files that grow again would make the newer one look sound.
Status discard_root(Folder& folder, u32 slot);

}  // namespace xmc
