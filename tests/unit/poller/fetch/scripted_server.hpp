#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <openssl/ssl.h>

namespace sluice::poller {

/// Answers each request as a test says, byte for byte, on 127.0.0.1; with TLS where there is a certificate. A
/// thread of its own, one connection at a time.
class ScriptedServer {
public:
    struct Reply {
        std::string bytes;
        enum class Then { keep, close, go_on, wait } then = Then::keep;  ///< go_on: sends `more` for ever
        std::string more{};
    };
    using Script = std::function<Reply(const std::string& head)>;

    explicit ScriptedServer(Script script, const std::string& certificate = "", const std::string& key = "");
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    [[nodiscard]] std::string authority(const std::string& host = "127.0.0.1") const;
    [[nodiscard]] std::vector<std::string> requests() const;  ///< their heads
    [[nodiscard]] int connections() const noexcept { return connections_; }

private:
    struct ReleaseContext {
        void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
    };
    class Peer;

    void serve();
    void converse(Peer& peer);

    Script script_;
    std::unique_ptr<SSL_CTX, ReleaseContext> tls_;
    int listener_;
    int port_ = 0;
    std::atomic<bool> is_over_{false};
    std::atomic<int> connections_{0};
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;
    std::thread thread_;
};

/// 200 with a Content-Length.
[[nodiscard]] ScriptedServer::Reply success(const std::string& body, const std::string& more_fields = "");

}  // namespace sluice::poller
