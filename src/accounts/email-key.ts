// What makes two spellings of an address one account.

/** Two spellings of one mailbox are one account: compatibility forms and case are folded. */
export const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase()
