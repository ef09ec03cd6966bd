#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/webhook/body/json_view.hpp"

namespace sluice::webhook {

/// Where a JSON body holds an encrypted object, and the setting whose value decrypts it.
struct EncryptedRule {
    Pointer algorithm;
    Pointer ciphertext;
    Pointer nonce;
    Pointer associated;
    std::string key;
};

/// A form whose fields are all signed, sorted and joined, except these. What is not signed is not read.
struct SortedForm {
    std::vector<std::string> drop;
    bool skip_blank = false;
};

/// How a body becomes the JSON that all pointers read. The body decides: a signature seldom covers the
/// Content-Type.
struct BodyRule {
    enum class Kind {
        json,
        json_or_form,  ///< a body that begins with `field`= is a form, and that field holds the JSON
        form,          ///< every field a string
        xml_in_form,   ///< `field` holds base64 of XML
    };
    Kind kind = Kind::json;
    std::string field{};
    std::string charset{};  ///< of a form: the field that names it; UTF-8 where it is absent
    std::optional<EncryptedRule> encrypted{};  ///< of JSON: appears in the view as /decrypted
    std::optional<SortedForm> sorted{};        ///< of a form, once compiled
};

}  // namespace sluice::webhook
