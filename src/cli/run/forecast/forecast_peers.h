// The part of a forecast that is about several boards (`plan --peers`).
#pragma once

#include "engine/measure/peer_forecast.h"
#include "report/json.h"
#include "report/row.h"

namespace xmc {

// The lines "boards", and the member "peers".
void write_peers(Row& out, const Sample& sample, const PeerSamples& all,
                 const PeerNetwork& network);
void write_peers_json(JsonWriter& json, const Sample& sample, const PeerSamples& all,
                      const PeerNetwork& network);

}  // namespace xmc
