#include "common/webhook/extract/livemode.hpp"

namespace sluice::webhook {

Result<bool> livemode_of(const JsonView& view, const Extraction& extraction) {
    if (!extraction.livemode) return extraction.livemode_if_absent;
    const auto type = view.type(*extraction.livemode);
    if (!type && type.error() != errc::missing_pointer) return Failure{type.error()};
    if (!type || *type == JsonType::null) return extraction.livemode_if_absent;
    if (extraction.live_text.empty())
        return view.boolean(*extraction.livemode).transform_error(as_unreadable);
    const auto text = view.string(*extraction.livemode);
    if (!text) return Failure{as_unreadable(text.error())};
    return *text == extraction.live_text;
}

}  // namespace sluice::webhook
