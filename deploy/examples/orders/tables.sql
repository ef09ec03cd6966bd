-- Your own tables, which the effects change. Numbers of orders and payments compare byte by byte.
CREATE TABLE orders (
    order_no VARCHAR(64) COLLATE utf8mb4_bin PRIMARY KEY,
    status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
    amount BIGINT NOT NULL,                       -- minor units: 88.88 yuan are 8888
    currency CHAR(3) NOT NULL DEFAULT 'CNY',
    paid_by VARCHAR(64) COLLATE utf8mb4_bin NULL, -- the provider's number of the payment
    paid_at DATETIME(6) NULL,
    refunded BIGINT NOT NULL DEFAULT 0,           -- all that went back
    KEY of_payment (paid_by)
);
CREATE TABLE refunds (
    paid_by VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
    refund VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
    amount BIGINT NOT NULL,                       -- of this refund
    PRIMARY KEY (paid_by, refund)
);
