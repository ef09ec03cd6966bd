-- Your own table, which the effects change. Those of the mirrors sluicectl migrate --effects makes.
CREATE TABLE income (
    invoice VARBINARY(255) PRIMARY KEY,           -- an invoice counts once
    customer VARBINARY(255) NOT NULL,
    amount BIGINT NOT NULL                        -- minor units
);
