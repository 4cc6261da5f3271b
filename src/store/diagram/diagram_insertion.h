// DiagramInsertion: a sorted batch on its way into a diagram, level by level: down through the
// diagram and the batch together, then up again with the nodes that change. The nodes are written
// to a stage, and put at the top only if no equal one is there.
#pragma once

#include <span>

#include "store/diagram/diagram_nodes.h"

namespace xmc {

struct DiagramInsertion {
  // What is to become of one node when keys are inserted.
  struct Task {
    u32 old;     // the node, or bitmap; or a tail whose key belongs here, of this level or one
                 // above; 0: none, nor has its parent an edge for it
    u32 result;  // the same with the keys in it
    u16 first;   // of its keys, in the batch
    u16 keys;    // how many; none if only the tail belongs here
    u16 kids;    // tasks of the next level that are its children; none: it becomes a tail
    u8 digit;    // of its edge
    u8 edge;     // of the old parent: its own, or the one that it comes before
  };
  static constexpr u32 kStageWords = 2048;

  Task* tasks = nullptr;
  u32 task_room = 0;
  u32 task_count = 0;
  u32* begins = nullptr;  // of each level's tasks
  u32* stage = nullptr;
  u32 at_once = 0;  // keys whose tasks should fit

  static u64 tasks_for(u64 words, u64 digits);
  // Bit i of `fresh` is set where key i was not there. `root` is that of the set with the keys in
  // it. False: no room, and what was made so far is garbage.
  bool insert(DiagramNodes& nodes, const Word* keys, u32 count, u64* fresh, u32& root);

  static u32 write_new(u32 level, std::span<const Task> kids, u32* node);
  // The node of so many words at the beginning of the stage, or an equal one; 0: no room.
  u32 settle_one(DiagramNodes& nodes, u32 words);

 private:
  // A node or tail that was written, but not yet compared with others.
  struct Staged {
    u32 task;
    u32 begin;  // in the stage
    u32 words;
    u32 slot;
    u32 tag;
  };
  static constexpr u32 kStaged = 32;

  bool open_tasks(const DiagramNodes& nodes, const Word* keys, u32 count, u32 root);
  bool close_tasks(DiagramNodes& nodes, const Word* keys, u32 offset, u64* fresh);
  void split(const DiagramNodes& nodes, u32 level, u32 task, const Word* keys);
  void split_tail(const DiagramNodes& nodes, u32 level, u32 task, const Word* keys);
  void add_kid(u32 old, u32 first, u32 keys, u32 digit, u32 edge);
  bool build(DiagramNodes& nodes, u32 level, const Word* keys, u32 offset, u64* fresh);
  static u32 write_node(const DiagramNodes& nodes, u32 level, Task& task,
                        std::span<const Task> kids, u32* node);
  static u32 write_last(const DiagramNodes& nodes, Task& task, const Word* keys, u32 offset,
                        u64* fresh, u32* node);
  static u32 write_grown(const u32* old, u32 added, std::span<const Task> kids, u32* node);
  static u32 write_tail(const DiagramNodes& nodes, u32 level, Task& task, const Word* keys,
                        u32 offset, u64* fresh, u32* node);
  bool settle(DiagramNodes& nodes, std::span<Staged> staged);
};

}  // namespace xmc
