-- People of one name whom documents tell apart have keys such as "li wei (Northwind Shipping)" (graph/resolve/namesakes.ts).
LOCK TABLE entity_part IN SHARE MODE;
CREATE INDEX entity_part_name ON entity_part (workspace_id, split_part(key, ' (', 1)) WHERE key LIKE '% (%';
