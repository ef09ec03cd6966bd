#include "tests/fuzz/support/require.hpp"

#include <cstdio>
#include <cstdlib>

namespace sluice::fuzz {

void require(bool holds, std::string_view promise, std::string_view detail, std::source_location where) {
    if (holds) return;
    std::fprintf(stderr, "BROKEN PROMISE (%s:%u): %.*s\n%.*s\n", where.file_name(), where.line(),
                 static_cast<int>(promise.size()), promise.data(), static_cast<int>(detail.size()),
                 detail.data());
    std::abort();
}

}  // namespace sluice::fuzz
