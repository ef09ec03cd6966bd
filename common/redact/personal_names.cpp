#include "common/redact/personal_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "common/redact/symbols.hpp"

namespace sluice::redact {
namespace {

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 31> personal{
    "email",    "mail",     "phone",    "telephone", "mobile",   "iban",       "bban",    "firstname",
    "lastname", "surname",  "fullname", "givenname", "holder",   "cardholder", "pin",     "pan",
    "dob",      "birth",    "birthday", "birthdate", "street",   "address",    "line1",   "line2",
    "postal",   "postcode", "zip",      "zipcode",   "passport", "ssn",        "username"};
// Two words that say it together.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> together{{{"account", "number"},
                                                                                  {"acc", "no"},
                                                                                  {"account", "no"},
                                                                                  {"routing", "number"},
                                                                                  {"sort", "code"},
                                                                                  {"security", "code"},
                                                                                  {"tax", "id"},
                                                                                  {"national", "id"},
                                                                                  {"logon", "id"},
                                                                                  {"login", "id"}}};
// In front of `name` they make it the name of a thing.
constexpr std::array<std::string_view, 19> things{
    "event", "file",  "host",   "domain",  "product", "plan",    "item",   "price", "brand",   "bank",
    "field", "table", "column", "service", "network", "country", "method", "type",  "currency"};

char lowered(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

Words words_of(std::string_view key) {
    Words words;
    bool is_new = true;
    bool after_upper = false;
    for (const Symbol& symbol : symbols_in(key)) {
        if (!symbol.is_word()) {
            is_new = true;
            continue;
        }
        const bool upper = is_upper(symbol.character);
        if (is_new || (upper && !after_upper)) words.emplace_back();
        words.back() += lowered(symbol.character);
        is_new = false;
        after_upper = upper;
    }
    return words;
}

bool is_name_of_somebody(const Words& words) {
    if (words.empty() || (words.back() != "name" && words.back() != "names")) return false;
    return words.size() == 1 || !std::ranges::contains(things, words[words.size() - 2]);
}

bool says_together(const Words& words) {
    return std::ranges::adjacent_find(words, [](const auto& first, const auto& second) {
               return std::ranges::contains(together,
                                            std::pair<std::string_view, std::string_view>{first, second});
           }) != words.end();
}

/// `buyer_id` is what support looks a payment up by, `verified` and `country` say nothing of the person.
bool is_of_a_thing(const Words& words) {
    constexpr std::array<std::string_view, 8> ends{"id",      "type",  "status", "verified",
                                                   "country", "token", "method", "currency"};
    return std::ranges::contains(ends, words.back());
}

}  // namespace

bool names_personal_data(std::string_view key) {
    const Words words = words_of(key);
    if (words.empty()) return false;
    if (is_name_of_somebody(words) || says_together(words)) return true;
    if (is_of_a_thing(words)) return false;
    return std::ranges::any_of(words, [](const auto& word) { return std::ranges::contains(personal, word); });
}

}  // namespace sluice::redact
