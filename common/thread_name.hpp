#pragma once

#include <pthread.h>

namespace sluice {

/// The name that `top -H` and core files show for the calling thread. At most 15 characters
/// (pthread_setname_np(3)); a longer name is ignored.
inline void name_this_thread(const char* name) noexcept {
    static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

}  // namespace sluice
