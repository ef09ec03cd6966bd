#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/time_text.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/signature/verify.hpp"

namespace sluice::webhook::test {

inline const std::string secret = "whsec_test_first";
inline const std::string other_secret = "whsec_test_other";

inline WallTime at_unix(std::int64_t seconds, std::int64_t microseconds = 0) {
    return WallTime{std::chrono::seconds{seconds} + std::chrono::microseconds{microseconds}};
}

/// A configuration as text, read; secrets come from the environment.
struct Configured {
    config::Problems problems;
    SourceSet sources;

    explicit Configured(const std::string& yaml, bool with_keys = true) {
        ::setenv("SLUICE_TEST_FIRST", secret.c_str(), 1);
        ::setenv("SLUICE_TEST_OTHER", other_secret.c_str(), 1);
        ::setenv("SLUICE_TEST_BASE64", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1);
        const auto document = config::Document::from_text(yaml, "sluice.yaml", problems);
        sources =
            with_keys ? read_sources(document, problems) : read_sources_without_keys(document, problems);
    }

    [[nodiscard]] const Source& only() const { return *sources.at(0); }
    [[nodiscard]] bool refuses(std::string_view part) const {
        for (const auto& error : problems.errors()) {
            if (error.contains(part)) return true;
        }
        return false;
    }
    [[nodiscard]] bool warns(std::string_view part) const {
        for (const auto& warning : problems.warnings()) {
            if (warning.contains(part)) return true;
        }
        return false;
    }
};

inline const std::string one_key = "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}}]";

inline Configured stripe(const std::string& more = "", const std::string& keys = one_key) {
    return Configured("sources:\n  - name: eu\n    recipe: stripe\n    principal: acct_main\n    " + keys +
                      "\n    " + more + "\n");
}

inline std::string hmac_hex(std::string_view key, std::string_view text) {
    const std::string_view pieces[] = {text};
    return crypto::to_hex(crypto::HmacSha256(Secret(key))(pieces));
}

inline std::string stripe_v1(std::string_view key, std::int64_t t, std::string_view body) {
    return hmac_hex(key, std::to_string(t) + "." + std::string(body));
}

inline std::string stripe_header(std::string_view key, std::int64_t t, std::string_view body) {
    return "t=" + std::to_string(t) + ",v1=" + stripe_v1(key, t, body);
}

/// A request that owns its text.
struct Delivery {
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;

    [[nodiscard]] std::vector<HeaderField> fields() const {
        std::vector<HeaderField> fields;
        for (const auto& [name, value] : headers) fields.push_back({name, value});
        return fields;
    }
};

/// "" when authentic (the key's id in `key` then), else the name of the check.
inline std::string verdict(const Source& source, const Delivery& delivery, WallTime now,
                           std::string* key = nullptr) {
    Scratch scratch;
    const auto fields = delivery.fields();
    const auto result = verify(source, {"POST", source.path, fields, delivery.body}, now, scratch);
    if (result && key != nullptr) *key = result->key_id;
    return result ? std::string{} : std::string(name_of(result.error().check));
}

inline Readable<Extracted> extracted(const Source& source, std::string_view body) {
    JsonView view;
    return extract(source, {"POST", source.path, {}, body}, view);
}

}  // namespace sluice::webhook::test
