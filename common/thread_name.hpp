#pragma once

#include <pthread.h>

namespace sluice {

/// What `top -H` and core files call the calling thread. At most 15 characters (pthread_setname_np(3)); a
/// longer name is not taken.
inline void name_this_thread(const char* name) noexcept {
    static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

}  // namespace sluice
