#pragma once

#include <span>
#include <string_view>

namespace sluice::webhook {

/// One request header as received; names are compared ignoring case.
struct HeaderField {
    std::string_view name;
    std::string_view value;  ///< without leading and trailing spaces and tabs
};

/// A request that passed the gate: raw bytes, nothing decoded. All views are the caller's.
struct Request {
    std::string_view method;
    std::string_view target;  ///< origin form, with the query
    std::span<const HeaderField> headers;
    std::string_view body;
};

}  // namespace sluice::webhook
