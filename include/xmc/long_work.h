// LongWork: what takes a while without the end of a level, and how far it is: "is it hung?" has an
// answer then. Whoever begins such work says so with a Scope, and how much of it there is; whoever
// does it sets how much is done just before it asks whether to go on (xmc/go_on.h), and the poll
// takes it along (Search::poll). A Part is the share of the work that a step of it is, whatever
// units that step counts in.
#pragma once

#include "xmc/types.h"

namespace xmc {

class LongWork {
 public:
  const char* name() const { return now_.name; }  // null: nothing of the kind is under way
  u32 percent() const { return static_cast<u32>(now_.share * 100); }
  // `done` of `total` are done, in any unit. Never less than before: work that is read twice does
  // not go back.
  void set(u64 done, u64 total) {
    if (now_.name == nullptr || total == 0) return;
    const double part = static_cast<double>(done < total ? done : total) /
                        static_cast<double>(total) * (now_.end - now_.begin);
    if (now_.begin + part > now_.share) now_.share = now_.begin + part;
  }

 private:
  struct State {
    const char* name = nullptr;
    double share = 0;  // done
    double begin = 0;  // of the part under way
    double end = 1;
  };

 public:
  // All of them take null for nobody who wants to know.
  class Scope {
   public:
    Scope(LongWork* work, const char* name) : work_(work) {
      if (work_ == nullptr) return;
      before_ = work_->now_;
      work_->now_ = State();
      work_->now_.name = name;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      if (work_ != nullptr) work_->now_ = before_;
    }

   private:
    LongWork* work_;
    State before_;
  };

  // From `first` to `last` of `total`.
  class Part {
   public:
    Part(LongWork* work, u64 first, u64 last, u64 total) : work_(work) {
      if (work_ == nullptr) return;
      begin_ = work_->now_.begin;
      end_ = work_->now_.end;
      if (total == 0) return;
      const double unit = (end_ - begin_) / static_cast<double>(total);
      work_->now_.begin = begin_ + unit * static_cast<double>(first);
      work_->now_.end = begin_ + unit * static_cast<double>(last);
      work_->set(0, 1);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() {
      if (work_ == nullptr) return;
      work_->now_.begin = begin_;
      work_->now_.end = end_;
    }

   private:
    LongWork* work_;
    double begin_ = 0;
    double end_ = 1;
  };

 private:
  State now_;
};

}  // namespace xmc
