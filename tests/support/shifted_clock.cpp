// Preloaded into a program, this moves its wall clock: by SHIFTED_CLOCK_SECONDS, or by the seconds that lie,
// as eight bytes of this machine's order, in the file SHIFTED_CLOCK_FILE, which may change at any time.
// Nothing but std::chrono::system_clock moves: a library that shifts every clock of the process makes
// librdkafka's waits, which are absolute times, end at once or never.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

const std::int64_t* mapped_file(const char* name) {
    const int file = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) std::abort();
    void* memory = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (memory == MAP_FAILED) std::abort();
    return static_cast<const std::int64_t*>(memory);
}

std::int64_t shift() {
    static const char* const name = std::getenv("SHIFTED_CLOCK_FILE");
    static const std::int64_t* const moving = name == nullptr ? nullptr : mapped_file(name);
    if (moving != nullptr) return __atomic_load_n(moving, __ATOMIC_RELAXED);
    static const char* const text = std::getenv("SHIFTED_CLOCK_SECONDS");
    static const std::int64_t fixed = text == nullptr ? 0 : std::atoll(text);
    return fixed;
}

}  // namespace

std::chrono::system_clock::time_point std::chrono::system_clock::now() noexcept {
    timespec at{};
    clock_gettime(CLOCK_REALTIME, &at);
    return time_point{std::chrono::seconds{at.tv_sec + shift()} + std::chrono::nanoseconds{at.tv_nsec}};
}
