// Names of the files that engines keep in their folder. Each engine lists its own in its
// EngineTraits; several share a name where the file is the same.
#pragma once

namespace xmc {

inline constexpr const char* kQueueFile = "queue";
inline constexpr const char* kUncheckedFile = "unchecked";
inline constexpr const char* kVisitedFile = "visited";
inline constexpr const char* kPendingFile = "pending";
inline constexpr const char* kOriginsFile = "origins";
inline constexpr const char* kCandidatesFile = "candidates";
inline constexpr const char* kEdgeFile = "edges";
inline constexpr const char* kFarEdgeFile = "edges.far";
inline constexpr const char* kOwnedEdgesFile = "edges.own";
inline constexpr const char* kSortedFile = "sorted";
inline constexpr const char* kCoreFile = "core";
inline constexpr const char* kLayersFile = "layers";
inline constexpr const char* kLiveFile = "live";
inline constexpr const char* kLeadFile = "live.lead";
inline constexpr const char* kWalkFile = "live.walk";
inline constexpr const char* kHashFile = "hash";
inline constexpr const char* kRankFile = "rank";
inline constexpr const char* kHashRunsFile = "hash-runs";
inline constexpr const char* kHashNearFile = "hash-near";
inline constexpr const char* kStackFile = "stack";
inline constexpr const char* kAcceptingFile = "accepting";
inline constexpr const char* kBitsFile = "bits";
inline constexpr const char* kWaveFile = "wave";
inline constexpr const char* kBallFile = "ball";
inline constexpr const char* kBallWaveFile = "ball-wave";
inline constexpr const char* kPathFile = "path";
inline constexpr const char* kRunsFile = "runs";
inline constexpr const char* kHistoryFile = "history";
inline constexpr const char* kWindowFile = "window";
inline constexpr const char* kDiagramFile = "diagram";
inline constexpr const char* kSetsFile = "sets";

}  // namespace xmc
