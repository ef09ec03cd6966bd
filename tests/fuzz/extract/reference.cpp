#include "tests/fuzz/extract/reference.hpp"

#include <algorithm>
#include <initializer_list>

#include "common/time_text.hpp"
#include "tests/fuzz/json/json_mask.hpp"
#include "tests/fuzz/support/input.hpp"

namespace sluice::fuzz {
namespace {

using Kind = Json::Kind;

constexpr std::int64_t first_of_year_10000 = 253'402'300'800;

bool all_between(std::string_view text, unsigned char least, unsigned char most) {
    return std::ranges::all_of(text, [&](unsigned char c) { return c >= least && c <= most; });
}

std::optional<std::string> printable(const Json& root, std::string_view pointer, std::size_t longest) {
    const Found found = at(root, pointer);
    if (!found || (*found)->kind != Kind::string) return std::nullopt;
    const std::string& text = (*found)->text;
    if (text.empty() || text.size() > longest || !all_between(text, 0x20, 0x7e)) return std::nullopt;
    return text;
}

/// "" where there is none; nothing where the body must be refused.
std::optional<std::string> object_in(const Json& root) {
    for (const std::string pointer :
         {"/data/object/payment_intent", "/data/object/id", "/related_object/id"}) {
        Found found = at(root, pointer);
        if (found && (*found)->kind != Kind::string) found = at(root, pointer + "/id");
        if (!found && found.error() == Absent::twin) return std::nullopt;
        if (!found || (*found)->kind != Kind::string || (*found)->text.empty()) continue;
        const std::string& text = (*found)->text;
        const bool has_control =
            std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
        if (text.size() > 255 || has_control || text.contains(half_pair)) return std::nullopt;
        return text;
    }
    return "";
}

/// False where the body must be refused.
bool read_time(const Json& root, Facts& facts) {
    const Found found = at(root, "/created");
    if (!found) return found.error() == Absent::missing;
    const Json& value = **found;
    if (value.kind == Kind::null) return true;
    if (value.kind == Kind::integer)
        facts.occurred_at.emplace(
            std::chrono::seconds{std::clamp<std::int64_t>(value.integer, -1, first_of_year_10000)});
    if (value.kind == Kind::string) facts.occurred_at = from_rfc3339(value.text);
    return facts.occurred_at && facts.occurred_at->time_since_epoch() >= std::chrono::seconds{0} &&
           facts.occurred_at->time_since_epoch() < std::chrono::seconds{first_of_year_10000};
}

bool read_livemode(const Json& root, Facts& facts) {
    const Found found = at(root, "/livemode");
    if (!found) return found.error() == Absent::missing;
    if ((*found)->kind == Kind::boolean) facts.livemode = (*found)->boolean;
    return (*found)->kind == Kind::boolean || (*found)->kind == Kind::null;
}

/// The digest's parts can be told: no twins before the first alternative that is there.
bool has_digest(const Json& root) {
    using Parts = std::initializer_list<std::string_view>;
    for (const Parts& parts : {Parts{"/type", "/data"}, Parts{"/type", "/related_object"}}) {
        bool whole = true;
        for (const std::string_view part : parts) {
            const Found found = at(root, part);
            if (!found && found.error() == Absent::twin) return false;
            whole = found && (*found)->kind != Kind::null;
            if (!whole) break;
        }
        if (whole) return true;
    }
    return true;
}

}  // namespace

Found at(const Json& root, std::string_view pointer) {
    const Json* here = &root;
    for (const std::string_view token : parts_of(pointer.substr(1), '/')) {
        if (here->kind == Kind::array) {
            const std::string text{token};
            const bool index = !text.empty() && text.size() < 10 && all_between(text, '0', '9');
            if (!index || (text.size() > 1 && text[0] == '0') || std::stoul(text) >= here->values.size())
                return std::unexpected{Absent::missing};
            here = &here->values[std::stoul(text)];
            continue;
        }
        const auto count = std::ranges::count(here->names, token);
        if (count != 1) return std::unexpected{count == 0 ? Absent::missing : Absent::twin};
        here = &here->values[static_cast<std::size_t>(std::ranges::find(here->names, token) -
                                                      here->names.begin())];
    }
    return here;
}

std::optional<Facts> facts_of(std::string_view body) {
    const auto root = read_json(body);
    if (!root) return std::nullopt;
    const auto id = printable(*root, "/id", 255);
    const auto type = printable(*root, "/type", 128);
    const auto object = object_in(*root);
    if (!id || !type || !object) return std::nullopt;
    Facts facts{.id = *id, .type = *type, .object = *object, .livemode = true, .occurred_at = {}};
    if (!read_time(*root, facts) || !read_livemode(*root, facts) || !has_digest(*root)) return std::nullopt;
    return facts;
}

}  // namespace sluice::fuzz
