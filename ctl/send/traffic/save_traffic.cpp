#include "ctl/send/traffic/save_traffic.hpp"

#include <filesystem>
#include <format>
#include <fstream>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

std::string raw_request(const OutgoingRequest& request, const std::string& host) {
    std::string text = "POST " + request.target + " HTTP/1.1\r\nHost: " + host + "\r\n";
    for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
    return text + "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
}

std::string kind_of(const Traffic& traffic, std::size_t position) {
    const Kind kind = traffic.plan[position].kind;
    if (kind != Kind::forged) return std::string{name_of(kind)};
    return std::string{name_of(forgery_of(traffic, position))};
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out{file, std::ios::binary};
    out << text;
    if (!out.flush()) throw Stopped{Exit::usage, file.string() + " cannot be written"};
}

}  // namespace

Json save_traffic(const Traffic& traffic, const Clock& clock, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Stopped{Exit::usage, folder + " cannot be created: " + error.message()};
    const RequestMaker maker{traffic.maker};
    Json rows = Json::array();
    for (std::size_t i = 0; i < traffic.plan.size(); ++i) {
        const ReadyRequest ready = made_ready(traffic, maker, traffic.plan[i], i, clock.wall());
        if (!ready.is_signed) throw Stopped{Exit::usage, "cannot be signed: " + ready.is_signed.error()};
        const auto file =
            std::filesystem::path{folder} / std::format("{:06}-{}.http", i + 1, kind_of(traffic, i));
        write(file, raw_request(ready.request, traffic.endpoint.host));
        rows.push_back({{"file", file.string()},
                        {"kind", kind_of(traffic, i)},
                        {"id", ready.facts.id},
                        {"type", ready.facts.type},
                        {"object", ready.facts.object}});
    }
    return rows;
}

}  // namespace sluice::ctl
