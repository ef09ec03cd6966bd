#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "common/webhook/http/request.hpp"

namespace sluice::ctl {

/// One raw HTTP request as it lies in a file: a head with CRLF line ends, an empty line, the raw body
/// up to the end of the file. All views point into the text that was parsed.
struct RequestFile {
    webhook::Request request;  ///< its headers are `fields`
    std::vector<webhook::HeaderField> fields;
    std::string_view head;  ///< with the empty line
    bool is_crlf = true;    ///< false: the head's lines end with LF, as an editor leaves them

    RequestFile() = default;
    RequestFile(RequestFile&&) = default;  // the vector's storage moves along, the span stays good
    RequestFile& operator=(RequestFile&&) = default;
    RequestFile(const RequestFile&) = delete;
    RequestFile& operator=(const RequestFile&) = delete;
};

/// Takes apart what can be taken apart without a guess; whether the ingress would let it in is the
/// gate's affair (ctl/verify/gate_view.hpp). The error is the clause that says why there is no request in the
/// text.
[[nodiscard]] std::expected<RequestFile, std::string> parse_request_file(std::string_view text);

}  // namespace sluice::ctl
