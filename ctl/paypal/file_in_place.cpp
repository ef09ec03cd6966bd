#include "ctl/paypal/file_in_place.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file_descriptor.hpp"

namespace sluice::ctl {
namespace {

[[noreturn]] void stop_writing(const std::filesystem::path& file) {
    throw std::system_error{last_error(), "cannot write " + file.string()};
}

/// A file under a name that no reader looks for; gone unless it was moved.
class Draft {
public:
    explicit Draft(const std::filesystem::path& file)
        : name_{(file.parent_path() / ("." + file.filename().string() + ".XXXXXX")).string()},
          descriptor_{::mkostemp(name_.data(), O_CLOEXEC)} {
        if (!descriptor_.is_open()) stop_writing(file);
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        if (!name_.empty()) ::unlink(name_.c_str());
    }

    [[nodiscard]] bool write(std::string_view text) const {
        while (!text.empty()) {
            const auto count = ::write(descriptor_.number(), text.data(), text.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return false;
            text.remove_prefix(static_cast<std::size_t>(count));
        }
        constexpr mode_t everybody_reads = 0644;
        return ::fchmod(descriptor_.number(), everybody_reads) == 0 && ::fsync(descriptor_.number()) == 0;
    }
    [[nodiscard]] bool move_to(const std::filesystem::path& file) {
        const bool is_moved = ::rename(name_.c_str(), file.c_str()) == 0;
        if (is_moved) name_.clear();
        return is_moved;
    }

private:
    std::string name_;
    FileDescriptor descriptor_;
};

}  // namespace

void put_in_place(const std::filesystem::path& file, std::string_view text) {
    Draft draft{file};
    if (!draft.write(text) || !draft.move_to(file)) stop_writing(file);
    const FileDescriptor folder{::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!folder.is_open() || ::fsync(folder.number()) != 0) stop_writing(file);
}

}  // namespace sluice::ctl
