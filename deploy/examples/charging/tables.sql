-- Your own tables, which the command changes.
CREATE TABLE merchant_balance (
    merchant VARBINARY(64) PRIMARY KEY,
    balance BIGINT NOT NULL                       -- minor units; what is left
);

-- The ledger: one row for each click that was charged. It has no unique key, on purpose: a click that was charged twice would show as a
-- second row.
CREATE TABLE click_charge (
    seq BIGINT AUTO_INCREMENT PRIMARY KEY,
    merchant VARBINARY(64) NOT NULL,
    click VARBINARY(64) NOT NULL,
    price BIGINT NOT NULL                         -- minor units
);
