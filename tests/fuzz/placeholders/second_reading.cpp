#include "tests/fuzz/placeholders/second_reading.hpp"

#include <cctype>

namespace sluice::fuzz {
namespace {

enum class State { code, single, twice, back, line, block };

/// One walk over a statement, which keeps where it is.
class Reader {
public:
    explicit Reader(std::string_view statement) : text_{statement} {}

    std::optional<Bound> read() {
        while (at_ < text_.size() && !is_refused_) step();
        const bool is_open = state_ != State::code && state_ != State::line;
        if (is_refused_ || is_open) return std::nullopt;
        return std::move(out_);
    }

private:
    [[nodiscard]] bool sees(std::string_view word) const { return text_.substr(at_).starts_with(word); }
    void take(std::size_t count) {
        out_.text += text_.substr(at_, count);
        at_ += count;
    }
    void enter(State state, std::size_t count) {
        state_ = state;
        take(count);
    }

    void step() {
        switch (state_) {
            case State::code:
                return step_in_code();
            case State::single:
                return step_in_quotes('\'');
            case State::twice:
                return step_in_quotes('"');
            case State::back:
                return step_in_quotes('`');
            case State::line:
                if (text_[at_] == '\n') return enter(State::code, 1);
                return take(1);
            case State::block:
                if (sees("*/")) return enter(State::code, 2);
                return take(1);
        }
    }

    void step_in_quotes(char quote) {
        if (text_[at_] == '\\' && quote != '`') return take(2);
        if (text_[at_] != quote) return take(1);
        const bool is_doubled = at_ + 1 < text_.size() && text_[at_ + 1] == quote;
        if (is_doubled) return take(2);
        enter(State::code, 1);
    }

    void step_in_code() {
        if (sees("'")) return enter(State::single, 1);
        if (sees("\"")) return enter(State::twice, 1);
        if (sees("`")) return enter(State::back, 1);
        if (sees("#")) return enter(State::line, 1);
        if (sees("--") && (at_ + 2 == text_.size() || static_cast<unsigned char>(text_[at_ + 2]) <= ' '))
            return enter(State::line, 2);
        is_refused_ = sees("/*!") || sees("/*M!") || sees("?");
        if (is_refused_) return;
        if (sees("/*")) return enter(State::block, 2);
        if (sees("::") || sees(":=")) return take(2);
        if (!take_name()) take(1);
    }

    bool take_name() {
        if (text_[at_] != ':') return false;
        std::string name;
        for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
            const auto c = static_cast<unsigned char>(text_[i]);
            if (c >= 0x80 || !(std::isalpha(c) || c == '_' || (std::isdigit(c) && !name.empty()))) break;
            name += text_[i];
        }
        if (name.empty()) return false;
        at_ += 1 + name.size();
        out_.text += '?';
        out_.names.push_back(std::move(name));
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    State state_ = State::code;
    bool is_refused_ = false;
    Bound out_;
};

}  // namespace

std::optional<Bound> second_reading(std::string_view statement) {
    return Reader{statement}.read();
}

}  // namespace sluice::fuzz
