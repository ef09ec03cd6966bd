#include "common/webhook/extract/unread.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/printable.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/extract/livemode.hpp"
#include "common/webhook/extract/time_fields.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {
namespace {

std::string_view kind_of(JsonType type) {
    switch (type) {
        case JsonType::null:
            return "null";
        case JsonType::boolean:
            return "true or false";
        case JsonType::integer:
        case JsonType::big_number:
        case JsonType::real:
            return "a number";
        case JsonType::string:
            return "text";
        case JsonType::array:
            return "a list";
        case JsonType::object:
            break;
    }
    return "an object";
}

/// "is a number, not text".
std::string not_the_type(const JsonView& view, const Pointer& pointer, std::string_view wanted) {
    const auto type = view.type(pointer);
    if (!type) return "is not " + std::string{wanted};
    if (*type == JsonType::string && wanted == "text") return "is no text that can be read";
    return "is " + std::string{kind_of(*type)} +
           (*type == JsonType::null ? "" : ", not " + std::string{wanted});
}

std::string wrong_text(std::error_code code, const Fact& fact, const JsonView& view) {
    if (code == errc::missing_pointer) return "is missing";
    if (code == errc::duplicate_key) return "stands twice";
    if (code == errc::out_of_range) return "is no whole number of 64 bits";
    if (code == errc::wrong_type && fact.from == Fact::From::pointer)
        return not_the_type(view, fact.pointer, fact.integer ? "text or a whole number" : "text");
    return "is no text that can be read";
}

}  // namespace

NotReadable unread(std::error_code code, std::string_view key, std::string_view place,
                   std::string_view wrong) {
    std::string why{key};
    why.append(": ").append(place).append(" ").append(wrong);
    if (why.size() > Unread::longest_why) why.replace(Unread::longest_why - 3, std::string::npos, "...");
    std::ranges::replace_if(why, [](char c) { return !is_printable(c); }, '?');
    return NotReadable{{as_unreadable(code), std::move(why)}};
}

NotReadable unread_text(std::error_code code, std::string_view key, const Facts& facts,
                        const FactReader& reader, const JsonView& view) {
    // Of several places of which none has it, all are named.
    const bool is_nowhere = facts.size() > 1 && reader.place() == facts.size();
    const Fact& last = reader.last();
    return unread(code, key, is_nowhere ? name_of(facts) : name_of(last), wrong_text(code, last, view));
}

NotReadable unread_time(std::error_code code, std::string_view key, const std::vector<TimeField>& fields,
                        FactReader& reader, const JsonView& view) {
    const auto failed =
        std::ranges::find_if(fields, [&](const auto& one) { return !first_time(reader, view, {one}); });
    const std::string place = failed == fields.end() ? std::string{} : name_of(failed->at);
    if (code == errc::duplicate_key) return unread(code, key, place, "stands twice");
    if (code == errc::out_of_range) return unread(code, key, place, "is a time before 1970 or after 9999");
    return unread(code, key, place, "is no time of a form that the recipe takes");
}

NotReadable unread_livemode(std::error_code code, const Extraction& rules, const JsonView& view) {
    const std::string& place = rules.livemode->text();
    if (code == errc::duplicate_key) return unread(code, "livemode", place, "stands twice");
    const std::string_view wanted = rules.live_text.empty() ? "true or false" : "text";
    return unread(code, "livemode", place, not_the_type(view, *rules.livemode, wanted));
}

NotReadable unread_digest(std::error_code code, const Extraction& rules, const JsonView& view) {
    const auto fails = [&](const Pointer& part) {
        const auto type = view.type(part);
        return !type && type.error() == code;
    };
    for (const DigestParts& parts : rules.digest)
        if (const auto part = std::ranges::find_if(parts, fails); part != parts.end())
            return unread(code, "digest", part->text(), "stands twice");
    return unread(code, "digest", "a part", "cannot be read");
}

NotReadable unread_items(std::error_code code, const ItemsRule& rule) {
    const std::string& place = rule.at.text();
    if (code == errc::missing_pointer) return unread(code, "items", place, "is missing");
    if (code == errc::duplicate_key)
        return unread(code, "items", place, "stands twice, or what is in one of its items does");
    if (code == errc::out_of_range)
        return unread(code, "items", place, "has more than " + std::to_string(most_items) + " items");
    const std::string objects = rule.inside ? "objects with an object at " + rule.inside->text() : "objects";
    return unread(code, "items", place, "is no list of " + objects);
}

NotReadable unread_body(std::error_code code, const Source& source, std::string_view body, JsonView& view) {
    const BodyRule& rule = source.program->body;
    switch (rule.kind) {
        case BodyRule::Kind::json:
            if (rule.encrypted && view.read(body))
                return unread(code, "body", "what is encrypted in it",
                              "does not open with the source's " + rule.encrypted->key);
            break;
        case BodyRule::Kind::json_or_form:
            return unread(code, "body", "it", "is no JSON, nor a form with JSON in its field " + rule.field);
        case BodyRule::Kind::form:
            return unread(code, "body", "it", "is no form, or one that can be read in two ways");
        case BodyRule::Kind::xml_in_form:
            return unread(code, "body", "it", "is no form with XML in its field " + rule.field);
    }
    return unread(code, "body", "it", "is no JSON");
}

}  // namespace sluice::webhook
