#include "ctl/cli/file_content.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {

std::string file_content(const std::string& path) {
    std::ifstream file{path == "-" ? "/dev/stdin" : path, std::ios::binary};
    std::string content{std::istreambuf_iterator<char>{file}, {}};
    if (!file.is_open() || file.bad())
        throw Stopped{Exit::usage, "cannot read " + (path == "-" ? "standard input" : path)};
    return content;
}

void write_private_file(const std::string& path, std::string_view bytes) {
    const auto refuse = [&] {
        throw Stopped{Exit::usage, "cannot write " + path + ": " + std::generic_category().message(errno)};
    };
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) refuse();
    while (!bytes.empty()) {
        const auto written = write(file, bytes.data(), bytes.size());
        if (written < 0) break;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (close(file) < 0 || !bytes.empty()) refuse();
}

}  // namespace sluice::ctl
