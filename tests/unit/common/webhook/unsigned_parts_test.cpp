// What no signature covers decides nothing. Requests as the providers sign them (tests/vectors), changed in
// every place: those that are authentic still must be one of the same events, by everything that such an
// event may be trusted for.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "common/webhook/body/form.hpp"
#include "common/webhook/extract/decode.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "tests/unit/common/webhook/fixture.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::size_t most_requests = 4;  // of each recipe: each is changed some thousand times

struct Message {
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

std::string text_of_body(const Json& vector) {
    if (vector.contains("body")) return vector["body"];
    return crypto::from_base64(vector["body_base64"].get<std::string>()).value();
}

Message message_of(const Json& vector) {
    Message message{vector["target"], {}, text_of_body(vector)};
    for (const Json& header : vector["headers"]) message.headers.emplace_back(header[0], header[1]);
    return message;
}

/// What effects may read out of it without naming a trust.
Json readable_of(const Source& source, std::string_view body) {
    JsonView view;
    if (!decode(source, body, view)) return nullptr;
    if (source.signed_fields.empty()) return Json::parse(view.minified(Pointer{}).value());
    Json values;
    for (const std::string& field : source.signed_fields) {
        const auto value = view.minified(Pointer::parse(field).value());
        values[field] = value ? *value : "\"\"";  // absent is signed as empty is
        if (values[field] == "null") values[field] = "\"\"";
    }
    return values;
}

Json told_by(const Source& source, const Extracted& event, std::string_view body) {
    const record::EventHeaders& headers = event.headers;
    return {{"id", headers.event_id},
            {"type", headers.type},
            {"object", headers.object},
            {"live", headers.livemode},
            {"time", headers.occurred_at ? to_rfc3339(*headers.occurred_at) : ""},
            {"day", headers.event_day.time_since_epoch().count()},
            {"dedup key", crypto::to_hex(headers.dedup_key)},
            {"record key", event.ordering_key},
            {"readable", readable_of(source, body)}};
}

/// The events that an authentic request is read as; what cannot be read is applied by nobody.
std::vector<Json> told_by(const Source& source, const Request& request) {
    JsonView view;
    JsonView element;
    std::vector<Json> all;
    if (!source.program->extraction.items) {
        if (const auto event = extract(source, request, view))
            all.push_back(told_by(source, *event, request.body));
        return all;
    }
    if (const auto items = extract_items(source, request, view, element)) {
        for (const Item& item : *items)
            if (item.event) all.push_back(told_by(source, *item.event, std::string{item.value}));
    }
    return all;
}

/// All ways to change one place of a text. Text in an address or a form may be written in hex too.
void for_each_change(const std::string& text, const std::function<void(const std::string&)>& use) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char other = text[at] == '1'                      ? '2'
                           : text[at] >= '0' && text[at] <= '9' ? '1'
                           : text[at] == 'x'                    ? 'y'
                                                                : 'x';
        use(std::string{text}.replace(at, 1, 1, other));
        use(std::string{text}.erase(at, text[at] == '%' ? 3 : 1));
        if (at % 3 == 0) use(std::string{text}.insert(at, 1, ' '));
    }
}

void for_each_word(const std::string& text, std::string_view word, std::string_view by,
                   const std::function<void(const std::string&)>& use) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        use(std::string{text}.replace(at, word.size(), by));
}

std::string sorted_form(const std::string& body) {
    std::vector<std::string> fields;
    for (std::size_t at = 0; at <= body.size();) {
        const std::size_t end = std::min(body.find('&', at), body.size());
        fields.push_back(body.substr(at, end - at));
        at = end + 1;
    }
    std::ranges::sort(fields);
    std::string sorted;
    for (const std::string& field : fields) sorted += (sorted.empty() ? "" : "&") + field;
    return sorted;
}

/// Tries changed requests, and remembers how many still were authentic.
class Tries {
public:
    Tries(const Source& source, const Message& message, WallTime now)
        : source_{source},
          message_{message},
          now_{now},
          told_(judge(message).value_or(std::vector<Json>())) {}

    [[nodiscard]] bool is_authentic() { return !told_.empty(); }
    [[nodiscard]] std::size_t authentic() const { return authentic_; }

    void headers(const std::set<std::string>& known) {
        for (std::size_t i = 0; i < message_.headers.size(); ++i) {
            Message changed = message_;
            changed.headers.erase(changed.headers.begin() + static_cast<std::ptrdiff_t>(i));
            use(changed);
            changed = message_;
            changed.headers.push_back({message_.headers[i].first, "another"});
            use(changed);
            for_each_change(message_.headers[i].second, [&](const std::string& value) {
                changed = message_;
                changed.headers[i].second = value;
                use(changed);
            });
        }
        for (const std::string& name : known) with_header(name);
    }

    void address() {
        for_each_change(message_.target, [&](const std::string& target) { with_target(target); });
        const std::string sign = message_.target.contains('?') ? "&" : "?";
        for (const auto* more : {"data.id=another", "id=another", "type=another"})
            with_target(message_.target + sign + more);
    }

    void body(const std::set<std::string>& fields) {
        for_each_change(message_.body, [&](const std::string& body) { with_body(body); });
        for_each_word(message_.body, "false", "true", [&](const std::string& body) { with_body(body); });
        for_each_word(message_.body, "true", "false", [&](const std::string& body) { with_body(body); });
        for (const std::string& name : fields) {
            for (const std::string blank : {"=", "=+", "=%09"}) with_body(message_.body + "&" + name + blank);
        }
        with_body(message_.body + "&another=1");
        if (message_.body.contains('&')) joined_fields(sorted_form(message_.body));
    }

private:
    std::optional<std::vector<Json>> judge(const Message& message) {
        std::vector<HeaderField> fields;
        for (const auto& [name, value] : message.headers) fields.push_back({name, value});
        const Request request{"POST", message.target, fields, message.body};
        if (!verify(source_, request, now_, scratch_)) return std::nullopt;
        return told_by(source_, request);
    }

