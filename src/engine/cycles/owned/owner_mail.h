// OwnerMail: rounds of small items between the owners of a product, as states travel between those
// of a search (search/exchange.h). A round is over when everything is where it belongs and nobody
// has been told to stop; all of them end it together.
#pragma once

#include "engine/search/exchange.h"
#include "engine/search/product_owners.h"

namespace xmc {

class OwnerMail {
 public:
  // Items have so many words; `taker` gets those of others, one or several at a time.
  void start(ProductOwners& owners, u32 item_words, const Exchange::Taker& taker) {
    owners_ = &owners;
    exchange_.start(owners.peers(), item_words, taker);
  }
  // To another owner.
  Status send(u32 owner, const Word* item) { return exchange_.send(owner, item); }
  Status take_what_came() { return exchange_.take_what_came(); }
  Status end_round() {
    XMC_TRY(exchange_.end_round());
    return owners_->stop_together();
  }

 private:
  ProductOwners* owners_ = nullptr;
  Exchange exchange_;
};

}  // namespace xmc
