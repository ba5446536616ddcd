// The form of an email address by which accounts are unique.

/** Folds case and Unicode compatibility forms, so that two spellings of one address give the same key. */
export const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase()
