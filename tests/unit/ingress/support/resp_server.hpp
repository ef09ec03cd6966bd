#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sluice::dedup {

/// Something that speaks Redis' protocol, as badly as a test wants. One connection at a time; a thread of its
/// own.
class RespServer {
public:
    using Command = std::vector<std::string>;
    /// The bytes to answer with; nullopt: stay silent.
    using Handler = std::function<std::optional<std::string>(const Command&)>;

    explicit RespServer(Handler handler);
    ~RespServer();

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] std::vector<Command> commands() const;  ///< without the greeting
    [[nodiscard]] int connections() const noexcept { return connections_; }

private:
    void serve();
    void converse(int peer);

    Handler handler_;
    int listener_ = -1;
    int stop_[2] = {-1, -1};
    std::uint16_t port_ = 0;
    std::atomic<int> connections_{0};
    mutable std::mutex mutex_;
    std::vector<Command> commands_;
    std::thread thread_;
};

[[nodiscard]] std::string bulk(const std::string& text);

}  // namespace sluice::dedup
