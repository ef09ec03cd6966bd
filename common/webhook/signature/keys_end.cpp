#include "common/webhook/signature/keys_end.hpp"

#include <algorithm>

namespace sluice::webhook {
namespace {

std::optional<WallTime> folder_end(const CertificateFolder& folder) {
    std::optional<WallTime> end;
    for (const auto& [address, chain] : folder.all()) end = std::max(end, chain.not_after());
    return end;
}

}  // namespace

std::optional<WallTime> keys_end(const Program& program) {
    if (program.certificate) return folder_end(program.certificate->cache);
    std::optional<WallTime> end;
    for (const Key& key : program.keys) {
        if (!key.not_after) return std::nullopt;
        end = std::max(end, key.not_after);
    }
    return end;
}

}  // namespace sluice::webhook
