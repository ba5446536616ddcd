/** Email addresses as people paste them: `Ada <ada@example.org>; ben@example.org`, each once. */
export const addressesIn = (text: string): string[] => [
  ...new Map(
    [...text.matchAll(/[^\s<>,;"()]+@[^\s<>,;"()]+/g)].map(([address]) => {
      const addressText = address.replace(/^mailto:/i, '').replace(/\.+$/, '')
      return [addressText.toLowerCase(), addressText]
    }),
  ).values(),
]

/** Whether a link leads to the computer on which it is opened, so that nobody else can use it. */
export function isLoopback(link: string): boolean {
  const { hostname } = new URL(link)
  return /(^|\.)localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)
}
