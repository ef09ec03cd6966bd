#include "ingress/request/counting.hpp"

namespace sluice::ingress {
namespace {

/// False: it names nobody. A text counts as what it says, however it is escaped.
bool add_field(crypto::PartsDigest& digest, const webhook::JsonView& body, const webhook::Pointer& field) {
    if (const auto text = body.string(field)) {
        digest.part("text");
        digest.part(*text);
        return !text->empty();
    }
    const auto number = body.integer(field);
    if (!number) return false;
    digest.part("integer");
    digest.part(std::to_string(*number));
    return true;
}

std::optional<crypto::Digest> account_in(const webhook::JsonView& body, const webhook::Source& source) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part("account");
    digest.part(source.name);
    for (const webhook::Pointer& field : source.account_limit->by)
        if (!add_field(digest, body, field)) return std::nullopt;
    return digest.finish();
}

}  // namespace

dedup::Counting counting_of(const Route& route, const webhook::JsonView* body) {
    const webhook::Source& source = *route.source;
    dedup::Counting counting;
    if (source.account_limit && body != nullptr)
        if (const auto account = account_in(*body, source))
            counting.limits.push_back({*account, source.account_limit->rate});
    if (source.source_limit) counting.limits.push_back({route.metered, *source.source_limit});
    counting.home = route.metered;
    return counting;
}

std::string_view limit_name(const Route& route, const dedup::Counting& counting) {
    const bool is_source = counting.limits[*counting.over].who == route.metered;
    return is_source ? "source" : "account";
}

}  // namespace sluice::ingress
