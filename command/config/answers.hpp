#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command/request/answer.hpp"
#include "common/config/section.hpp"
#include "consumer/effects/effect/lack.hpp"
#include "consumer/effects/outcome/verdict.hpp"
#include "consumer/effects/send/message_body.hpp"
#include "consumer/effects/value/prepared_text.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// What is stored and replayed is at most so long.
inline constexpr std::size_t longest_response = 64UL * 1024;

/// 2xx or 4xx: an answer, and no failure.
[[nodiscard]] bool is_storable(std::int64_t status) noexcept;
/// To callers: they send the request again, and would be told the same for ever.
[[nodiscard]] bool says_again(std::int64_t status) noexcept;

/// What is read for the answer `done`, in the effect's transaction and after it: one row, whose columns have
/// names.
struct AnswerSelect {
    config::Place place;
    effects::PreparedText text;
    std::vector<std::string> columns;
};

/// A response for each outcome that is stored. Immutable.
class Answers {
public:
    struct Template {
        std::string outcome;  ///< done, ignored, or the class of a case
        int status = 200;
        std::shared_ptr<const effects::MessageBody> body;
        config::Place place;
    };

    /// `answers:` of a command whose effect was read with `names`. Problems name file and line: a class that
    /// the effect may end with and no answer for it, an answer for a class that cannot come, no `done`, a
    /// status that is none of 2xx and 4xx or says "again" (408, 425, 429), a body that is none or too long.
    [[nodiscard]] static Answers read(const config::Value& answers, effects::NameScope& names);

    /// nullptr: this outcome has no response, so that nothing is stored. Of `ignore` without an answer of its
    /// own it is that of `done`.
    [[nodiscard]] const Template* of(const effects::Verdict& verdict) const;
    /// Of `done` alone; nullptr: there is none.
    [[nodiscard]] const AnswerSelect* select() const noexcept { return select_ ? &*select_ : nullptr; }

    /// Whether the server takes the SELECT: as effects::Effect::check.
    [[nodiscard]] Result<void> check(const std::string& command, store::Connection& connection,
                                     config::Problems& problems, std::vector<effects::Lack>& missing) const;

private:
    void read_one(const std::string& outcome, config::Section section, effects::NameScope& names);
    void check_classes(const config::Value& answers, const effects::NameScope& names) const;
    [[nodiscard]] const Template* named(std::string_view outcome) const;

    std::vector<Template> all_;
    std::optional<AnswerSelect> select_;
};

/// The response of `answer` with these values: those of the effect's `let`, then those of the SELECT. Else
/// the sentence that says why there is none. Pure.
[[nodiscard]] std::expected<Response, std::string> response_from(const Answers::Template& answer,
                                                                 const effects::EventValues& values);

}  // namespace sluice::command
