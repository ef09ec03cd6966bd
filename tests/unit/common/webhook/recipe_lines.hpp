#pragma once

#include <string>

#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {

/// A recipe that is right, line by line, so that one line can be put wrong.
struct Lines {
    std::string algorithm = "algorithm: hmac-sha256";  // 3
    std::string keys = "keys: {form: text}";           // 4
    std::string signature =
        "signature: {header: X-Sig, container: {pairs: {sep: ';', kv: ':', key: s}}, encoding: hex}";  // 5
    std::string timestamp = "timestamp: {pair: at, unit: s, window: {past: 60s, future: 10s}}";        // 6
    std::string signed_text = "signed: [timestamp, {literal: '|'}, body]";                             // 7
    std::string body = "body: json";                                                                   // 8
    std::string extract = "extract: {id: /id, type: /type, order_by: [/object], livemode: true}";      // 9
    std::string day = "day: none";                                                                     // 10
    std::string digest = "digest: none";                                                               // 11
    std::string more = "with: {}";                                                                     // 12
    std::string source = one_key;  // of the source "eu"

    [[nodiscard]] Configured read() const {
        std::string yaml = "recipes:\n  - name: mine\n";
        for (const auto* line : {&algorithm, &keys, &signature, &timestamp, &signed_text, &body, &extract,
                                 &day, &digest, &more}) {
            yaml += "    " + *line + "\n";
        }
        return Configured(yaml + "sources:\n  - name: eu\n    principal: eu\n    recipe: mine\n    " +
                          source + "\n");
    }
};

}  // namespace sluice::webhook::test
