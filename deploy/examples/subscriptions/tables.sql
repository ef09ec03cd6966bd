-- Your own tables, which the effects change. Those of the mirrors sluicectl migrate --effects makes.
CREATE TABLE credit (
    customer VARBINARY(255) PRIMARY KEY,
    balance BIGINT NOT NULL                       -- minor units: paid invoices less refunds
);
CREATE TABLE credit_entry (
    invoice VARBINARY(255) PRIMARY KEY,           -- an invoice counts once
    customer VARBINARY(255) NOT NULL,
    amount BIGINT NOT NULL
);
CREATE TABLE charge_refund (
    charge VARBINARY(255) PRIMARY KEY,
    customer VARBINARY(255) NOT NULL,
    refunded BIGINT NOT NULL                      -- all that went back of it so far
);
CREATE TABLE mail_asked (
    invoice VARBINARY(255) NOT NULL,
    attempt BIGINT NOT NULL,
    PRIMARY KEY (invoice, attempt)
);
