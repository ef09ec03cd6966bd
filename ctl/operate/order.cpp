#include "ctl/operate/order.hpp"

namespace sluice::ctl {

command::Command signed_command(const Order& order, WallTime now) {
    command::Command command;
    command.run = order.run;
    command.action = order.action;
    command.unverified = order.unverified;
    command.effect = order.effect;
    if (order.body) command.edit = {crypto::sha256(*order.body), *order.body};
    command.operator_name = order.operator_name;
    command.reason = order.reason;
    command.host = order.host;
    command.database_user = order.database_user;
    command.requested_at = now;
    return command;
}

}  // namespace sluice::ctl
