/** Email addresses as people paste them: `Ada <ada@example.org>; ben@example.org`, each once. */
export const addressesIn = (text: string): string[] => [
  ...new Map(
    [...text.matchAll(/[^\s<>,;"()]+@[^\s<>,;"()]+/g)].map(([address]) => {
      const plain = address.replace(/^mailto:/i, '').replace(/\.+$/, '')
      return [plain.toLowerCase(), plain]
    }),
  ).values(),
]
