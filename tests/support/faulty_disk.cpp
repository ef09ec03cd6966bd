// Preloaded into a program, this is a disk that fails, for the files below FAULTY_DISK_FOLDER.
//   FAULTY_DISK_ORDERS  a file that is read at each call, lines "CALL ERRNO" or "CALL slow MILLISECONDS";
//                       calls: write, sync (of a file), names (fsync of a folder), read, remove
//   FAULTY_DISK_LEDGER  a file that gets a line for what is durable: "sync SIZE NAME" after a file is synced,
//                       "names" after its folder is, "remove NAME" before a file is removed
//   FAULTY_DISK_GONE    a folder that gets a link to each file before it is removed
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::string environment(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

const std::string& folder() {
    static const std::string path = environment("FAULTY_DISK_FOLDER");
    return path;
}

/// Empty: not ours.
std::string path_of(int descriptor) {
    char link[64];
    char path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t size = ::readlink(link, path, sizeof path);
    const std::string text{path, size > 0 ? static_cast<std::size_t>(size) : 0};
    return text.rfind(folder(), 0) == 0 ? text : "";
}

void note(const std::string& line) {
    static const int file =
        ::open(environment("FAULTY_DISK_LEDGER").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string text = line + "\n";
    if (::write(file, text.data(), text.size()) < 0) std::abort();
}

std::string name_of(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// Whether the call fails; errno says how.
bool fails(const std::string& call) {
    std::ifstream orders{environment("FAULTY_DISK_ORDERS")};
    std::string line;
    while (std::getline(orders, line)) {
        std::istringstream words{line};
        std::string name, what;
        long number = 0;
        words >> name >> what >> number;
        if (name != call) continue;
        if (what == "slow") {
            ::poll(nullptr, 0, static_cast<int>(number));
            continue;
        }
        errno = what == "ENOSPC" ? ENOSPC : EIO;
        return true;
    }
    return false;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
    static auto* const next = real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    if (path_of(descriptor).empty()) return next(descriptor, bytes, size, at);
    if (!fails("write")) return next(descriptor, bytes, size, at);
    // A disk that fills does so in the middle of something.
    const int error = errno;
    if (size > 1) return next(descriptor, bytes, size / 2, at);
    errno = error;
    return -1;
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
    return pwrite64(descriptor, bytes, size, at);
}

ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t at) {
    static auto* const next = real<ssize_t(int, void*, size_t, off64_t)>("pread64");
    if (!path_of(descriptor).empty() && fails("read")) return -1;
    return next(descriptor, bytes, size, at);
}
ssize_t pread(int descriptor, void* bytes, size_t size, off_t at) {
    return pread64(descriptor, bytes, size, at);
}

int fdatasync(int descriptor) {
    static auto* const next = real<int(int)>("fdatasync");
    const std::string path = path_of(descriptor);
    if (path.empty()) return next(descriptor);
    if (fails("sync")) return -1;
    struct ::stat facts{};
    ::fstat(descriptor, &facts);
    const int result = next(descriptor);
    if (result == 0) note("sync " + std::to_string(facts.st_size) + " " + name_of(path));
    return result;
}

int fsync(int descriptor) {
    static auto* const next = real<int(int)>("fsync");
    if (path_of(descriptor).empty()) return next(descriptor);
    if (fails("names")) return -1;
    const int result = next(descriptor);
    if (result == 0) note("names");
    return result;
}

int unlink(const char* path) {
    static auto* const next = real<int(const char*)>("unlink");
    const std::string text{path};
    if (text.rfind(folder(), 0) != 0) return next(path);
    if (fails("remove")) return -1;
    const std::string gone = environment("FAULTY_DISK_GONE") + "/" + name_of(text);
    if (::link(path, gone.c_str()) != 0 && errno != EEXIST) std::abort();
    note("remove " + name_of(text));
    return next(path);
}

}  // extern "C"
