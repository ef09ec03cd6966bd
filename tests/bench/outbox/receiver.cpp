// Takes messages for `./run bench relay`: 204 for each POST, at once, after a while or never. GET /arrivals
// lists them, one a line: idempotency key, microseconds since 1970.
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "tests/bench/answers/server.hpp"

namespace {

namespace http = boost::beast::http;

struct Options {
    std::uint16_t port = 0;
    int after_us = 0;
    bool hangs = false;
};

/// What came, a line each.
class Arrivals {
public:
    void add(std::string_view key) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        lines_.append(key).append(" ");
        lines_ += std::to_string(std::chrono::floor<std::chrono::microseconds>(now).count()) + "\n";
    }
    [[nodiscard]] const std::string& lines() const noexcept { return lines_; }

private:
    std::string lines_;
};

std::optional<sluice::bench::Answer> answer_of(Arrivals& arrivals, const sluice::bench::Request& request,
                                               const Options& options) {
    sluice::bench::Answer answer{{http::status::no_content, 11}, {}};
    if (request.method() == http::verb::get) {
        answer.response.result(http::status::ok);
        answer.response.body() = arrivals.lines();
        answer.response.prepare_payload();
        return answer;
    }
    arrivals.add(request["idempotency-key"]);
    if (options.hangs) return std::nullopt;
    answer.after = std::chrono::microseconds{options.after_us};
    return answer;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"takes messages and says when each came"};
    Options options;
    app.add_option("--port", options.port)->required();
    app.add_option("--after-us", options.after_us, "answers so late");
    app.add_flag("--hangs", options.hangs, "never answers");
    CLI11_PARSE(app, count, arguments);
    try {
        Arrivals arrivals;
        sluice::bench::Server{
            options.port,
            [&](const sluice::bench::Request& request) { return answer_of(arrivals, request, options); }}
            .run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "receiver: %s\n", error.what());
        return 1;
    }
    return 0;
}
