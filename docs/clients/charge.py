from sluice_command import CommandClient, Done, Refused, Unknown


def charge(client: CommandClient, orders, key: str, body: bytes) -> None:
    orders.remember(key, body)  # committed before anything is sent
    match client.execute("charge-click", key=key, body=body):
        case Done(response):
            orders.settle(key, response.status, response.body)
        case Refused(problem):
            orders.give_up(key, problem.name)
        case Unknown():
            orders.try_again_later(key)  # with the same key and the same body
