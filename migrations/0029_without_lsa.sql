-- Latent semantic analysis is gone (docs/decisions/0012-embedders.md). The release before finds no rows and searches by words; the
-- table itself, which it reads, goes a release later.
LOCK TABLE lexical_basis IN ACCESS EXCLUSIVE MODE;
TRUNCATE lexical_basis;
