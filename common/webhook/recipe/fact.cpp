#include "common/webhook/recipe/fact.hpp"

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/webhook/body/form.hpp"
#include "common/webhook/http/form_encoding.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/http/query.hpp"

namespace sluice::webhook {

std::string name_of(const Fact& fact) {
    switch (fact.from) {
        case Fact::From::pointer:
            return fact.pointer.text();
        case Fact::From::header:
            return "header " + fact.name;
        case Fact::From::query:
            return "query " + fact.name;
        case Fact::From::digest:
            return "SHA-256 of " + fact.pointer.text();
        case Fact::From::body_digest:
            return "SHA-256 of the body";
        case Fact::From::field_digest:
            return "SHA-256 of field " + fact.name;
        case Fact::From::literal:
            return "\"" + fact.name + "\"";
        case Fact::From::templated:
            return fact.name + "{" + fact.pointer.text() + "}" + fact.behind;
    }
    return {};
}

std::string name_of(const Joined& facts) {
    std::string text;
    for (const Fact& fact : facts) text += (text.empty() ? "" : " + ") + name_of(fact);
    return text;
}

std::string name_of(const Facts& facts) {
    std::string text;
    for (const Joined& one : facts) text += (text.empty() ? "" : " or ") + name_of(one);
    return text;
}

Result<std::string_view> FactReader::text(const Facts& facts) {
    Result<std::string_view> text = Failure{errc::missing_pointer};
    for (place_ = 0; place_ < facts.size(); ++place_) {
        const Joined& alternative = facts[place_];
        text = this->text(alternative);
        if (text || (text.error() != errc::missing_pointer && !is_null(alternative.front()))) return text;
    }
    return text;
}

bool FactReader::is_null(const Fact& fact) const {
    return fact.from == Fact::From::pointer && view_.type(fact.pointer) == JsonType::null;
}

Result<std::string_view> FactReader::text(const Joined& facts) {
    if (facts.size() == 1) return text(facts.front());
    joined_.clear();
    for (const Fact& fact : facts) {
        const auto one = text(fact);
        if (!one) return one;
        if (one->empty() && !fact.optional) return Failure{errc::missing_pointer};
        if (one->empty()) continue;
        if (!joined_.empty()) joined_ += '.';
        joined_ += *one;
    }
    return std::string_view{joined_};
}

Result<std::string_view> FactReader::text(const Fact& fact) {
    last_ = &fact;
    const auto text = found(fact);
    if (!text && fact.optional && text.error() == errc::missing_pointer) return std::string_view{};
    return text;
}

Result<std::string_view> FactReader::found(const Fact& fact) {
    switch (fact.from) {
        case Fact::From::pointer:
            break;
        case Fact::From::header:
            return in_header(fact);
        case Fact::From::query:
            return in_query(fact);
        case Fact::From::digest:
            return digest_of(fact);
        case Fact::From::body_digest:
            own_ = crypto::to_hex(crypto::sha256(request_.body));
            return std::string_view{own_};
        case Fact::From::field_digest:
            return digest_of_field(fact);
        case Fact::From::literal:
            return std::string_view{fact.name};
        case Fact::From::templated:
            return in_template(fact);
    }
    return at_pointer(fact);
}

Result<std::string_view> FactReader::at_pointer(const Fact& fact) {
    auto text = view_.string(fact.pointer);
    if (text || text.error() != errc::wrong_type) return text;
    if (fact.optional && is_null(fact)) return Failure{errc::missing_pointer};
    if (!fact.integer) return text;
    const auto number = view_.integer(fact.pointer);
    if (!number) return Failure{number.error()};
    own_ = std::to_string(*number);
    return std::string_view{own_};
}

Result<std::string_view> FactReader::in_header(const Fact& fact) const {
    Result<std::string_view> value = Failure{errc::missing_pointer};
    for (const HeaderField& field : request_.headers) {
        if (!is_same_name(field.name, fact.name)) continue;
        if (value) return Failure{errc::duplicate_key};
        value = field.value;
    }
    return value;
}

Result<std::string_view> FactReader::in_query(const Fact& fact) {
    const QueryValue value = find_in_query(request_.target, fact.name);
    if (value.count > 1) return Failure{errc::duplicate_key};
    if (value.encoded.empty()) return Failure{errc::missing_pointer};
    own_.resize(value.encoded.size());
    const auto size = decode_form_text(value.encoded, own_.data());
    if (!size) return Failure{errc::wrong_type};
    own_.resize(*size);
    return std::string_view{own_};
}

/// Where the text at `pointer` says: /links/{/resource_type}.
Result<std::string_view> FactReader::in_template(const Fact& fact) {
    const auto word = view_.string(fact.pointer);
    if (!word) return word;
    std::string_view name = *word;
    if (fact.cut == Fact::Cut::plural && name.ends_with('s')) name.remove_suffix(1);
    if (fact.cut == Fact::Cut::first_word) name = name.substr(0, name.find('.'));
    if (name.find_first_of("/~") != std::string_view::npos) return Failure{errc::missing_pointer};
    const auto pointer = Pointer::parse(fact.name + std::string{name} + fact.behind);
    if (!pointer) return Failure{pointer.error()};
    return view_.string(*pointer);
}

Result<std::string_view> FactReader::digest_of(const Fact& fact) {
    const auto text = view_.string(fact.pointer);
    if (!text) return text;
    own_ = crypto::to_hex(crypto::sha256(*text));
    return std::string_view{own_};
}

Result<std::string_view> FactReader::digest_of_field(const Fact& fact) {
    thread_local Form form;
    const Form::Found found = form.read(request_.body) ? form.find(fact.name) : Form::Found{};
    if (found.count != 1) return Failure{found.count == 0 ? errc::missing_pointer : errc::duplicate_key};
    // A text signed with a final line feed may be sent without it: that is the same event.
    const bool has_end = found.value.ends_with('\n');
    own_ = crypto::to_hex(crypto::sha256(found.value.substr(0, found.value.size() - (has_end ? 1 : 0))));
    return std::string_view{own_};
}

}  // namespace sluice::webhook
