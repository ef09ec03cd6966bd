#include "consumer/effects/batch/batch_values.hpp"

#include <cstring>

#include "common/error.hpp"
#include "consumer/effects/effect/second_look.hpp"

namespace sluice::effects {

void BatchValues::start(std::size_t events) {
    values_.clear();
    parts_.clear();
    failures_.clear();
    texts_.release();
    read_.assign(events, {});
}

void BatchValues::read(std::size_t number, const BatchEvent& event, const std::optional<EventBody>& body) {
    Read& read = read_[number];
    read = {true, parts_.size(), 0};
    for (const Effect* effect : event.effects) {
        Part part{effect->set_based(), values_.size(), 0, std::nullopt};
        auto failed = body ? verdict_without_run(*effect, *body)
                           : Verdict{Outcome::park, make_error_code(errc::unreadable_body), {}, {}};
        if (failed && failed->outcome == Outcome::ignore) continue;  // it is not for this body
        if (!failed) failed = part.effect->evaluate({event.headers, *body}, values_, texts_);
        if (failed) {
            part.failure = failures_.size();
            failures_.push_back(std::move(*failed));
        }
        keep_texts(part.first_value);
        part.value_count = values_.size() - part.first_value;
        parts_.push_back(part);
    }
    read.part_count = parts_.size() - read.first_part;
}

/// The next body takes the place of the one that text is a view of.
void BatchValues::keep_texts(std::size_t from_value) {
    const auto keep = [this](std::string_view& text) {
        if (text.empty()) return;
        auto* kept = static_cast<char*>(texts_.allocate(text.size(), 1));
        std::memcpy(kept, text.data(), text.size());
        text = {kept, text.size()};
    };
    for (std::size_t i = from_value; i < values_.size(); ++i) {
        if (auto* text = std::get_if<std::string_view>(&values_[i])) keep(*text);
        if (auto* bytes = std::get_if<store::Bytes>(&values_[i])) keep(bytes->bytes);
    }
}

std::span<const BatchValues::Part> BatchValues::parts_of(std::size_t number) const {
    return std::span{parts_}.subspan(read_[number].first_part, read_[number].part_count);
}

EventValues BatchValues::values_of(const Part& part, const record::EventHeaders& headers) const {
    return {std::span{values_}.subspan(part.first_value, part.value_count), headers};
}

}  // namespace sluice::effects
