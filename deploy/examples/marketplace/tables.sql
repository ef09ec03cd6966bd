-- Your own tables, which the effects change. Names and numbers compare byte by byte.
CREATE TABLE seller (
    seller VARCHAR(64) COLLATE utf8mb4_bin PRIMARY KEY,   -- the principal of its sources
    currency CHAR(3) NOT NULL,
    balance BIGINT NOT NULL DEFAULT 0             -- minor units: sales less refunds and payouts
);
CREATE TABLE ledger (
    seq BIGINT AUTO_INCREMENT PRIMARY KEY,        -- of one seller: the order in which it was booked
    seller VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
    provider VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
    kind VARCHAR(16) NOT NULL,                    -- sale, refund, payout
    number VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,     -- the provider's, of the payment, the refund or the payout
    payment VARCHAR(255) COLLATE utf8mb4_bin NULL,        -- of sale and refund
    amount BIGINT NOT NULL,                       -- what the balance changed by
    UNIQUE KEY once (seller, provider, kind, number)
);
