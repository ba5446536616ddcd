// When a table's statistics are too old to plan by: the embedded engine and the nodes of a Citus ask it in the same words.

/**
 * Of a table `s` of pg_stat_user_tables and `c` of pg_class: it has grown ten times since it was analysed, or never was, so its
 * plans are made for another table.
 */
export const OUTGROWN = 's.n_mod_since_analyze > 50 + 10 * greatest(c.reltuples, 0)'
