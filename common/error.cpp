#include "common/error.hpp"

#include <string>

namespace sluice {
namespace {

const char* sentence_of(errc error) noexcept {
    switch (error) {
        case errc::timed_out:
            return "the deadline passed";
        case errc::stopped:
            return "shutting down";
        case errc::undecodable:
            return "the record lacks what every event has";
        case errc::unreadable_body:
            return "the body is authentic but cannot be read";
        case errc::missing_pointer:
            return "a JSON pointer leads to nothing";
        case errc::wrong_type:
            return "a JSON value has the wrong type";
        case errc::out_of_range:
            return "a number is outside the range of int64";
        case errc::not_said:
            return "the event does not say which it is";
        case errc::duplicate_key:
            return "a JSON object has a key twice";
        case errc::unlisted_row_count:
            return "a statement matched a number of rows that its rows do not list";
        case errc::injected:
            return "a failpoint fired";
    }
    return nullptr;
}

class Category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "sluice"; }

    [[nodiscard]] std::string message(int code) const override {
        const char* sentence = sentence_of(static_cast<errc>(code));
        return sentence == nullptr ? "unknown error " + std::to_string(code) : sentence;
    }
};

}  // namespace

const std::error_category& sluice_category() noexcept {
    static const Category category;
    return category;
}

std::error_code make_error_code(errc e) noexcept {
    return {static_cast<int>(e), sluice_category()};
}

}  // namespace sluice
