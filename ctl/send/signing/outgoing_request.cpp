#include "ctl/send/signing/outgoing_request.hpp"

#include <algorithm>

#include "common/webhook/http/header_lookup.hpp"

namespace sluice::ctl {

const std::string* find_header(const OutgoingRequest& request, std::string_view name) {
    const auto found = std::ranges::find_if(
        request.headers, [&](const auto& header) { return webhook::is_same_name(header.first, name); });
    return found == request.headers.end() ? nullptr : &found->second;
}

void set_header(OutgoingRequest& request, const std::string& name, std::string value) {
    std::erase_if(request.headers,
                  [&](const auto& header) { return webhook::is_same_name(header.first, name); });
    request.headers.emplace_back(name, std::move(value));
}

ArrivedRequest::ArrivedRequest(const OutgoingRequest& request) {
    for (const auto& [name, value] : request.headers) fields_.push_back({name, value});
    view_ = {.method = "POST", .target = request.target, .headers = fields_, .body = request.body};
}

}  // namespace sluice::ctl
