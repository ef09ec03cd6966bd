#pragma once

#include "command/http/callers.hpp"
#include "command/http/request_bounds.hpp"
#include "command/program/callers_reload.hpp"
#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/tracing_settings.hpp"

namespace sluice::command {

/// What the HTTP side needs of the configuration.
struct ServeSettings {
    config::ListenSettings listen;
    config::OperationsSettings operations;
    config::TracingSettings tracing{};
    CallerSet callers;
    bool requires_certificates = false;  ///< of callers: no handshake without one
    CallersReload::File file{};          ///< to read the callers of again
    RequestBounds bounds{};
};

/// Of the sections operations, tracing and callers, and `listen` of the section `command`, which is a section
/// of its own since one file starts all programs of a host. Bounds and `file` are the caller's to set. A
/// proxy's header is a problem, since callers connect themselves; so is a caller by its certificate where no
/// client_ca says which certificates count, and a client_ca without TLS.
[[nodiscard]] ServeSettings read_serve(const config::Document& document, config::Section& command,
                                       config::Problems& problems);

/// The same for who takes no requests: `operations` alone. What callers send by and how they are known may be
/// missing, and no secret of it is opened.
[[nodiscard]] ServeSettings read_booking(const config::Document& document, config::Section& command);

/// Problems: a caller by its certificate, and no `client_ca`.
void check_certificates(const CallerSet& callers, const config::ListenSettings& listen,
                        const config::Place& place, config::Problems& problems);

}  // namespace sluice::command
