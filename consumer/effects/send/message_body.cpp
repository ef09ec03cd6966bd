#include "consumer/effects/send/message_body.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>

#include "common/error.hpp"
#include "common/telemetry/log.hpp"
#include "common/time_text.hpp"

namespace sluice::effects {
namespace {

using store::Datum;

bool is_json_number(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    if (text.starts_with('-')) text.remove_prefix(1);
    const auto whole = text.substr(0, text.find_first_not_of(digits));
    if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return false;
    text.remove_prefix(whole.size());
    return text.empty() ||
           (text.size() > 1 && text.front() == '.' && text.find_first_not_of(digits, 1) == text.npos);
}

/// A number or a boolean as JSON spells it; the file may mean text by it only in quotes.
bool is_json_word(std::string_view text) {
    return text == "true" || text == "false" || is_json_number(text);
}

void append_json_text(std::string_view text, std::string& out) {
    out += '"';
    append_json_escaped(out, text, text.size());
    out += '"';
}

std::string_view kept_in(std::pmr::memory_resource& made, std::string_view text) {
    auto* kept = static_cast<char*>(made.allocate(text.size(), 1));
    std::ranges::copy(text, kept);
    return {kept, text.size()};
}

void append(const Datum& value, bool is_boolean, std::string& out) {
    std::visit(
        [&]<class T>(const T& held) {
            if constexpr (std::same_as<T, std::nullptr_t>) {
                out += "null";
            } else if constexpr (std::same_as<T, std::string_view>) {
                append_json_text(held, out);
            } else if constexpr (std::is_arithmetic_v<T>) {
                out += is_boolean ? (held != 0 ? "true" : "false") : std::to_string(held);
            } else if constexpr (std::same_as<T, WallTime> || std::same_as<T, std::chrono::sys_days>) {
                append_json_text(to_rfc3339(held), out);
            }  // bytes: refused when the file was read
        },
        value);
}

}  // namespace

/// Walks over the file's tree; what was read so far waits in `letters_`.
class MessageBody::Reader {
public:
    explicit Reader(NameScope& names) : names_{names} {}

    void read(const config::Value& value) {
        if (value.is_mapping()) return read_members(value);
        if (value.is_list()) return read_items(value);
        read_scalar(value);
    }

    std::vector<Piece> pieces() && {
        if (!letters_.empty()) pieces_.push_back({std::move(letters_), std::nullopt});
        return std::move(pieces_);
    }

private:
    void read_members(const config::Value& mapping) {
        letters_ += '{';
        bool is_first = true;
        for (const auto& [key, value] : mapping.entries()) {
            if (!std::exchange(is_first, false)) letters_ += ',';
            append_json_text(key.scalar(), letters_);
            letters_ += ':';
            read(value);
        }
        letters_ += '}';
    }

    void read_items(const config::Value& list) {
        letters_ += '[';
        bool is_first = true;
        for (const auto& item : list.items()) {
            if (!std::exchange(is_first, false)) letters_ += ',';
            read(item);
        }
        letters_ += ']';
    }

    void read_scalar(const config::Value& value) {
        const auto operand = read_operand(value, names_);
        if (operand.kind == Operand::Kind::null) {
            letters_ += "null";
        } else if (operand.kind == Operand::Kind::literal) {
            const bool is_word = !value.is_quoted() && is_json_word(operand.text);
            if (is_word) letters_ += operand.text;
            if (!is_word) append_json_text(operand.text, letters_);
        } else {
            const auto type = type_of(operand, names_.let());
            if (type == ParameterType::bytes)
                value.problem("JSON has no bytes: read them as text, or leave them out");
            pieces_.push_back({std::exchange(letters_, {}), operand, type == ParameterType::boolean});
        }
    }

    NameScope& names_;
    std::string letters_;
    std::vector<Piece> pieces_;
};

std::shared_ptr<const MessageBody> MessageBody::read(const config::Value& body, NameScope& names) {
    auto message = std::make_shared<MessageBody>();
    if (!body.is_mapping()) {
        body.problem(
            "body must be a mapping, as in {order: \":reference\", amount: \":amount\"}, or payment_event");
        return message;
    }
    Reader reader{names};
    reader.read(body);
    message->pieces_ = std::move(reader).pieces();
    return message;
}

std::size_t MessageBody::least_size() const noexcept {
    std::size_t size = 0;
    for (const Piece& piece : pieces_) size += piece.letters.size();
    return size;
}

Result<Datum> MessageBody::make(const EventValues& event, std::pmr::memory_resource& made) const {
    std::string text;
    for (const Piece& piece : pieces_) {
        text += piece.letters;
        if (!piece.value) continue;
        const auto value = value_of(*piece.value, event);
        if (!value) return Failure{value.error()};
        append(*value, piece.is_boolean, text);
        if (text.size() > longest) return Failure{make_error_code(errc::out_of_range)};
    }
    return Datum{kept_in(made, text)};
}

}  // namespace sluice::effects
