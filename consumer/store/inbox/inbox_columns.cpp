#include "consumer/store/inbox/inbox_columns.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "common/time_text.hpp"
#include "consumer/store/inbox/effect_names.hpp"

namespace sluice::store {
namespace {

constexpr std::array<std::pair<InboxStatus, std::string_view>, 9> status_names{{
    {InboxStatus::done, "done"},
    {InboxStatus::ignored, "ignored"},
    {InboxStatus::dead, "dead"},
    {InboxStatus::retry, "retry"},
    {InboxStatus::deferred, "deferred"},
    {InboxStatus::parked, "parked"},
    {InboxStatus::skipped, "skipped"},
    {InboxStatus::rerun, "rerun"},
    {InboxStatus::newer, "newer"},
}};

}  // namespace

InboxRow inbox_row(const Row& row) {
    InboxRow out;
    out.key = {day_of(std::get<WallTime>(row.at(0))), digest_column(row.at(1))};
    out.content_digest = digest_column(row.at(2));
    out.source = text_column(row.at(3));
    out.event_id = text_column(row.at(4));
    out.type = text_column(row.at(5));
    out.object_key = text_column(row.at(6));
    out.status = status_column(row.at(7));
    out.topic = text_column(row.at(8));
    out.partition = static_cast<std::int32_t>(std::get<std::int64_t>(row.at(9)));
    out.offset = std::get<std::int64_t>(row.at(10));
    out.received_at = std::get<WallTime>(row.at(11));
    out.finished_at = time_column(row.at(12));
    out.dlq = dlq_column(row.at(13));
    out.error_class = text_column(row.at(14));
    out.error_text = text_column(row.at(15));
    if (const auto had = text_column(row.at(16)); !had.empty()) out.had_effects = effects_from(had);
    out.reference = text_column(row.at(17));
    out.transaction = text_column(row.at(18));
    return out;
}

std::string_view name_of(InboxStatus status) noexcept {
    return std::ranges::find(status_names, status, &std::pair<InboxStatus, std::string_view>::first)->second;
}

std::optional<InboxStatus> inbox_status_from(std::string_view name) noexcept {
    const auto* found =
        std::ranges::find(status_names, name, &std::pair<InboxStatus, std::string_view>::second);
    if (found == status_names.end()) return std::nullopt;
    return found->first;
}

crypto::Digest digest_column(const OwnedDatum& column) {
    const auto* bytes = std::get_if<std::string>(&column);
    crypto::Digest digest{};
    if (bytes == nullptr || bytes->size() != digest.size()) {
        throw std::runtime_error("inbox: a digest is not 32 bytes");
    }
    std::ranges::copy(*bytes, digest.begin());
    return digest;
}

std::string text_column(const OwnedDatum& column) {
    const auto* text = std::get_if<std::string>(&column);
    return text != nullptr ? *text : std::string{};
}

std::optional<WallTime> time_column(const OwnedDatum& column) {
    const auto* time = std::get_if<WallTime>(&column);
    return time != nullptr ? std::optional{*time} : std::nullopt;
}

std::optional<std::int64_t> number_or_none(const OwnedDatum& column) {
    const auto* number = std::get_if<std::int64_t>(&column);
    return number != nullptr ? std::optional{*number} : std::nullopt;
}

InboxStatus status_column(const OwnedDatum& column) {
    return inbox_status_from(text_column(column)).value_or(InboxStatus::newer);
}

DlqRecord dlq_column(const OwnedDatum& column) {
    const auto* sent = std::get_if<std::int64_t>(&column);
    if (sent == nullptr) return DlqRecord::none;
    return *sent == 0 ? DlqRecord::owed : DlqRecord::sent;
}

Datum dlq_datum(DlqRecord record) noexcept {
    switch (record) {
        case DlqRecord::none:
            return nullptr;
        case DlqRecord::owed:
            return std::int64_t{0};
        case DlqRecord::sent:
            return std::int64_t{1};
    }
    return nullptr;
}

Datum time_datum(const std::optional<WallTime>& time) noexcept {
    if (!time) return nullptr;
    return *time;
}

Datum digest_datum(const crypto::Digest& digest) noexcept {
    return Bytes{crypto::as_text(digest)};
}

Datum bytes_or_null(std::string_view text, std::size_t limit) noexcept {
    if (text.empty()) return nullptr;
    return Bytes{text.substr(0, limit)};
}

Datum whole_or_null(std::string_view text) noexcept {
    return bytes_or_null(text, text.size());
}

}  // namespace sluice::store
