-- The one extension every size needs: vectors and sparse vectors (pgvector). pg_textsearch stays optional.
CREATE EXTENSION IF NOT EXISTS vector;
