-- The language of the console and of mail for a person. NULL: the browser's.
ALTER TABLE account ADD COLUMN language text CHECK (language IN ('en', 'de', 'fr', 'es', 'ja'));
