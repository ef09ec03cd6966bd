-- The application's own tables, which the effects change. No unique key on `event`, on purpose:
-- an effect that ran twice would show as a second row.
CREATE TABLE wallet (
    customer VARBINARY(64) PRIMARY KEY,
    balance BIGINT NOT NULL
);
CREATE TABLE wallet_entry (
    seq BIGINT AUTO_INCREMENT PRIMARY KEY,
    event VARBINARY(255) NOT NULL,
    customer VARBINARY(64) NOT NULL,
    amount BIGINT NOT NULL
);
CREATE TABLE email_request (
    seq BIGINT AUTO_INCREMENT PRIMARY KEY,
    event VARBINARY(255) NOT NULL,
    customer VARBINARY(64) NOT NULL,
    address VARCHAR(255) NOT NULL
);
