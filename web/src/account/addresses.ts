/** Email addresses as people paste them: `Ada <ada@example.org>; ben@example.org`, each once. */
export const addressesIn = (text: string): string[] => [
  ...new Map(
    [...text.matchAll(/[^\s<>,;"()]+@[^\s<>,;"()]+/g)].map(([address]) => {
      const addressText = address.replace(/^mailto:/i, '').replace(/\.+$/, '')
      return [addressText.toLowerCase(), addressText]
    }),
  ).values(),
]
