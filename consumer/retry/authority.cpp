#include "consumer/retry/authority.hpp"

#include <algorithm>

namespace sluice::consumer {

std::expected<const command::OperatorKey*, command::Doubt> Authority::signer_of(const Record& record) const {
    if (keys_.empty()) return nullptr;
    const auto is_signature = [](const record::HeaderView& header) {
        return header.name == command::signature_header;
    };
    if (std::ranges::count_if(record.headers, is_signature) != 1)
        return std::unexpected{command::Doubt::not_signed};
    const auto signature = std::ranges::find_if(record.headers, is_signature);
    return command::signer_of(signature->value, record.key, record.value, place_, keys_);
}

}  // namespace sluice::consumer
