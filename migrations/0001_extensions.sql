-- pgvector, which every installation needs: vectors, and sparse vectors for BM25 weights. pg_textsearch is optional.
CREATE EXTENSION IF NOT EXISTS vector;
