#include "consumer/effects/effect/refused_statement.hpp"

#include "common/error.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/schema/rollback_gaps.hpp"

namespace sluice::effects {
namespace {

using store::ErrorClass;

/// For a sentence: without line breaks, and cut.
std::string in_one_line(std::string_view statement) {
    std::string out;
    for (const char c : statement.substr(0, 120)) {
        const bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
        if (!is_space) out += c;
        if (is_space && !out.empty() && out.back() != ' ') out += ' ';
    }
    return out;
}

bool is_of_the_data(std::error_code error) {
    const ErrorClass error_class = store::class_of(error);
    if (error_class == ErrorClass::data || error_class == ErrorClass::duplicate) return true;
    return error == errc::undecodable || error == errc::unreadable_body || error == errc::missing_pointer ||
           error == errc::wrong_type || error == errc::out_of_range || error == errc::duplicate_key ||
           error == errc::unlisted_row_count;
}

}  // namespace

Outcome outcome_of(std::error_code error) {
    return is_of_the_data(error) ? Outcome::park : Outcome::retry;
}

bool note_refused(const std::string& effect, const config::Place& place, const store::ServerError& said,
                  config::Problems& problems, std::vector<Lack>& missing) {
    const auto sentence = "effect '" + effect + "': the database refuses \"" + in_one_line(said.statement) +
                          "\": " + said.message;
    switch (store::class_of(said.code)) {
        case ErrorClass::schema:
            missing.push_back({place.text() + ": " + sentence, store::is_missing_right(said.code), effect});
            return true;
        case ErrorClass::data:
        case ErrorClass::duplicate:
        case ErrorClass::unknown:
            problems.add(place, sentence);
            return true;
        default:
            return false;
    }
}

Result<void> note_rollback_gap(const std::string& effect, const config::Place& place, std::string_view tables,
                               store::Connection& connection, config::Problems& problems) {
    const auto gap = store::rollback_gap(connection, tables);
    if (!gap) return Failure{gap.error()};
    if (!gap->empty()) problems.add(place, "effect '" + effect + "': " + *gap);
    return {};
}

}  // namespace sluice::effects
