-- A turn keeps where its cited passages stand (number, chunk_id, document_id, spans in UTF-16 units), no longer their
-- text: what is deleted from the documents cannot be read in a conversation.

UPDATE turn SET citations = coalesce((
  SELECT jsonb_agg(jsonb_build_object(
    'number', c -> 'number', 'chunk_id', c -> 'chunk_id', 'document_id', c -> 'document_id', 'spans', '[]'::jsonb)
    ORDER BY (c ->> 'number')::int)
  FROM jsonb_array_elements(citations) AS c), '[]'::jsonb);
