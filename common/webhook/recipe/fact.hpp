#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/http/request.hpp"

namespace sluice::webhook {

/// Where one text of an event stands.
struct Fact {
    enum class From {
        pointer,
        header,
        query,
        digest,        ///< SHA-256 of a string, in hex
        body_digest,   ///< SHA-256 of the whole body, in hex
        field_digest,  ///< SHA-256 of a form's field as it is decoded, in hex, without a line feed at its end
        literal,
        templated,  ///< a pointer of which one part stands in the document
    };
    From from = From::pointer;
    Pointer pointer{};  ///< also of what a digest is taken of
    std::string
        name{};  ///< of the header, the parameter or the field; the literal; of a template what stands before
    std::string behind{};  ///< of a template: what follows the part that is looked up
    enum class Cut { nothing, plural, first_word } cut = Cut::nothing;  ///< of that part
    std::string
        key_setting{};      ///< of a pointer: the source's setting that names its last part (payments only)
    bool integer = false;   ///< a JSON integer counts as its digits
    bool optional = false;  ///< absent, null or empty is no error, only left out

    [[nodiscard]] bool operator==(const Fact& other) const {
        return from == other.from && pointer.text() == other.pointer.text() && name == other.name &&
               behind == other.behind && cut == other.cut && key_setting == other.key_setting &&
               integer == other.integer && optional == other.optional;
    }
};

/// Alternatives, of which the first that is there counts; the facts of one are joined by a full stop.
using Joined = std::vector<Fact>;
using Facts = std::vector<Joined>;

/// For messages: "/data/id", "header X-Id", "/a + /b or /c".
[[nodiscard]] std::string name_of(const Facts& facts);
[[nodiscard]] std::string name_of(const Joined& facts);
[[nodiscard]] std::string name_of(const Fact& fact);

/// Reads facts out of one authentic request. What it returns lives until the next call.
class FactReader {
public:
    FactReader(const Request& request, const JsonView& view) : request_(request), view_(view) {}

    /// errc::missing_pointer when there is no such value, errc::duplicate_key when there are two,
    /// errc::wrong_type for a value that is no text. Empty when all are optional and absent.
    [[nodiscard]] Result<std::string_view> text(const Facts& facts);
    [[nodiscard]] Result<std::string_view> text(const Joined& facts);
    [[nodiscard]] Result<std::string_view> text(const Fact& fact);

    /// Which of the alternatives that were read last gave their text, from 0; their number where none did.
    [[nodiscard]] std::size_t place() const noexcept { return place_; }
    /// The fact that was read last: the one at fault, where there was a fault. Lives as long as its recipe.
    [[nodiscard]] const Fact& last() const noexcept { return *last_; }

private:
    [[nodiscard]] Result<std::string_view> found(const Fact& fact);
    [[nodiscard]] bool is_null(const Fact& fact) const;
    [[nodiscard]] Result<std::string_view> at_pointer(const Fact& fact);
    [[nodiscard]] Result<std::string_view> in_header(const Fact& fact) const;
    [[nodiscard]] Result<std::string_view> in_query(const Fact& fact);
    [[nodiscard]] Result<std::string_view> digest_of(const Fact& fact);
    [[nodiscard]] Result<std::string_view> in_template(const Fact& fact);
    [[nodiscard]] Result<std::string_view> digest_of_field(const Fact& fact);

    const Request& request_;
    const JsonView& view_;
    std::string own_;  // one text that the request does not hold in this form
    std::string joined_;
    std::size_t place_ = 0;
    inline static const Fact none{};
    const Fact* last_ = &none;
};

}  // namespace sluice::webhook
