#include "tests/fuzz/gate/chunks.hpp"

#include <optional>
#include <string>

#include "ingress/gate/chunked_body.hpp"
#include "tests/fuzz/gate/chunk_reference.hpp"
#include "tests/fuzz/support/require.hpp"
#include "tests/fuzz/support/splits.hpp"

namespace sluice::fuzz {
namespace {

using gate::Refusal;

constexpr std::size_t max_body = 64;  // small enough to meet exactly
constexpr std::size_t max_wire = 192;

struct Outcome {
    std::string content{};
    std::size_t wire = 0;
    bool complete = false;
    std::optional<Refusal> refusal{};

    bool operator==(const Outcome&) const = default;
};

Outcome take(std::string_view wire, int round) {
    gate::ChunkedBody decoder{max_body, max_wire};
    Outcome outcome;
    for (Splits pieces{wire, round}; !pieces.done() && !outcome.complete;) {
        const std::string_view piece = pieces.next();
        const auto progress = decoder.feed(piece, outcome.content);
        require(outcome.content.size() <= max_body, "content is bounded");
        if (!progress) return {.refusal = progress.error()};
        require(progress->complete || progress->consumed == piece.size(), "all is taken until the end");
        outcome.wire += progress->consumed;
        outcome.complete = progress->complete;
        require(outcome.wire <= max_wire, "the wire is bounded");
    }
    return outcome;
}

}  // namespace

void try_chunks(std::string_view wire) {
    const Outcome first = take(wire, 0);
    for (int round = 1; round < Splits::rounds; ++round)
        require(take(wire, round) == first, "chunks do not depend on the pieces");
    const auto whole = read_chunks(wire, max_body, max_wire);
    require(first.complete == whole.has_value(), "chunks are taken where the reference takes them");
    if (whole)
        require(first.content == whole->content && first.wire == whole->wire, "chunks have one content");
    if (first.refusal)
        require(*first.refusal >= Refusal::body_too_large && *first.refusal <= Refusal::wire_too_long,
                "chunks are refused as chunks", gate::row_of(*first.refusal).name);
}

}  // namespace sluice::fuzz
