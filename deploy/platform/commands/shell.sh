#: shell    an interactive shell inside the platform

offer_servers
inside bash --norc
