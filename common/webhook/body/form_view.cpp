#include "common/webhook/body/form_view.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <iconv.h>

#include "common/webhook/body/json_text.hpp"
#include "common/webhook/http/header_lookup.hpp"

namespace sluice::webhook {
namespace {

/// One conversion into UTF-8. Not thread-safe.
class Conversion {
public:
    explicit Conversion(const char* from) : handle_(::iconv_open("UTF-8", from)) {}
    ~Conversion() {
        if (is_there()) ::iconv_close(handle_);
    }
    Conversion(const Conversion&) = delete;
    Conversion& operator=(const Conversion&) = delete;

    /// At most four bytes for each.
    bool append(std::string& out, std::string_view text) {
        if (!is_there()) return false;
        ::iconv(handle_, nullptr, nullptr, nullptr, nullptr);
        const std::size_t before = out.size();
        out.resize(before + 4 * text.size());
        char* in = const_cast<char*>(text.data());  // NOLINT: iconv does not write there
        std::size_t left = text.size();
        char* to = out.data() + before;
        std::size_t room = 4 * text.size();
        const bool done = ::iconv(handle_, &in, &left, &to, &room) != static_cast<std::size_t>(-1);
        out.resize(static_cast<std::size_t>(to - out.data()));
        return done && left == 0;
    }

private:
    [[nodiscard]] bool is_there() const { return handle_ != reinterpret_cast<iconv_t>(-1); }  // NOLINT
    iconv_t handle_;
};

bool is_one_of(std::string_view charset, std::span<const std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return is_same_name(charset, name); });
}

/// Adds `text` as UTF-8. False for a charset that none of our providers uses, and for bytes that are not
/// valid in it. UTF-8 itself is copied unchecked: its next reader checks it.
bool append_utf8(std::string& out, std::string_view text, std::string_view charset) {
    constexpr std::array<std::string_view, 3> as_it_is{"", "UTF-8", "UTF8"};
    constexpr std::array<std::string_view, 3> chinese{"GBK", "GB2312", "GB18030"};
    if (is_one_of(charset, as_it_is)) {
        out += text;
        return true;
    }
    if (!is_one_of(charset, chinese)) return false;
    thread_local Conversion gbk{"GBK"};
    thread_local Conversion gb18030{"GB18030"};
    return (is_same_name(charset, "GB18030") ? gb18030 : gbk).append(out, text);
}

}  // namespace

bool append_json_object(std::string& json, const Form& form, std::string_view charset,
                        const std::optional<SortedForm>& sorted) {
    const auto counts = [&](const Form::Field& field) {
        return !sorted || !Form::is_left_out(field, sorted->drop, sorted->skip_blank);
    };
    const std::string_view named = charset.empty() ? std::string_view{} : form.find(charset).value;
    const bool names_charset = counts({charset, named});
    std::string text;
    json += '{';
    for (const Form::Field& field : form.fields()) {
        if (!counts(field)) continue;
        text.clear();
        if (!append_utf8(text, field.value, names_charset ? named : std::string_view{})) return false;
        if (json.back() != '{') json += ',';
        append_json_string(json, field.name);
        json += ':';
        append_json_string(json, text);
    }
    json += '}';
    return true;
}

}  // namespace sluice::webhook
