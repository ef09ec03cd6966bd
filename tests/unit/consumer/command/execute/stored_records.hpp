#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "common/crypto/digest.hpp"
#include "common/record/header_bytes.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/verify.hpp"
#include "consumer/command/execute/authenticity.hpp"
#include "consumer/lane/run/stored_event.hpp"

namespace sluice::consumer::test {

/// An event's record as it lies in MySQL, for tests to change.
struct Stored {
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;

    [[nodiscard]] std::string& header(std::string_view name) {
        for (auto& [key, value] : headers) {
            if (key == name) return value;
        }
        return headers.emplace_back(name, "").second;
    }

    /// As the retry role gets it back.
    [[nodiscard]] Item item() const {
        std::vector<record::HeaderView> views;
        for (const auto& [name, value] : headers) views.push_back({name, value});
        store::StoredRecord record;
        record.headers = record::header_bytes(views).value();
        record.body = body;
        return stored_event(std::move(record), "key");
    }
};

inline Stored stored(record::EventHeaders headers, std::string_view body, std::string_view key_id,
                     WallTime received_at) {
    headers.key_id = key_id;
    headers.received_at = received_at;
    headers.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    record::EncodedHeaders encoded;
    Stored record{{}, std::string{body}};
    for (const auto& [name, value] : encoded.encode(headers)) record.headers.emplace_back(name, value);
    return record;
}

/// What the ingress makes of a request. None where it refuses it or cannot read it.
inline std::vector<Stored> records_of(const webhook::Source& source, const webhook::Request& request,
                                      WallTime now) {
    webhook::Scratch scratch;
    const auto authentic = webhook::verify(source, request, now, scratch);
    if (!authentic) return {};
    webhook::JsonView view;
    webhook::JsonView element;
    if (!source.has_items) {
        auto event = webhook::extract(source, request, view);
        if (!event) return {};
        return {stored(std::move(event->headers), request.body, authentic->key_id, now)};
    }
    std::vector<Stored> records;
    auto items = webhook::extract_items(source, request, view, element);
    for (std::size_t i = 0; items && i < items->size(); ++i) {
        auto& one = (*items)[i];
        if (one.event)
            records.push_back(stored(std::move(one.event->headers), one.value, authentic->key_id, now));
    }
    return records;
}

/// A topic of originals in memory.
class Shelf final : public Originals {
public:
    void keep(const std::string& body) { bodies_[crypto::sha256(body)] = body; }
    std::optional<std::string> find(const crypto::Digest& digest, WallTime) override {
        const auto found = bodies_.find(digest);
        return found == bodies_.end() ? std::nullopt : std::optional{found->second};
    }

private:
    std::map<crypto::Digest, std::string> bodies_;
};

}  // namespace sluice::consumer::test

namespace sluice::consumer {
inline void PrintTo(Authentic one, std::ostream* out) {
    *out << (one == Authentic::yes ? "yes" : one == Authentic::no ? "no" : "unknown");
}
}  // namespace sluice::consumer
