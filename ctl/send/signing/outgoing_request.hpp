#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/webhook/http/request.hpp"

namespace sluice::ctl {

using RequestHeaders = std::vector<std::pair<std::string, std::string>>;

/// A POST that is being written, before or after it is signed.
struct OutgoingRequest {
    std::string target;  ///< origin form, with the query
    RequestHeaders headers;
    std::string body;
};

/// Null when there is none with that name; ignores case.
[[nodiscard]] const std::string* find_header(const OutgoingRequest& request, std::string_view name);
/// Replaces those with the same name.
void set_header(OutgoingRequest& request, const std::string& name, std::string value);

/// The same as the ingress would see it. Views into `request`, which must stay as it is.
class ArrivedRequest {
public:
    explicit ArrivedRequest(const OutgoingRequest& request);
    ArrivedRequest(const ArrivedRequest&) = delete;
    ArrivedRequest& operator=(const ArrivedRequest&) = delete;

    [[nodiscard]] const webhook::Request& view() const noexcept { return view_; }

private:
    std::vector<webhook::HeaderField> fields_;
    webhook::Request view_;
};

}  // namespace sluice::ctl
