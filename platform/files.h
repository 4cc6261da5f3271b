// Whole files and folders, without a heap: model text, reports, the work directory. State data does
// not come through here but through Device.
#pragma once

#include <span>
#include <string_view>

#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Longest path that is put together here; longer ones are an error, never cut.
inline constexpr u32 kPathBytes = 4096;

// "folder/name" into `out`, which has kPathBytes bytes.
Status join_path(char* out, const char* folder, const char* name);

bool file_exists(const char* path);  // anything of that name
bool folder_exists(const char* path);
bool is_regular_file(const char* path);  // a link is none
Result<u64> file_bytes(const char* path);
Result<u64> changed_seconds(const char* path);  // since 1970, when its contents were changed
Result<u64> stored_bytes(const char* path);     // what it takes on the disk: holes are not counted

// The whole file; Code::budget when it does not fit, with both sizes in the message. Returns the
// bytes read.
Result<u64> read_file(const char* path, std::span<u8> into);

// As much of it as there is room for.
Result<u64> read_beginning(const char* path, std::span<u8> into);

// A pipe, a terminal, a device: it has no size, and its bytes may be long in coming.
bool is_stream(const char* path);
bool is_pipe(const char* path);

// Reads a stream as it comes. What takes time asks `go_on` ten times a second and ends with its
// failure, so that a pipe that nobody writes can be left.
class StreamFile {
 public:
  StreamFile() = default;
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;
  ~StreamFile();

  Status open(const char* path);
  // Waits for some bytes, or for the end: 0.
  Result<u64> read(std::span<u8> into, const GoOn& go_on);

 private:
  int fd_ = -1;
  const char* path_ = "";
};

// Whether this user may, as far as that can be told without doing it.
Status can_make_files_in(const char* folder);

Status make_folder(const char* path);    // ok when it is there already
Status remove_file(const char* path);    // ok when it is not there
Status remove_folder(const char* path);  // only an empty one; ok when it is not there
Status rename_file(const char* from, const char* to);
Status sync_file(const char* path);    // makes its contents durable
Status sync_folder(const char* path);  // makes the names in it durable

// Calls visit(self, name) for every entry except "." and ".." until it returns false. The order is
// the file system's; entries that visit removes are not seen again.
using VisitEntry = bool (*)(void* self, const char* name);
Status list_folder(const char* path, VisitEntry visit, void* self);

// Bytes that this user may still write there. The path may be a file or a folder.
Result<u64> free_space(const char* path);

// "ext4", "tmpfs", "vfat", "nfs", ... or "unknown".
const char* file_system_name(const char* path);

// Which file a name leads to, its links followed.
struct FileIdentity {
  bool exists = false;
  bool regular = false;
  bool folder = false;
  u64 device = 0;
  u64 inode = 0;

  bool same_as(const FileIdentity& other) const {
    return exists && other.exists && device == other.device && inode == other.inode;
  }
};
FileIdentity identity_of(const char* path);

// The name at the end of a chain of links, where a file would be written: `out` has kPathBytes
// bytes.
Status follow_links(const char* path, char* out);

// The name of a path as seen from "/", whatever the current folder is later.
Status absolute_path(const char* path, char* out);

// A number for the file system that the path is on: another one has another number, and after it
// was mounted again it may have another one, too.
Result<u64> file_system_id(const char* path);

// A file that text is appended to. Errors stick and are told by close(), which has to be called.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Creates or empties the file. `path` must stay valid until close.
  Status open(const char* path);
  // For what a user named: the text goes to a new file beside the target, which close() renames, so
  // that whatever was there stays until the new text is complete. "-" is standard output; that,
  // pipes and devices are written to as they are.
  Status open_beside(const char* path);
  // The file goes on behind its first `bytes` bytes.
  Status open_at(const char* path, u64 bytes);
  // Whether open_beside() would succeed; Code::io and the reason if not. Leaves nothing.
  static Status try_beside(const char* path);

  void write(std::string_view text);
  Status flush();
  // Gives a file beside its target the name of that now; more text may follow.
  Status publish();
  // What was written is durable, where the file can be.
  Status sync();
  Status close();
  // Closes it; a file beside its target is removed.
  void discard();
  bool is_open() const { return fd_ >= 0; }
  u64 bytes_written() const { return bytes_written_; }

 private:
  void begin(const char* path);
  Status open_stream(const char* path);
  Status create_beside();
  Status failed(const char* what) const;
  void push_out();

  int fd_ = -1;
  int error_ = 0;
  bool owned_ = false;
  bool beside_ = false;  // the text is in aside_, and belongs to target_
  const char* path_ = "";
  u64 bytes_written_ = 0;
  u32 filled_ = 0;
  char buffer_[4096];
  char target_[kPathBytes];
  char aside_[kPathBytes];
};

}  // namespace xmc
