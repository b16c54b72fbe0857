// SPDX-License-Identifier: Apache-2.0
// Replacing a file as a whole.
#include "runtime/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hellwig {
namespace {

std::string reasonFor(const std::string& doing) {
  return doing + ": " + std::strerror(errno);
}

/// Opens the file that holds the new text until it replaces the old one, locked, so that of two writers one
/// is refused and never do both write into it. The name is always the same: what a writer that was killed
/// left there is no harm.
int openLocked(const std::string& name, std::string& problem) {
  for (int tries = 0; tries < 100; ++tries) {
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
      problem = reasonFor("cannot create " + name);
      return -1;
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      problem = errno == EWOULDBLOCK ? name + " is being written by another program"
                                     : reasonFor("cannot lock " + name);
      ::close(file);
      return -1;
    }
    // Between opening and locking another writer may have put this very file in the old one's place.
    struct stat mine {
    }, there{};
    const bool same = ::fstat(file, &mine) == 0 && ::lstat(name.c_str(), &there) == 0 &&
                      mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
    if (same && S_ISREG(mine.st_mode)) return file;
    ::close(file);
    if (same) {
      problem = name + " is not a file";
      return -1;
    }
  }
  problem = name + " is being written by another program";
  return -1;
}

} // namespace

std::string writeFileAtomically(const std::string& wanted, std::string_view text) {
  // A link stays a link; a device or folder is never replaced.
  std::error_code error;
  std::string path = wanted;
  if (std::filesystem::exists(wanted, error)) {
    path = std::filesystem::canonical(wanted, error).string();
    if (error || !std::filesystem::is_regular_file(path, error)) return wanted + " is not a file";
  }
  // The new file stands in the same folder, since a rename is atomic only within one file system.
  const std::string name = path + ".new";
  std::string problem;
  const int file = openLocked(name, problem);
  if (file < 0) return problem;
  const auto fail = [&](const std::string& doing) {
    std::string reason = reasonFor(doing);
    ::unlink(name.c_str());
    ::close(file);
    return reason;
  };
  if (::ftruncate(file, 0) != 0) return fail("cannot write " + name);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail("cannot write " + path);
    done += static_cast<std::size_t>(count);
  }
  struct stat old {};
  const mode_t mode = ::stat(path.c_str(), &old) == 0 ? old.st_mode & 0777 : 0644;
  if (::fchmod(file, mode) != 0 || ::fsync(file) != 0) return fail("cannot write " + path);
  if (::rename(name.c_str(), path.c_str()) != 0) return fail("cannot replace " + path);
  ::close(file);
  // The rename itself is on the disk once the folder is.
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  if (const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
  return {};
}

} // namespace hellwig
