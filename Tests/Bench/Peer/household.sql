-- What `machines` is measured against: the rows of a file into the same tables by psql alone, deduplicated and added up.
\if :{?step}
\else
\quit
\endif
SELECT :'step' = 'tables' AS is_tables \gset
\if :is_tables
CREATE UNLOGGED TABLE staging (
    member int8, device int8, start_ms int8, local_ms int8, length_ms int8, used int8, epoch text, segment text, app text, site text,
    category text, body text
);
CREATE TABLE uses (
    place int8 NOT NULL, start_ms int8 NOT NULL, local_ms int8 NOT NULL, key uuid NOT NULL, member int4 NOT NULL, device int4 NOT NULL,
    length_ms int8 NOT NULL, used bool NOT NULL, epoch text NOT NULL, app text NOT NULL, site text NOT NULL, category text NOT NULL,
    body bytea NOT NULL, UNIQUE (device, key, start_ms)
) PARTITION BY RANGE (start_ms);
CREATE INDEX uses_of_member ON uses (member, place);
CREATE TABLE uses_rest PARTITION OF uses DEFAULT;
CREATE TABLE hour_sums (
    member int4 NOT NULL, hour int4 NOT NULL, device int4 NOT NULL, ms int8 NOT NULL, app text NOT NULL, site text NOT NULL,
    category text NOT NULL, PRIMARY KEY (member, hour, device, app, site, category)
);
CREATE TABLE day_sums (
    member int4 NOT NULL, day int4 NOT NULL, device int4 NOT NULL, ms int8 NOT NULL, app text NOT NULL, site text NOT NULL,
    category text NOT NULL, PRIMARY KEY (member, day, device, app, site, category)
);
CREATE INDEX day_sums_of_day ON day_sums (day);
\else
\set copying '\\copy staging FROM ' '\'' :rows '\''
:copying
BEGIN;
INSERT INTO uses (place, start_ms, local_ms, key, member, device, length_ms, used, epoch, app, site, category, body)
    SELECT row_number() OVER (), start_ms, local_ms, md5(segment)::uuid, member, device, length_ms, used = 1, epoch, app, site, category,
        convert_to(body, 'UTF8') FROM staging
    ON CONFLICT (device, key, start_ms) DO NOTHING;
CREATE TEMPORARY TABLE pieces ON COMMIT DROP AS
    SELECT member, device, app, site, category, hour,
        sum(least(local_ms + length_ms, (hour + 1) * 3600000) - greatest(local_ms, hour * 3600000)) AS ms
    FROM uses, generate_series(local_ms / 3600000, (local_ms + length_ms - 1) / 3600000) AS hour
    WHERE used AND length_ms > 0 GROUP BY member, hour, device, app, site, category;
INSERT INTO hour_sums AS s (member, hour, device, app, site, category, ms)
    SELECT member, hour, device, app, site, category, ms FROM pieces
    ON CONFLICT (member, hour, device, app, site, category) DO UPDATE SET ms = s.ms + excluded.ms;
INSERT INTO day_sums AS s (member, day, device, app, site, category, ms)
    SELECT member, hour / 24, device, app, site, category, sum(ms) FROM pieces GROUP BY member, hour / 24, device, app, site, category
    ON CONFLICT (member, day, device, app, site, category) DO UPDATE SET ms = s.ms + excluded.ms;
COMMIT;
\endif
