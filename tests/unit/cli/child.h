// Runs the tool in a child process, so that exits, signals and standard streams are real.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "xmc/native.h"

namespace child {

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
  return nlohmann::json::parse(read_whole(path), nullptr, false);
}

// Options point into the words.
inline xmc::Options parsed(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  xmc::Options options;
  REQUIRE(options.parse(pointers, true).ok());
  return options;
}

struct Done {
  int exit = -1;  // 1000 + signal when a signal ended it
  std::string out;
  std::string err;
};

// A folder of its own, removed at the end.
struct Place {
  std::filesystem::path path;
  std::string models = (std::filesystem::current_path() / "tests/models/").string();

  explicit Place(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "xmc-lite-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    std::filesystem::remove_all(path);
    std::filesystem::remove_all(cache());
  }
  // What the tool remembers from one run to the next: beside the folder, and as new as it is.
  std::string cache() const { return path.string() + ".cache"; }

  std::filesystem::path operator/(const char* name) const { return path / name; }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }

  // Starts `body` with this folder as the current one; its value is the exit status.
  pid_t start(const std::function<int()>& body) const {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    if (chdir(path.c_str()) != 0) _exit(99);
    setenv("XDG_CACHE_HOME", cache().c_str(), 1);
    // A background job of a shell starts with INT ignored, and the tool would respect that.
    for (const int number : {SIGINT, SIGHUP}) signal(number, SIG_DFL);
    for (const int fd : {1, 2}) {
      const int file = open(fd == 1 ? ".out" : ".err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
      dup2(file, fd);
    }
    _exit(body());
  }
  Done finish(pid_t pid) const {
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    Done done;
    done.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    done.out = read_whole(path / ".out");
    done.err = read_whole(path / ".err");
    return done;
  }

  static int call(std::vector<std::string> words, const xmc::NativeModel* native = nullptr) {
    words.insert(words.begin(), "xmc-lite");
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return xmc::run_cli(static_cast<int>(words.size()), pointers.data(), native);
  }
  Done run(const std::vector<std::string>& words, const xmc::NativeModel* native = nullptr) const {
    return finish(start([&] { return call(words, native); }));
  }
};

// More states than any test waits for.
inline constexpr const char* kEndless =
    "byte a; byte b; byte c; byte d;\n"
    "process P { state s; init s; trans s -> s { effect a = (a + 1) % 256; }, s -> s { effect b = "
    "(b + 1) % 256; },\n"
    "s -> s { effect c = (c + 1) % 256; }, s -> s { effect d = (d + 1) % 256; }; }\n"
    "system async;\n";

}  // namespace child
