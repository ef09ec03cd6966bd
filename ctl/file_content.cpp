#include "ctl/file_content.hpp"

#include <fstream>
#include <iterator>

#include "ctl/exit.hpp"

namespace sluice::ctl {

std::string file_content(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::string content{std::istreambuf_iterator<char>{file}, {}};
    if (!file.is_open() || file.bad()) throw Stopped{Exit::usage, "cannot read " + path};
    return content;
}

}  // namespace sluice::ctl
