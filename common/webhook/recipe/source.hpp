#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/section.hpp"
#include "common/metering/rate.hpp"
#include "common/network/address.hpp"
#include "common/webhook/recipe/account_limit.hpp"
#include "common/webhook/recipe/answer.hpp"
#include "common/webhook/recipe/trust.hpp"

namespace sluice::webhook {

struct Program;  // the recipe, compiled against one source's settings (common/webhook/recipe/program.hpp)

/// One `sources:` entry with its recipe compiled and its keys resolved. Immutable; shared by all
/// threads and replaced as a whole on reload. Key material is wiped when the last owner lets go.
struct Source {
    std::string name;      ///< also the last part of the path, unless one is given
    std::string provider;  ///< the recipe's
    std::string recipe;
    std::string principal;  ///< the account; with the provider a part of every key of its events
    bool polled = false;    ///< its events are read from the provider's list: no request comes to it
    std::string path;       ///< matched byte for byte; of a polled one poll:<name>, which no request can have
    std::size_t max_body = 512 * 1024;  ///< bytes
    Milliseconds answer_within{4000};
    bool has_dear_checks =
        false;                   ///< signatures of public keys: a wrong one costs as much as a hundred HMACs
    bool has_items = false;      ///< a delivery carries several events (items.hpp)
    bool allow_chunked = false;  ///< exactly `Transfer-Encoding: chunked`
    std::vector<network::Block> allow{};           ///< whose requests are taken; empty: everybody's
    std::optional<metering::Rate> client_limit{};  ///< of one client's requests to it, in one process
    std::optional<metering::Rate> source_limit{};  ///< of its authentic requests, over all processes
    std::optional<AccountLimit> account_limit{};   ///< of those of one account, over all processes
    AnswerTable answers;
    Trust trust = Trust::full;
    std::vector<std::string> signed_fields{};  ///< of an item, as pointers; empty: all that is in the body
    std::string
        delivery_header{};  ///< holds the provider's own id of a delivery; empty: none, or it is signed
    std::unique_ptr<const Program, void (*)(const Program*)> program{nullptr,
                                                                     nullptr};  ///< never null in a SourceSet

    [[nodiscard]] bool takes_from(const network::Address& client) const {
        const auto has_client = [&](const network::Block& block) { return block.contains(client); };
        return allow.empty() || std::ranges::any_of(allow, has_client);
    }
};

using SourceSet = std::vector<std::shared_ptr<const Source>>;

/// Reads `recipes:` and `sources:`. Problems (an unknown recipe, a key that does not resolve, two
/// sources of one path, sources that share a principal but differ in recipe or in what keys are made of,
/// a polled source with what only requests need, a recipe that cannot be safe) go to `problems` with file and
/// line; two sources that share key material are a warning. Built-in recipes are embedded at build time
/// (common/webhook/recipes/*.yaml).
[[nodiscard]] SourceSet read_sources(const config::Document& document, config::Problems& problems);

/// Without keys: what the consumer needs to decode bodies. Its only secrets are those that decrypt bodies
/// (WeChat Pay's api_v3_key), never one that signatures are checked with.
[[nodiscard]] SourceSet read_sources_without_keys(const config::Document& document,
                                                  config::Problems& problems);

}  // namespace sluice::webhook
