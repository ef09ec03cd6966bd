#pragma once

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::webhook {

/// Takes the signature's header (or field) apart: candidates, and the pairs that have slots. Elements of
/// other names and labels are skipped. Everything is read before anything is judged, so that what is
/// said first does not depend on the order in which the sender wrote it.
[[nodiscard]] Checked take_apart(const Program& program, SignedInputs& inputs);

}  // namespace sluice::webhook
