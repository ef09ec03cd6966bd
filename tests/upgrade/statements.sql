DELETE FROM lane_event WHERE lane_key = ? AND position = ?
DELETE event_payload FROM inbox LEFT JOIN event_payload ON event_payload.event_day = inbox.event_day AND event_payload.dedup_key = inbox.dedup_key WHERE inbox.event_day = ? AND inbox.dedup_key > ? AND inbox.dedup_key <= ? AND inbox.received_at < ? AND status IN ('done', 'ignored', 'skipped') AND (dlq_sent IS NULL OR dlq_sent = 1)
DELETE inbox FROM inbox LEFT JOIN event_payload ON event_payload.event_day = inbox.event_day AND event_payload.dedup_key = inbox.dedup_key WHERE inbox.event_day = ? AND inbox.dedup_key > ? AND inbox.dedup_key <= ? AND inbox.received_at < ? AND status IN ('done', 'ignored', 'skipped') AND (dlq_sent IS NULL OR dlq_sent = 1)
INSERT INTO applied_offset (group_id, topic_id, partition_no, claimant, next_offset, updated_at) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6)) ON DUPLICATE KEY UPDATE next_offset = GREATEST(next_offset, VALUES(next_offset)), updated_at = VALUES(updated_at)
INSERT INTO applied_offset (group_id, topic_id, partition_no, claimant, next_offset, updated_at) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6)), (?, ?, ?, ?, ?, UTC_TIMESTAMP(6)) ON DUPLICATE KEY UPDATE next_offset = GREATEST(next_offset, VALUES(next_offset)), updated_at = VALUES(updated_at)
INSERT INTO dead_letter (kind, lane_key, position, object_key, source, type, event_id, event_day, dedup_key, content_digest, error_class, error_text, attempts, first_failed_at, topic, partition_no, offset_no, seen_once, headers, body, dlq_sent, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO event_payload (event_day, dedup_key, headers, body) VALUES (?, ?, ?, ?)
INSERT INTO event_payload (event_day, dedup_key, headers, body) VALUES (?, ?, ?, ?), (?, ?, ?, ?)
INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic, partition_no, offset_no, received_at, finished_at, dlq_sent, error_class, error_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic, partition_no, offset_no, received_at, finished_at, dlq_sent, error_class, error_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)
INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic, partition_no, offset_no, received_at, finished_at, dlq_sent, error_class, error_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)
INSERT INTO lane (lane_key, object_key, gen, kick_due, kick_sent, unfinished, last_position, updated_at) VALUES (?, ?, ?, NULL, 1, 0, 0, ?) ON DUPLICATE KEY UPDATE lane_key = lane.lane_key
INSERT INTO lane_event (lane_key, position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, effects, effects_missing_since, error_class, error_text, event_day, dedup_key, topic, partition_no, offset_no, appended_at, headers, body, edited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO operator_action (id, run, action, answer, why, object_key, event_day, dedup_key, dead_letter, operator, reason, database_user, host, requested_at, carried_out_at, body_sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO sluice_meta (name, value, written_at) VALUES (?, ?, ?)
INSERT INTO sluice_meta (name, value, written_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE value = ?, written_at = ?
INSERT INTO sluice_migration (version, name, checksum, started, finished) VALUES (?, ?, ?, 0, 0)
SELECT COALESCE(MAX(id), 0) FROM dead_letter
SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sluice_migration'
SELECT COUNT(*), COUNT(CASE WHEN answer = 'refused' THEN 1 END) FROM operator_action WHERE run = ?
SELECT STRAIGHT_JOIN COUNT(*) FROM operator_action AS done JOIN dead_letter AS was ON was.id = done.dead_letter JOIN dead_letter AS again ON again.lane_key = was.lane_key AND again.closed_at IS NULL AND again.position = was.position AND again.id > was.id WHERE done.run = ?
SELECT STRAIGHT_JOIN COUNT(*) FROM operator_action AS done JOIN dead_letter AS was ON was.id = done.dead_letter JOIN lane_event AS event ON event.lane_key = was.lane_key AND event.position = was.position WHERE done.run = ? AND done.answer = 'carried_out' AND event.status = 'retry' AND event.attempts = 0
SELECT dedup_key FROM inbox WHERE event_day = ? AND dedup_key > ? ORDER BY dedup_key LIMIT 1 OFFSET 999
SELECT error_class, source, COUNT(*), MIN(opened_at) FROM dead_letter WHERE closed_at IS NULL GROUP BY error_class, source
SELECT error_class, source, kind, COUNT(*) AS many, MIN(opened_at) FROM dead_letter WHERE closed_at IS NULL AND id > ? AND id <= ? GROUP BY error_class, source, kind ORDER BY many DESC, error_class, source, kind
SELECT event_day, dedup_key FROM dead_letter WHERE id = ? AND kind = 'dead' AND closed_at IS NULL
SELECT event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic, partition_no, offset_no, received_at, finished_at, dlq_sent, error_class, error_text FROM inbox WHERE event_day = ? AND dedup_key IN (?)
SELECT event_day, dedup_key, content_digest, source, status, dlq_sent FROM inbox WHERE event_day IN (?) AND dedup_key IN (?)
SELECT event_day, dedup_key, content_digest, source, status, dlq_sent FROM inbox WHERE event_day IN (?) AND dedup_key IN (?, ?)
SELECT gen, kick_due, kick_sent, unfinished, last_position FROM lane WHERE lane_key = ? FOR UPDATE
SELECT head, COUNT(*) AS lanes, CAST(SUM(unfinished) AS SIGNED), MIN(since) FROM (SELECT lane.lane_key, lane.object_key, gen, kick_due, kick_sent, unfinished, updated_at, COALESCE((SELECT status FROM lane_event AS e WHERE e.lane_key = lane.lane_key AND status <> 'deferred' ORDER BY position LIMIT 1), IF(unfinished > 0, 'deferred', '')) AS head, COALESCE((SELECT error_class FROM lane_event AS e WHERE e.lane_key = lane.lane_key AND status <> 'deferred' ORDER BY position LIMIT 1), (SELECT error_class FROM lane_event AS e WHERE e.lane_key = lane.lane_key ORDER BY position LIMIT 1)) AS class, (SELECT appended_at FROM lane_event AS e WHERE e.lane_key = lane.lane_key ORDER BY position LIMIT 1) AS since FROM lane WHERE unfinished > 0) AS busy GROUP BY head ORDER BY lanes DESC, head
SELECT id FROM operator_action WHERE id IN (?)
SELECT id FROM operator_action WHERE id IN (?, ?)
SELECT id, kind, lane_key, position, object_key, source, type, event_id, event_day, dedup_key, content_digest, error_class, error_text, attempts, first_failed_at, topic, partition_no, offset_no, seen_once, dlq_sent, opened_at, closed_at, closed_as FROM dead_letter FORCE INDEX (dead_letter_backlog) WHERE closed_at IS NULL AND id > ? AND id <= ? ORDER BY id LIMIT ?
SELECT id, kind, lane_key, position, object_key, source, type, event_id, event_day, dedup_key, content_digest, error_class, error_text, attempts, first_failed_at, topic, partition_no, offset_no, seen_once, dlq_sent, opened_at, closed_at, closed_as, headers, body FROM dead_letter WHERE id = ?
SELECT id, lane_key IS NOT NULL, object_key, opened_at FROM dead_letter WHERE dlq_sent = 0 AND closed_at IS NULL AND opened_at < ? AND opened_at >= ? AND (opened_at > ? OR id > ?) ORDER BY opened_at, id LIMIT 100
SELECT lane_key FROM lane WHERE lane_key IN (?) AND unfinished > 0
SELECT lane_key FROM lane WHERE lane_key IN (?, ?) AND unfinished > 0
SELECT lane_key FROM lane WHERE unfinished = 0 AND updated_at < ? LIMIT 500
SELECT lane_key, object_key, gen FROM lane WHERE kick_due < ? ORDER BY kick_due LIMIT 500
SELECT partition_no, MAX(next_offset) FROM applied_offset WHERE group_id = ? AND topic_id = ? GROUP BY partition_no
SELECT position, id FROM dead_letter WHERE lane_key = ? AND closed_at IS NULL AND dlq_sent = 0 ORDER BY position LIMIT 1
SELECT position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later FROM lane_event WHERE lane_key = ? AND event_day = ? AND dedup_key = ? ORDER BY position LIMIT 1
SELECT position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, effects, effects_missing_since, event_day, dedup_key FROM lane_event WHERE lane_key = ? AND position > ? ORDER BY position LIMIT 33
SELECT topic, partition_no, offset_no, appended_at, headers, body, edited FROM lane_event WHERE lane_key = ? AND position = ?
SELECT topic_id, partition_no, claimant, next_offset, TIMESTAMPDIFF(SECOND, updated_at, UTC_TIMESTAMP(6)) FROM applied_offset WHERE group_id = ?
SELECT value, written_at FROM sluice_meta WHERE name = ?
SELECT version, name, checksum, started, finished, applied_at FROM sluice_migration ORDER BY version
SELECT why, COUNT(*) FROM operator_action WHERE run = ? AND answer = 'refused' GROUP BY why ORDER BY 2 DESC, 1
UPDATE dead_letter SET closed_at = ?, closed_as = ? WHERE lane_key = ? AND position = ? AND closed_at IS NULL
UPDATE dead_letter SET dlq_sent = 1 WHERE id = ? AND dlq_sent = 0
UPDATE inbox SET dlq_sent = 1 WHERE event_day = ? AND dedup_key = ? AND dlq_sent = 0
UPDATE inbox SET status = ?, finished_at = ?, dlq_sent = IF(dlq_sent IS NULL, NULL, 1), error_class = ?, error_text = ? WHERE event_day = ? AND dedup_key = ? AND status IN ('retry', 'deferred', 'parked', 'dead')
UPDATE lane SET gen = ?, kick_due = ?, kick_sent = ?, unfinished = ?, last_position = ?, updated_at = ? WHERE lane_key = ?
UPDATE lane SET kick_due = ?, kick_sent = 1 WHERE lane_key = ? AND gen = ? AND kick_due IS NOT NULL
UPDATE lane SET kick_sent = 1 WHERE lane_key = ? AND gen = ? AND kick_sent = 0
UPDATE lane_event SET status = ?, attempts = ?, deferrals = ?, due_at = ?, first_failed_at = ?, superseded_by_later = ?, effects = ?, effects_missing_since = ?, error_class = ?, error_text = ? WHERE lane_key = ? AND position = ?
UPDATE sluice_migration SET applied_at = UTC_TIMESTAMP(6) WHERE version = ?
UPDATE sluice_migration SET started = ?, finished = ? WHERE version = ?
