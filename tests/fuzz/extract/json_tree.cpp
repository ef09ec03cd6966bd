#include "tests/fuzz/extract/json_tree.hpp"

#include <nlohmann/json.hpp>

#include "tests/fuzz/json/json_mask.hpp"

namespace sluice::fuzz {
namespace {

constexpr std::size_t most_nested = 64;

/// Builds the tree out of the parser's events; false ends the parse.
class Builder : public nlohmann::json_sax<nlohmann::json> {
public:
    Json root;

    bool null() override { return add({}); }
    bool boolean(bool value) override { return add({.kind = Json::Kind::boolean, .boolean = value}); }
    bool number_integer(number_integer_t value) override {
        return add({.kind = Json::Kind::integer, .integer = value});
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (value <= INT64_MAX) return number_integer(static_cast<number_integer_t>(value));
        return add({.kind = Json::Kind::large, .large = value});
    }
    bool number_float(number_float_t value, const string_t&) override {
        return add({.kind = Json::Kind::real, .real = value});
    }
    bool string(string_t& value) override { return add({.kind = Json::Kind::string, .text = value}); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::Kind::object); }
    bool start_array(std::size_t) override { return open(Json::Kind::array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        key_ = name;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }

private:
    bool add(Json value) {
        if (open_.empty()) {
            root = std::move(value);
            return true;
        }
        Json& around = *open_.back();
        if (around.kind == Json::Kind::object) around.names.push_back(key_);
        around.values.push_back(std::move(value));
        return true;
    }
    // The innermost container alone grows, so that pointers to those around it stay right.
    bool open(Json::Kind kind) {
        if (open_.size() == most_nested) return false;
        add({.kind = kind});
        open_.push_back(open_.empty() ? &root : &open_.back()->values.back());
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::vector<Json*> open_;
    std::string key_;
};

}  // namespace

std::optional<Json> read_json(std::string_view text) {
    // The parser takes a zero byte for the end, and skips a byte order mark.
    if (text.contains('\0') || text.starts_with("\xEF\xBB\xBF")) return std::nullopt;
    std::string mask(text.size(), ' ');
    (void)mask_beyond_dom(text, mask.data());
    Builder builder;
    if (!nlohmann::json::sax_parse(mask, &builder)) return std::nullopt;
    return std::move(builder.root);
}

}  // namespace sluice::fuzz
