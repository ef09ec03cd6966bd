#include "command/program/callers_reload.hpp"

#include <format>
#include <utility>

#include "ingress/config/config_fingerprint.hpp"

namespace sluice::command {

CallersReload::CallersReload(File file, const CallerSet& in_use, std::function<void(const CallerSet&)> use,
                             Log& log, Metrics& metrics)
    : file_{std::move(file)},
      use_{std::move(use)},
      log_{log},
      failed_{metrics.gauge("sluice_config_reload_failed",
                            "1 while the configuration file cannot be used and the old one is kept")},
      tried_{file_.fingerprint} {
    failed_.Set(0);
    for (const Caller& caller : in_use) principals_.emplace(caller.name, caller.principal);
}

void CallersReload::check() {
    std::string now = ingress::content_fingerprint(file_.name, "callers");
    if (now == tried_) return;
    tried_ = std::move(now);
    reload();
}

void CallersReload::force() {
    tried_ = ingress::content_fingerprint(file_.name, "callers");
    reload();
}

void CallersReload::reload() {
    try {
        const CallerSet callers = file_.read();
        refuse_other_principals(callers);
        use_(callers);
        failed_.Set(0);
        log_.info("config_reloaded", {{"callers", static_cast<std::int64_t>(callers.size())},
                                      {"content", std::string_view{tried_}}});
    } catch (const config::Refused& refused) {
        failed_.Set(1);
        log_.error("config_reload_failed", {{"why", std::string_view{refused.what()}}});
    }
}

void CallersReload::refuse_other_principals(const CallerSet& callers) {
    for (const Caller& caller : callers) {
        const auto known = principals_.find(caller.name);
        if (known != principals_.end() && known->second != caller.principal)
            throw config::Refused{std::format(
                "caller \"{}\" had the principal {} and would have {}: what it sent before could be executed "
                "again",
                caller.name, known->second, caller.principal)};
    }
    for (const Caller& caller : callers) principals_.emplace(caller.name, caller.principal);
}

}  // namespace sluice::command
