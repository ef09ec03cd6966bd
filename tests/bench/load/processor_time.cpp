#include "tests/bench/load/processor_time.hpp"

#include <filesystem>
#include <format>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace sluice::bench {

std::int64_t processor_microseconds(int process) {
    std::ifstream file{std::format("/proc/{}/stat", process)};
    std::string line;
    if (!std::getline(file, line)) throw std::runtime_error{std::format("process {} is gone", process)};
    std::istringstream fields{line.substr(line.rfind(')') + 1)};
    constexpr int before_user_time = 11;
    std::string skipped;
    for (int i = 0; i < before_user_time; ++i) fields >> skipped;
    std::int64_t user = 0;
    std::int64_t system = 0;
    fields >> user >> system;
    return (user + system) * 1'000'000 / sysconf(_SC_CLK_TCK);
}

std::map<std::string, std::int64_t> thread_microseconds(int process) {
    std::map<std::string, std::int64_t> threads;
    for (const auto& entry : std::filesystem::directory_iterator{std::format("/proc/{}/task", process)}) {
        std::ifstream name_file{entry.path() / "comm"};
        std::ifstream book{entry.path() / "schedstat"};
        std::string name;
        std::int64_t nanoseconds = 0;
        if (std::getline(name_file, name) && book >> nanoseconds)
            threads[name + "/" + entry.path().filename().string()] = nanoseconds / 1000;
    }
    return threads;
}

}  // namespace sluice::bench
