#pragma once

#include <sluice/command_client.hpp>

template <class Orders>
void charge(sluice::CommandClient& client, Orders& orders, const std::string& key, const std::string& body) {
    orders.remember(key, body);  // committed before anything is sent
    const sluice::Outcome outcome = client.execute({.name = "charge-click", .key = key, .body = body});
    if (const auto* done = std::get_if<sluice::Done>(&outcome))
        orders.settle(key, done->response.status, done->response.body);
    else if (const auto* refused = std::get_if<sluice::Refused>(&outcome))
        orders.give_up(key, refused->problem.name);
    else
        orders.try_again_later(key);  // Unknown: with the same key and the same body
}
