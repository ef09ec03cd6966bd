#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/metering/rate.hpp"
#include "common/webhook/body/pointer.hpp"

namespace sluice::webhook {

/// Of an account: what fields of a body name. No fields: of all requests.
struct AccountLimit {
    std::vector<Pointer> by;
    metering::Rate rate;
};

/// `KEY: {by: [/merchant], rate: 50/s, burst: 100}` of a section; nullopt: it has none.
[[nodiscard]] std::optional<AccountLimit> read_account_limit(config::Section& section, std::string_view key);

}  // namespace sluice::webhook
