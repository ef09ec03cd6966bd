#include "common/webhook/extract/livemode.hpp"

namespace sluice::webhook {
namespace {

Result<bool> says_so(const JsonView& view, const Extraction& extraction) {
    if (extraction.live_text.empty()) return view.boolean(*extraction.livemode);
    return view.string(*extraction.livemode).transform([&extraction](std::string_view text) {
        return text == extraction.live_text;
    });
}

}  // namespace

Result<bool> livemode_of(const JsonView& view, const Extraction& extraction) {
    if (!extraction.livemode) return extraction.livemode_if_absent;
    const auto type = view.type(*extraction.livemode);
    if (!type && type.error() != errc::missing_pointer) return Failure{type.error()};
    if (!type || *type == JsonType::null) return extraction.livemode_if_absent;
    const auto said = says_so(view, extraction);
    if (!said) return Failure{as_unreadable(said.error())};
    return *said != extraction.means_test;
}

}  // namespace sluice::webhook
