#include "ctl/entry/erased.hpp"

#include <format>

#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {

std::string erased_text(const store::Erasure& erasure) {
    return std::format("erased {} by {}{}", short_time(erasure.at),
                       redact::without_control_bytes(erasure.operator_name),
                       erasure.is_finished ? "" : " (begun then, not finished)");
}

Json to_json(const std::optional<store::Erasure>& erasure) {
    if (!erasure) return nullptr;
    return {{"at", to_rfc3339(erasure->at)},
            {"operator", erasure->operator_name},
            {"finished", erasure->is_finished}};
}

}  // namespace sluice::ctl
