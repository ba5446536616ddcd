// What no line of a log and no output of a process may say: tokens, passwords, cookies, links.

export const PASSWORDS = ['four words and a pear', 'correct horse battery staple'] as const

// Every secret we hand out is 32 random bytes in base64url: tokens, cookies, codes, links. A run of exactly 43 such
// characters of all three kinds is nothing else.
const SECRET = /(?<![\w-])(?:ken_[a-z]+_)?(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{43}(?![\w-])/g
const KNOWN = /ken_(?:at|rt|mcp)_[\w-]{20,}|\$argon2|BEGIN [A-Z ]*PRIVATE KEY/g
// Printed on purpose, once, where nobody has an account yet (src/app.ts).
const SETUP = /"setup_token":"[\w-]+"|\/setup\?token=[\w-]+/g

/** What of `text` no log may say. */
export function secretsIn(text: string, also: readonly string[] = []): string[] {
  const textWithoutSetup = text.replace(SETUP, '')
  const patterns = [SECRET, KNOWN].flatMap((pattern) => textWithoutSetup.match(pattern) ?? [])
  return [...patterns, ...[...PASSWORDS, ...also].filter((secret) => textWithoutSetup.includes(secret))]
}