    void use(const Message& changed) {
        const auto told = judge(changed);
        if (!told) return;
        ++authentic_;
        for (const Json& event : *told) {
            const bool is_known =
                std::ranges::any_of(told_, [&](const Json& known) { return is_same_event(known, event); });
            EXPECT_TRUE(is_known) << event.dump() << "\nof\n"
                                  << changed.body.substr(0, 2000) << "\nin place of\n"
                                  << Json(told_).dump();
        }
    }

    /// Under trust: type, whoever holds a delivery can say another type of it, and nothing else.
    [[nodiscard]] bool is_same_event(Json known, Json event) const {
        if (source_.trust == Trust::type && known["type"] != event["type"]) {
            for (Json* one : {&known, &event}) {
                for (const auto* said : {"type", "id", "dedup key"}) one->erase(said);
                if ((*one)["object"] == "") one->erase("record key");  // that of the event itself
            }
        }
        return known == event;
    }

    void with_header(const std::string& name) {
        const auto is_it = [&](const auto& header) { return is_same_name(header.first, name); };
        if (std::ranges::any_of(message_.headers, is_it)) return;
        Message changed = message_;
        changed.headers.emplace_back(name, "another");
        use(changed);
    }
    void with_target(const std::string& target) {
        Message changed = message_;
        changed.target = target;
        use(changed);
    }
    void with_body(const std::string& body) {
        Message changed = message_;
        changed.body = body;
        use(changed);
    }
    /// Two neighbours in one value, or in one name.
    void joined_fields(const std::string& sorted) {
        with_body(sorted);
        for (std::size_t at = sorted.find('&'); at != std::string::npos; at = sorted.find('&', at + 1)) {
            const std::string joined = std::string{sorted}.replace(at, 1, "%26");
            with_body(joined);
            const std::size_t equals = sorted.rfind('=', at);
            if (equals != std::string::npos) with_body(std::string{joined}.replace(equals, 1, "%3D"));
        }
    }

    const Source& source_;
    const Message message_;
    WallTime now_;
    Scratch scratch_;
    std::vector<Json> told_;
    std::size_t authentic_ = 0;
};

std::set<std::string> names_of_headers(const Json& file) {
    std::set<std::string> names;
    for (const Json& vector : file["vectors"])
        for (const Json& header : vector["headers"]) names.insert(header[0].get<std::string>());
    return names;
}

/// Of forms: all that are there in some request.
std::set<std::string> names_of_fields(const Json& file, const Source& source) {
    std::set<std::string> names;
    if (source.program->body.kind != BodyRule::Kind::form) return names;
    for (const Json& vector : file["vectors"]) {
        Form form;
        if (!form.read(text_of_body(vector))) continue;
        for (const Form::Field& field : form.fields()) names.insert(std::string{field.name});
    }
    return names;
}

/// Whose signature covers what an event says. The others' effects have to name that trust.
std::vector<std::string> covered_recipes() {
    std::vector<std::string> names;
    for (const Recipe& recipe : RecipeSet::builtin().all()) {
        if (covers_body(recipe.trust) && recipe.name != "stripe") names.push_back(recipe.name);
    }
    return names;
}

class UnsignedParts : public testing::TestWithParam<std::string> {};

TEST_P(UnsignedParts, DecideNothing) {
    const Json file = read_vectors(GetParam());
    Files files;
    Json source;
    std::optional<Configured> configured;
    std::size_t requests = 0;
    std::size_t authentic = 0;
    for (const Json& vector : file["vectors"]) {
        if (!vector["accepted"] || vector["events"].empty() || requests == most_requests) continue;
        const Json wanted = vector.value("source", file["source"]);
        if (wanted != source) configured.emplace(configured_for(wanted, file["recipe"], files));
        source = wanted;
        SCOPED_TRACE(vector["name"].get<std::string>());
        Tries tries{configured->only(), message_of(vector), at_unix(vector["now"])};
        ASSERT_TRUE(tries.is_authentic());
        tries.headers(names_of_headers(file));
        tries.address();
        tries.body(names_of_fields(file, configured->only()));
        authentic += tries.authentic();
        ++requests;
    }
    EXPECT_EQ(requests, most_requests);
    EXPECT_GT(authentic, 0U) << "nothing was tried that no signature covers";
}

INSTANTIATE_TEST_SUITE_P(Recipes, UnsignedParts, testing::ValuesIn(covered_recipes()), [](const auto& one) {
    std::string name = one.param;
    std::erase(name, '-');
    return name;
});

TEST(StripesUnsignedParts, DecideNothing) {
    const Configured configured = stripe();
    const std::string body =
        R"({"id":"evt_1","type":"charge.refunded","created":1763750000,"livemode":false,"data":{"object":{"id":"ch_1"}}})";
    const Message message{"/v1/webhooks/eu",
                          {{"Content-Type", "application/json"},
                           {"Stripe-Signature", stripe_header(secret, 1'763'750'000, body)}},
                          body};
    Tries tries{configured.only(), message, at_unix(1'763'750'000)};
    ASSERT_TRUE(tries.is_authentic());
    tries.headers({"X-Id", "Stripe-Account"});
    tries.address();
    tries.body({});
    EXPECT_GT(tries.authentic(), 0U);
}

}  // namespace
}  // namespace sluice::webhook::test
