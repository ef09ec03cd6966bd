#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::ingress {

/// Takes the date out of an answer; empty when it has none.
std::string take_date(std::string& answer);

/// Of a connection from `port` to a server in this process: bytes that the server has and has not read;
/// nothing before it has accepted.
[[nodiscard]] std::optional<std::size_t> unread_from(std::uint16_t port);

/// A client that sends bytes as it is told and reads whatever comes. Blocking, with a bound on every wait.
class Client {
public:
    /// Throws when nobody listens. `source`: the loopback address to come from.
    explicit Client(std::uint16_t port, const std::string& source = "127.0.0.1");
    Client(Client&& other) noexcept;
    ~Client();

    void send(std::string_view bytes) const;
    /// Until the server's side of the connection has all that was sent, read or not.
    void wait_for_receipt() const;
    [[nodiscard]] std::optional<std::size_t> unread() const;  ///< see unread_from
    void finish_sending() const;
    /// One whole answer without its date; what has come, when the server closes or stays silent.
    [[nodiscard]] std::string answer();
    /// Of the answer before; empty when it had none.
    [[nodiscard]] const std::string& date() const noexcept { return date_; }
    /// Everything until the server closes; nullopt when it does not.
    [[nodiscard]] std::optional<std::string> rest();
    /// Whether something has come, or the end, within a short while.
    [[nodiscard]] bool has_news(std::chrono::milliseconds within) const;

private:
    [[nodiscard]] bool receive();

    int socket_ = -1;
    std::string received_;
    std::string date_;
};

}  // namespace sluice::ingress
