#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "tests/bench/floor/request.hpp"
#include "tests/bench/wire/signature.hpp"

namespace sluice::bench {

/// What a webhook is about.
struct Webhook {
    std::string id;      ///< /id
    std::string object;  ///< /data/object/id
};

/// Checks signatures and reads bodies. One thread.
class Reader {
public:
    explicit Reader(std::string_view secret) : signature_{secret} {}

    /// Time window and signature, compared in constant time.
    [[nodiscard]] bool is_authentic(const Request& request);
    /// One parse of the whole document. Nothing: it is not JSON, or a field is missing. `request.body` has
    /// simdjson's padding behind it.
    [[nodiscard]] std::optional<Webhook> read(const Request& request);

private:
    Signature signature_;
    simdjson::dom::parser parser_;
};

}  // namespace sluice::bench
