# The servers that Debian 13 does not have: Kafka from Maven, MySQL from Debian sid.

# Maven does not read the proxy variables that everything else reads.
maven_proxy() {
    local url=${https_proxy:-${HTTPS_PROXY:-}}
    [[ $url =~ ^https?://([^/@:]+):([0-9]+) ]] || return 0
    printf -- '-Dhttps.proxyHost=%s -Dhttps.proxyPort=%s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
}

make_kafka() {
    local settings="$SLUICE_CACHE/home/.m2/settings.xml" making="$KAFKA_HOME.making"
    [[ ! -r $HOME/.m2/settings.xml ]] || { mkdir -p "${settings%/*}" && cp "$HOME/.m2/settings.xml" "$settings"; }
    fetch_kafka() {
        rm -rf "$making" && mkdir -p "$making" &&
            (MAVEN_OPTS="${MAVEN_OPTS:-} $(maven_proxy)" inside mvn --batch-mode --no-transfer-progress \
                -f "$PLATFORM/kafka/pom.xml" dependency:copy-dependencies \
                -DoutputDirectory="$making" -DincludeScope=runtime) &&
            mv "$making" "$KAFKA_HOME"
    }
    timed "fetching Kafka with Maven (under a minute, once)" fetch_kafka
}

# Unpacked, not installed: it is started through its own loader and libraries (deploy/stack/mysql.py).
make_mysql() {
    require_mmdebstrap
    fetch_mysql() {
        bootstrap sid "$MYSQL_HOME" --variant=extract --include=mysql-server &&
            [[ -x $MYSQL_HOME.making/usr/sbin/mysqld ]] &&
            as_root mv "$MYSQL_HOME.making" "$MYSQL_HOME"
    }
    timed "fetching MySQL from Debian sid (about a minute, once)" fetch_mysql
}

# MySQL first: it does not need the platform, which may be in the making.
make_servers() {
    once "$MYSQL_HOME" make_mysql || say "NO MySQL: MariaDB of the platform takes its place in everything that follows"
    need_platform || return
    once "$KAFKA_HOME" make_kafka
}

need_servers() { attended make_servers; }

# For commands that may not need them: a host that cannot have them can still compile.
offer_servers() { need_servers || say "some servers are missing; commands that start them will fail"; }
