-- Ten thousand members with ten days of a hundred stretches each, and one of them with a year over five machines: ten million rows in the
-- tables of household-service.
INSERT INTO devices (device, name, key, accounts, joined_ms, tx)
    SELECT 'machine-' || n, 'machine-' || n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '{"accounts":[]}', 0, 0 FROM generate_series(1, 10000) AS n;
INSERT INTO members (name, tx) SELECT 'pupil' || n, 0 FROM generate_series(1, 10000) AS n;
SELECT min(number) AS device FROM devices WHERE name = 'machine-1' \gset
SELECT min(number) AS member FROM members WHERE name = 'pupil1' \gset
CREATE TABLE uses_2026_9 PARTITION OF uses FOR VALUES FROM (1788220800000) TO (1790812800000);
CREATE TEMPORARY TABLE apps AS SELECT n::int8 - 1 AS n, app, category FROM unnest(
    ARRAY['org.mozilla.firefox', 'org.libreoffice.LibreOffice', 'org.geogebra.GeoGebra', 'org.gimp.GIMP', 'com.valvesoftware.Steam',
        'org.videolan.VLC', 'org.telegram.desktop', 'org.gnome.Nautilus', 'org.scratch.Scratch', 'org.thonny.Thonny'],
    ARRAY['category:browsing', 'category:work', 'category:learning', 'category:art', 'category:games', 'category:films', 'category:social',
        'category:utilities', 'category:learning', 'category:learning']) WITH ORDINALITY AS a (app, category, n);
CREATE OR REPLACE PROCEDURE fill(first_day int, last_day int, first_member int, last_member int, machines int, each int, base_member int8, base_device int8) LANGUAGE plpgsql AS $$
BEGIN
    FOR day IN first_day..last_day LOOP
        WITH sent AS MATERIALIZED (
            SELECT m AS member, (m - base_member) % 9990 + base_device + k AS device, day * 86400000::int8 + 28800000 + i * 300000::int8 AS start_ms,
                240000 AS length_ms, a.app, a.category, 'agent-' || m || '/run/' || day || '-' || k || '-' || i AS segment
            FROM generate_series(first_member, last_member) AS m, generate_series(0, machines - 1) AS k, generate_series(1, each) AS i
                JOIN apps AS a ON a.n = i % 10
        ), moved AS (
            INSERT INTO uses (place, start_ms, local_ms, key, member, device, length_ms, used, epoch, app, site, category, body)
            SELECT row_number() OVER (), start_ms, start_ms, md5(segment)::uuid, member, device, length_ms,
                true, '019db7b1-0000-7000-8000-000000000000', app, '', category, convert_to(
                    '{"segment":"' || segment || '","agent":"019db7b1-0000-7000-8000-000000000000","run":"019db7b1-0000-7000-8000-000000000001","sequence":'
                    || 1 || ',"member":"pupil' || member || '","presence":"active","app":"' || app || '","domain":null,"boot_id":"019db7b1-0000-7000-8000-000000000002","start_boot_ms":'
                    || start_ms || ',"end_boot_ms":' || start_ms || ',"start_wall_ms":' || start_ms || ',"zone":"Europe/Berlin","category":"' || category
                    || '","device":"machine-' || device || '"}', 'UTF8') FROM sent
            RETURNING member, device, local_ms, length_ms, app, category
        ), pieces AS (
            SELECT member, device, app, category, hour,
                sum(least(local_ms + length_ms, (hour + 1) * 3600000) - greatest(local_ms, hour * 3600000)) AS ms
            FROM moved, generate_series(local_ms / 3600000, (local_ms + length_ms - 1) / 3600000) AS hour GROUP BY 1, 2, 3, 4, 5
        ), by_hour AS (
            INSERT INTO hour_sums (member, hour, device, app, site, category, ms) SELECT member, hour, device, app, '', category, ms FROM pieces
        )
        INSERT INTO day_sums (member, day, device, app, site, category, ms)
            SELECT member, hour / 24, device, app, '', category, sum(ms) FROM pieces GROUP BY member, hour / 24, device, app, category;
        COMMIT;
    END LOOP;
END $$;
CALL fill(20697, 20706, :member, :member + 9999, 1, 100, :member, :device);
CALL fill(20332, 20696, :member, :member, 5, 60, :member, :device);
ANALYZE;
