// Several owners for tests of divided searches: threads, with buffers between them.
#pragma once

#include <memory>
#include <vector>

#include "graph_models.h"
#include "platform/thread_peers.h"
#include "thread_trial.h"
#include "xmc/engine.h"

namespace xmc_test {

class Owners {
 public:
  Owners(const Model& model, u32 count, u32 buffer_bytes = 256)
      : mail_(ThreadPeers::bytes_for(count, buffer_bytes) / 8), peers_(new ThreadPeers()) {
    peers_->start(count, buffer_bytes, {reinterpret_cast<u8*>(mail_.data()), mail_.size() * 8});
    for (u32 i = 0; i < count; ++i) {
      seats_.push_back(&peers_->at(i));
      executors_.push_back(model.self);
    }
  }
  SearchOptions with(SearchOptions options) const {
    options.parallel = threads(static_cast<u32>(seats_.size()));
    options.executors = executors_.data();
    options.owners = seats_;
    return options;
  }

 private:
  std::vector<u64> mail_;
  std::unique_ptr<ThreadPeers> peers_;
  std::vector<Peers*> seats_;
  std::vector<void*> executors_;
};

}  // namespace xmc_test
