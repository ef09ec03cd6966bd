#include "tests/fuzz/resp/resp_reference.hpp"

#include <charconv>
#include <optional>

namespace sluice::fuzz {
namespace {

constexpr std::size_t longest = 16 * 1024;  // of a text, as ReplyReader allows

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_{bytes} {}

    /// Nothing when it is wrong, cut off or foreign.
    std::optional<RespReply> reply() {
        if (rest_.empty()) return std::nullopt;
        const char type = rest_.front();
        foreign = !std::string_view{"+-:$*"}.contains(type);
        if (foreign) return std::nullopt;
        rest_.remove_prefix(1);
        if (type == '$') return bulk();
        if (type == '*') return array();
        const auto text = line();
        if (!text || text->size() > longest || text->find_first_of("\r\n") != text->npos) return std::nullopt;
        if (type == ':' && !number(*text)) return std::nullopt;
        return RespReply{type == '-' ? RespReply::Kind::error : RespReply::Kind::other, std::string{*text}};
    }

    bool foreign = false;

private:
    std::optional<std::string_view> line() {
        const std::size_t end = rest_.find("\r\n");
        if (end == rest_.npos) return std::nullopt;
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 2);
        return text;
    }

    static std::optional<long long> number(std::string_view text) {
        long long value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool plain = !text.starts_with("-0") && (text.size() == 1 || !text.starts_with('0'));
        if (error != std::errc{} || end != text.data() + text.size() || !plain) return std::nullopt;
        return value;
    }

    std::optional<long long> size() {
        const auto text = line();
        const auto value = text ? number(*text) : std::nullopt;
        return value && *value >= -1 ? value : std::nullopt;
    }

    std::optional<RespReply> bulk() {
        const auto length = size();
        if (!length) return std::nullopt;
        if (*length == -1) return RespReply{RespReply::Kind::nil, ""};
        const auto wanted = static_cast<unsigned long long>(*length);
        if (wanted > longest || rest_.size() < 2 || rest_.size() - 2 < wanted) return std::nullopt;
        RespReply reply{RespReply::Kind::bulk, std::string{rest_.substr(0, wanted)}};
        rest_.remove_prefix(wanted + 2);
        return reply;
    }

    /// No command of ours gets one.
    std::optional<RespReply> array() {
        if (size() != -1) return std::nullopt;
        return RespReply{RespReply::Kind::nil, ""};
    }

    std::string_view rest_;
};

}  // namespace

RespStream read_resp(std::string_view bytes) {
    RespStream stream;
    Reader reader{bytes};
    while (auto reply = reader.reply()) stream.replies.push_back(std::move(*reply));
    stream.foreign = reader.foreign;
    return stream;
}

}  // namespace sluice::fuzz
