#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "common/webhook/body/form.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/candidate.hpp"
#include "common/webhook/signature/certificate_keys.hpp"
#include "common/webhook/signature/key_check.hpp"
#include "common/webhook/signature/signed_inputs.hpp"
#include "common/webhook/signature/signed_text.hpp"
#include "common/webhook/signature/verify.hpp"

namespace sluice::webhook {

/// How many programs have been destroyed in this process: a thread that sees it change removes its
/// keys that are no longer needed.
[[nodiscard]] std::uint64_t programs_gone() noexcept;
void count_gone_program() noexcept;

/// Keys made ready by one thread, those of each program that it has seen.
struct Scratch::State {
    /// Those of `program`, in the order of its keys. Made at first use; no allocation after.
    [[nodiscard]] std::vector<KeyCheck>& checks_of(const Program& program) {
        return entry_of(program).checks;
    }
    /// Those that came in certificates.
    [[nodiscard]] CertificateKeys& certificates_of(const Program& program) {
        return entry_of(program).certificates;
    }

    // Of a delivery with several events: the whole, and the item that is looked at.
    JsonView delivery;
    JsonView item;

    // Of the request that is looked at. Kept because clearing all of it for each would cost as much as a
    // check.
    Form form;
    SignedInputs inputs;
    Signatures signatures;
    SignedText text;
    std::optional<std::chrono::milliseconds> signed_ago;

    [[nodiscard]] std::size_t size() const noexcept { return programs_.size(); }

private:
    struct Entry {
        std::weak_ptr<const int> life;
        std::vector<KeyCheck> checks;
        CertificateKeys certificates;
    };

    [[nodiscard]] Entry& entry_of(const Program& program);
    void forget_gone();

    std::unordered_map<std::uint64_t, Entry> programs_;  ///< by Program::serial
    std::uint64_t gone_seen_ = 0;
};

}  // namespace sluice::webhook
