/** The text without accents and capitals, as people type it when they look for a name. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
