#include "ctl/send/traffic/journal.hpp"

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {

Journal::Journal(const std::string& path) : is_open_{!path.empty()} {
    if (!is_open_) return;
    file_.open(path, std::ios::trunc);
    if (!file_) throw Stopped{Exit::usage, "cannot write " + path};
}

void Journal::write(const Sent& sent) {
    if (!is_open_) return;
    const std::string line = to_line(to_json(sent)) + "\n";
    const std::scoped_lock lock{mutex_};
    file_ << line << std::flush;
}

}  // namespace sluice::ctl
