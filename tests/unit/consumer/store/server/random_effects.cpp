#include "tests/unit/consumer/store/server/random_effects.hpp"

#include <array>
#include <functional>

namespace sluice::effects {
namespace {

const std::vector<std::string> not_done{"ignore", "defer", "retry", "park"};

/// "name:" and a `when` for one or two of three types.
std::string head(Chance& chance, int number) {
    const std::vector<std::string> types{"[a]", "[b]", "[a, b]", "[a, b, c]", "[c]", "[b, c]"};
    return "  - name: e" + std::to_string(number) + "\n    when: {type: " + chance.one_of(types) + "}\n";
}

/// One effect in both ways. `seen` is a statement that matches one row when the key is there.
struct Pair {
    std::string set_based;
    std::string by_sql;
};

std::string let(const std::string& names) {
    std::string text = "    let:\n";
    for (const char name : names) {
        if (name == 'c') text += "      customer: /customer\n";
        if (name == 'k') text += "      customer: {pointer: /customer, as: int64}\n";
        if (name == 'a') text += "      amount: {pointer: /amount, as: int64}\n";
        if (name == 'r') text += "      ref: /ref\n";
        if (name == 'n') text += "      no: {pointer: /no, as: int64}\n";
        if (name == 'w') text += "      word: {pointer: /word, optional: true}\n";
    }
    return text;
}

std::string run(const std::string& statement, const std::string& rows) {
    return "      - run: \"" + statement + "\"\n        rows: {" + rows + "}\n";
}

/// Ends with `missing` where no row has the key; touches nothing that counts.
std::string seen(const std::string& table, const std::string& condition, const std::string& missing) {
    return run("INSERT INTO $seen SELECT 1 FROM " + table + " WHERE " + condition, "1: done, 0: " + missing);
}

Pair add_to_wallet(Chance& chance) {
    const auto missing = chance.one_of(not_done);
    const auto below = chance.one_of(not_done);
    const bool is_minus = chance.one_in(3);
    const bool has_floor = chance.one_in(2);
    const std::string sign = is_minus ? "-" : "+";
    Pair pair;
    pair.set_based = let("ca") +
                     "    add: {table: $wallet, key: {customer: \":customer\"}, column: balance, by: \"" +
                     (is_minus ? "-" : "") + ":amount\", missing: " + missing +
                     (has_floor ? ", floor: -3, below: " + below : "") + "}\n";
    pair.by_sql = let("ca") + "    sql:\n" + seen("$wallet", "customer = :customer", missing) +
                  run("UPDATE $wallet SET balance = balance " + sign + " :amount WHERE customer = :customer" +
                          (has_floor ? " AND CAST(balance AS DECIMAL(30,2)) " + sign + " :amount >= -3" : ""),
                      "1: done, 0: " + (has_floor ? below : missing));
    return pair;
}

Pair insert_entry(Chance& chance) {
    const auto duplicate = chance.one_of({"ignore", "done", "park"});
    const std::string id = chance.one_in(2) ? ":ref" : ":event_id";
    const std::string names = id == ":ref" ? "cra" : "ca";
    Pair pair;
    pair.set_based = let(names) + "    insert: {table: $entry, row: {event: \"" + id +
                     "\", customer: \":customer\", amount: \"-:amount\"}, duplicate: " + duplicate + "}\n";
    std::string insert =
        "INSERT INTO $entry (event, customer, amount) SELECT " + id + ", :customer, -:amount";
    if (duplicate != "park") {
        insert +=
            " FROM (SELECT 1) AS one WHERE NOT EXISTS (SELECT 1 FROM $entry AS e WHERE e.event = " + id + ")";
    }
    pair.by_sql = let(names) + "    sql:\n" + run(insert, "1: done, 0: ignore");
    return pair;
}

Pair open_wallet(Chance& chance) {
    (void)chance;
    return {let("cr") + "    insert: {table: $wallet, row: {customer: \":customer\", code: \":ref\"}}\n",
            let("cr") + "    sql:\n" +
                run("INSERT INTO $wallet (customer, code) VALUES (:customer, :ref)", "1: done")};
}

/// By the one unique key or by the other.
Pair set_status(Chance& chance) {
    const auto missing = chance.one_of(not_done);
    const auto otherwise = chance.one_of(not_done);
    const bool by_code = chance.one_in(4);
    const std::string key = by_code ? "code" : "customer";
    const std::string value = by_code ? ":ref" : ":customer";
    const auto status = chance.one_of({"paid", "failed", "too long to be stored"});
    const bool is_guarded = !chance.one_in(4);
    const auto names = by_code ? "r" : "c";
    Pair pair;
    pair.set_based = let(names) + "    set: {table: $wallet, key: {" + key + ": \"" + value +
                     "\"}, row: {status: " + status + "}, missing: " + missing +
                     (is_guarded ? ", when: {status: [new, PAID]}, otherwise: " + otherwise : "") + "}\n";
    pair.by_sql = let(names) + "    sql:\n" + seen("$wallet", key + " = " + value, missing) +
                  run("UPDATE $wallet SET status = '" + status + "' WHERE " + key + " = " + value +
                          (is_guarded ? " AND (status <=> 'new' OR status <=> 'PAID')" : ""),
                      "1: done, 0: " + otherwise);
    return pair;
}

Pair add_points(Chance& chance) {
    const auto missing = chance.one_of(not_done);
    return {let("cna") +
                "    add: {table: $account, key: {tenant: \":customer\", no: \":no\"}, column: points, by: "
                "\":amount\", missing: " +
                missing + "}\n",
            let("cna") + "    sql:\n" + seen("$account", "tenant = :customer AND no = :no", missing) +
                run("UPDATE $account SET points = points + :amount WHERE tenant = :customer AND no = :no",
                    "1: done, 0: " + missing)};
}

/// A value that differs from event to event, and may be NULL.
Pair set_word(Chance& chance) {
    const auto missing = chance.one_of(not_done);
    return {
        let("cnw") +
            "    set: {table: $account, key: {tenant: \":customer\", no: \":no\"}, row: {word: "
            "\":word\", last: \":event_id\"}, missing: " +
            missing + "}\n",
        let("cnw") + "    sql:\n" + seen("$account", "tenant = :customer AND no = :no", missing) +
            run("UPDATE $account SET word = :word, last = :event_id WHERE tenant = :customer AND no = :no",
                "1: done, 0: " + missing)};
}

/// A guard that differs from event to event.
Pair guard_by_word(Chance& chance) {
    const auto otherwise = chance.one_of(not_done);
    return {
        let("cnw") +
            "    set: {table: $account, key: {no: \":no\", tenant: \":customer\"}, row: {points: 7}, "
            "when: {word: [\":word\", null]}, otherwise: " +
            otherwise + ", missing: defer}\n",
        let("cnw") + "    sql:\n" + seen("$account", "tenant = :customer AND no = :no", "defer") +
            run("UPDATE $account SET points = 7 WHERE tenant = :customer AND no = :no AND (word <=> :word "
                "OR word IS NULL)",
                "1: done, 0: " + otherwise)};
}

/// Not set-based in either way: it must see what came before.
Pair by_hand(Chance& chance) {
    (void)chance;
    const auto statement = "    sql:\n" + run("UPDATE $wallet SET balance = balance + 1 WHERE balance < 2",
                                              "0: ignore, other: done");
    return {statement, statement};
}

/// What all upserts of the table have in common.
struct Upserts {
    bool replaces;
    bool has_number_as_key;
};

/// The version with the highest no, then amount. Two of a table: an update, and a deletion.
Pair mirror(Chance& chance, const Upserts& upserts) {
    const bool deletes = chance.one_in(3);
    const bool replaces = upserts.replaces;
    const auto values = let(upserts.has_number_as_key ? "kanw" : "canw");
    const auto stale = replaces ? chance.one_of(not_done) : "ignore";
    const std::string gone = deletes ? ":event_id" : "NULL";
    const std::string newer =
        std::string{"(no < :no OR (no = :no AND place "} + (replaces ? "<=" : "<") + " :amount))";
    Pair pair;
    pair.set_based =
        values +
        "    upsert: {table: $mirror, key: {customer: \":customer\"}, row: {word: \":word\", last: "
        "\":event_id\"}, newer: [{no: \":no\"}, {place: \":amount\"}], tombstone: " +
        (deletes ? "{gone: \":event_id\"}" : "gone") + ", stale: " + stale +
        (replaces ? ", tie: replace" : "") + "}\n";
    pair.by_sql =
        values + "    sql:\n" +
        run("INSERT INTO $mirror (customer, word, last, no, place, gone) SELECT :customer, :word, :event_id, "
            ":no, "
            ":amount, " +
                gone +
                " FROM (SELECT 1) AS one WHERE NOT EXISTS (SELECT 1 FROM $mirror AS m WHERE m.customer = "
                ":customer)",
            "1: done, 0: done") +
        run("UPDATE $mirror SET word = :word, last = :event_id, gone = " + gone +
                ", place = :amount, no = :no WHERE customer = :customer AND (gone IS NULL" +
                (deletes ? " OR " : " AND ") + newer + ")",
            "1: done, 0: " + stale);
    return pair;
}

/// Of the same table, by another kind.
Pair note_in_mirror(Chance& chance) {
    const auto missing = chance.one_of(not_done);
    return {
        let("c") +
            "    set: {table: $mirror, key: {customer: \":customer\"}, row: {note: \":event_id\"}, "
            "missing: " +
            missing + "}\n",
        let("c") + "    sql:\n" + seen("$mirror", "customer = :customer", missing) +
            run("UPDATE $mirror SET note = :event_id WHERE customer = :customer", "1: done, 0: " + missing)};
}

/// Two kinds in one effect, of which the first may end it.
Pair insert_and_add(Chance& chance) {
    const bool ends = chance.one_in(2);
    const auto missing = chance.one_of(not_done);
    return {let("car") +
                "    insert: {table: $entry, row: {event: \":ref\", customer: \":customer\", amount: "
                "\":amount\"}, duplicate: " +
                (ends ? "ignore" : "done") +
                "}\n    add: {table: $wallet, key: {customer: \":customer\"}, column: balance, by: "
                "\":amount\", missing: " +
                missing + "}\n",
            let("car") + "    sql:\n" +
                run("INSERT INTO $entry (event, customer, amount) SELECT :ref, :customer, :amount FROM "
                    "(SELECT 1) AS one"
                    " WHERE NOT EXISTS (SELECT 1 FROM $entry AS e WHERE e.event = :ref)",
                    std::string{"1: done, 0: "} + (ends ? "ignore" : "done")) +
                seen("$wallet", "customer = :customer", missing) +
                run("UPDATE $wallet SET balance = balance + :amount WHERE customer = :customer",
                    "1: done, 0: " + missing)};
}

/// Two kinds in one effect.
Pair add_and_insert(Chance& chance) {
    const auto missing = chance.one_of(not_done);
    return {
        let("car") +
            "    add: {table: $wallet, key: {customer: \":customer\"}, column: balance, by: \":amount\", "
            "missing: " +
            missing +
            "}\n    insert: {table: $entry, row: {event: \":ref\", customer: \":customer\", amount: "
            "\":amount\"}}\n",
        let("car") + "    sql:\n" + seen("$wallet", "customer = :customer", missing) +
            run("UPDATE $wallet SET balance = balance + :amount WHERE customer = :customer",
                "1: done, 0: " + missing) +
            run("INSERT INTO $entry (event, customer, amount) VALUES (:ref, :customer, :amount)", "1: done")};
}

std::vector<std::string> tables(Chance& chance, const std::string& key, bool may_link) {
    const auto number = chance.one_of({"BIGINT", "BIGINT", "TINYINT", "DECIMAL(5,2)", "SMALLINT UNSIGNED"});
    const std::string check = chance.one_of({"", "", ", CHECK (balance <> 13)", ", CHECK (balance > -3)",
                                             ", CHECK (balance >= 2), CHECK (balance < 11)"});
    // A row that is there already and has no parent: servers differ in which of the two they say.
    const std::string link =
        may_link && chance.one_in(2) ? ", FOREIGN KEY (customer) REFERENCES $wallet (customer)" : "";
    std::vector<std::string> all{
        "CREATE TABLE $seen (one INT)",
        "CREATE TABLE $audit (customer VARCHAR(16), balance VARCHAR(40))",
        "CREATE TABLE $wallet (customer " + key +
            " PRIMARY KEY, code VARCHAR(8) COLLATE utf8mb4_general_ci UNIQUE,"
            " balance " +
            number +
            " NOT NULL DEFAULT 4, status VARCHAR(8) COLLATE utf8mb4_general_ci NOT NULL"
            " DEFAULT 'new'" +
            check + ")",
        "CREATE TABLE $entry (event VARCHAR(16) COLLATE utf8mb4_general_ci PRIMARY KEY, customer " + key +
            " NOT NULL, amount BIGINT NOT NULL" + link + ")",
        "CREATE TABLE $account (tenant " + key +
            " NOT NULL, no INT NOT NULL, points BIGINT NOT NULL DEFAULT 0,"
            " word VARCHAR(4) COLLATE utf8mb4_general_ci NULL, last VARBINARY(16) NULL, UNIQUE (no, tenant))",
        "CREATE TABLE $mirror (customer " + key +
            " PRIMARY KEY, word VARCHAR(4) COLLATE utf8mb4_general_ci NULL, last VARBINARY(16) NOT NULL,"
            " no INT NOT NULL, place TINYINT NOT NULL, gone VARBINARY(16) NULL, note VARBINARY(16) NULL" +
            (chance.one_in(2) ? ", CHECK (place <> 3)" : "") + ")",
        "INSERT INTO $wallet (customer, code) VALUES ('1', 'r1'), ('2', 'r2'), ('3', NULL)",
        "INSERT INTO $account (tenant, no) VALUES ('1', 1), ('1', 2), ('2', 1)"};
    if (key.starts_with("VAR")) all.push_back("INSERT INTO $wallet (customer) VALUES ('x'), ('Y')");
    if (key.starts_with("VAR")) all.push_back("INSERT INTO $account (tenant, no) VALUES ('x', 1), ('Y', 2)");
    if (chance.one_in(5)) {
        all.push_back(
            "CREATE TRIGGER $watch AFTER UPDATE ON $wallet FOR EACH ROW INSERT INTO $audit VALUES"
            " (NEW.customer, NEW.balance)");
    }
    return all;
}

}  // namespace

RandomEffects random_effects(Chance& chance) {
    const auto key = chance.one_of({"VARBINARY(16)", "VARCHAR(16) COLLATE utf8mb4_general_ci",
                                    "VARCHAR(16) COLLATE utf8mb4_bin", "INT", "BIGINT UNSIGNED"});
    const Upserts upserts{.replaces = chance.one_in(2), .has_number_as_key = !key.starts_with("VAR")};
    const auto in_mirror = [&upserts](Chance& one) { return mirror(one, upserts); };
    const std::array<std::function<Pair(Chance&)>, 14> makers{
        add_to_wallet, add_to_wallet, insert_entry,   open_wallet,    set_status, add_points, set_word,
        guard_by_word, by_hand,       add_and_insert, insert_and_add, in_mirror,  in_mirror,  note_in_mirror};
    RandomEffects effects{"effects:\n", "effects:\n", {}, {"audit", "wallet", "entry", "account", "mirror"}};
    const int count = 2 + chance.below(5);
    for (int i = 0; i < count; ++i) {
        const auto begin = head(chance, i);
        const auto pair = makers[static_cast<std::size_t>(chance.below(makers.size()))](chance);
        effects.set_based += begin + pair.set_based;
        effects.by_sql += begin + pair.by_sql;
    }
    effects.tables = tables(chance, key, !effects.by_sql.contains("NOT EXISTS"));
    return effects;
}

std::vector<RandomEvent> random_events(Chance& chance, const RandomEffects& effects, int count) {
    // One row by several spellings, rows that are not there, and a hot one.
    std::vector<std::string> customers{"1", "1", "1", "2", "3", "4", "5"};
    const bool is_text = effects.tables.at(2).contains("customer VAR");
    for (const auto* more : {"x", "X", "x ", "y", "Y", "z"}) {
        if (is_text) customers.emplace_back(more);
    }
    if (!is_text) customers.insert(customers.end(), {"01", "+2", "003"});
    static int number = 0;
    std::vector<RandomEvent> events;
    for (int i = 0; i < count; ++i) {
        RandomEvent event{"v" + std::to_string(++number), chance.one_of({"a", "b", "c", "d"}), "{"};
        if (!chance.one_in(60)) event.body += "\"customer\": \"" + chance.one_of(customers) + "\", ";
        event.body += "\"ref\": \"" + chance.one_of({"r", "R"}) + std::to_string(chance.below(25)) + "\", ";
        if (chance.one_in(2))
            event.body += "\"word\": \"" + chance.one_of({"a", "A", "b", "too long"}) + "\", ";
        const int amount = chance.one_in(12) ? 100 * (chance.below(9) - 4) : chance.below(7) - 2;
        event.body += "\"no\": " + std::to_string(1 + chance.below(2)) +
                      ", \"amount\": " + std::to_string(amount) + "}";
        events.push_back(std::move(event));
    }
    return events;
}

}  // namespace sluice::effects
