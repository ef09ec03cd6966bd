#include "common/webhook/body/json_index.hpp"

#include <simdjson.h>

#include <algorithm>
#include <new>
#include <utility>

#include "common/webhook/body/json_grammar.hpp"

namespace sluice::webhook {

namespace {

constexpr std::size_t first_room = 16 * 1024;

const std::uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
}

}  // namespace

static_assert(JsonIndex::padding >= simdjson::SIMDJSON_PADDING);

JsonIndex::JsonIndex() = default;
JsonIndex::~JsonIndex() = default;

void JsonIndex::make_room(std::size_t bytes) {
    if (stage_ && bytes <= room_) return;
    const std::size_t room = std::max(bytes, first_room);
    decltype(stage_) stage;
    const auto error =
        simdjson::get_active_implementation()->create_dom_parser_implementation(room, most_nested, stage);
    if (error != simdjson::SUCCESS) throw std::bad_alloc{};
    ends_ = std::make_unique_for_overwrite<std::uint32_t[]>(room);
    stage_ = std::move(stage);
    room_ = room;
}

bool JsonIndex::read(std::string_view text) {
    make_room(text.size());
    const auto error = stage_->stage1(bytes_of(text), text.size(), simdjson::stage1_mode::regular);
    if (error != simdjson::SUCCESS) return false;
    tokens_ = {.text = text,
               .places = {stage_->structural_indexes.get(), stage_->n_structural_indexes},
               .ends = ends_.get()};
    return find_escapes(tokens_) && is_document(tokens_, ends_.get());
}

std::size_t JsonIndex::unescape(const char* written, char* target) const {
    auto* const out = reinterpret_cast<std::uint8_t*>(target);
    const std::uint8_t* const end =
        stage_->parse_string(reinterpret_cast<const std::uint8_t*>(written), out, false);
    return end == nullptr ? no_text : static_cast<std::size_t>(end - out);
}

}  // namespace sluice::webhook
