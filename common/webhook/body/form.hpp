#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::webhook {

/// The fields of an application/x-www-form-urlencoded body (WHATWG URL, section 5.1): bytes, decoded once.
/// Its memory only grows and is reused for the next body; what it returns lives until the next `read`.
class Form {
public:
    static constexpr std::size_t most_fields = 256;

    struct Field {
        std::string_view name;
        std::string_view value;
    };
    struct Found {
        std::size_t count = 0;
        std::string_view value{};  ///< of the last one
    };

    /// False for a % without two hex digits, or more fields than that.
    [[nodiscard]] bool read(std::string_view body);

    /// In the order of the body.
    [[nodiscard]] std::span<const Field> fields() const noexcept { return fields_; }
    [[nodiscard]] Found find(std::string_view name) const noexcept;
    /// How often the most frequent name occurs.
    [[nodiscard]] std::size_t most_of_a_name();

    /// name=value, joined by &, sorted by the bytes of the names, without the fields of `drop`.
    [[nodiscard]] std::string_view sorted_text(std::span<const std::string> drop, bool skip_blank);
    /// Lower-case hex of that text's SHA-256.
    [[nodiscard]] std::string_view sorted_digest(std::span<const std::string> drop, bool skip_blank);

    /// Whether another form has the same sorted text: name=value are joined by & without escaping, so a value
    /// "1&b=2" may be a value 1 and a field b, or one value.
    [[nodiscard]] bool has_other_reading(std::span<const std::string> drop, bool skip_blank);

    /// White space only, or nothing at all.
    [[nodiscard]] static bool is_blank(std::string_view value) noexcept;

    /// In the order of sorted_text: by the bytes of their names.
    [[nodiscard]] std::span<const Field> sorted();

    /// Whether a sorted form's signature leaves the field out.
    [[nodiscard]] static bool is_left_out(const Field& field, std::span<const std::string> drop,
                                          bool skip_blank);

private:
    [[nodiscard]] bool add(std::string_view pair, char*& room);

    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
    std::vector<Field> fields_;
    std::vector<Field> sorted_;
    std::string text_;
    std::string digest_;
};

}  // namespace sluice::webhook
