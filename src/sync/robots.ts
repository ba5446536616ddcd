// Reads what a site's robots.txt allows (RFC 9309). A site may write very long rules, so a rule is matched in time that is linear
// in its length; the usual matchers backtrack at each star.

export interface Robots {
  /** Whether the rules allow an address of the site. */
  isAllowed(url: URL): boolean
  /** The seconds between two requests, if the rules ask for a delay (`Crawl-delay`, which is not in the RFC). */
  delaySeconds: number | undefined
}

interface Rule {
  isAllow: boolean
  /** The length of the rule's path. Of the rules that match, the longest is applied. */
  length: number
  isMatch(path: string): boolean
}

interface Group {
  agents: string[]
  rules: Rule[]
  delaySeconds: number | undefined
}

// The RFC requires that at least this much is read. The rest is ignored.
export const MAX_ROBOTS_BYTES = 512_000

/** @param agent our name in lower case, as sites know it */
export function parseRobots(text: string, agent: string): Robots {
  const groups = groupsOf(text)
  const ownGroups = groups.filter(({ agents }) => agents.includes(agent))
  const applicableGroups =
    ownGroups.length > 0 ? ownGroups : groups.filter(({ agents }) => agents.includes('*'))
  // The longest rule comes first. Of two rules of the same length, the one that allows comes first.
  const rules = applicableGroups
    .flatMap((group) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.isAllow) - Number(a.isAllow))
  return {
    isAllowed: ({ pathname, search }) => {
      const path = normalisePath(pathname + search)
      return rules.find(({ isMatch }) => isMatch(path))?.isAllow ?? true
    },
    delaySeconds: applicableGroups.find(({ delaySeconds }) => delaySeconds !== undefined)?.delaySeconds,
  }
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  // Several lines with a name of an agent, one after the other, begin one group.
  let isInAgentLines = false
  const lines = text
    .slice(0, MAX_ROBOTS_BYTES)
    .replace(/^\uFEFF/, '')
    .split(/[\r\n]+/)
  for (const line of lines) {
    const content = line.split('#', 1)[0] ?? ''
    const colon = content.indexOf(':')
    if (colon < 0) continue
    const name = content.slice(0, colon).trim().toLowerCase()
    const value = content.slice(colon + 1).trim()
    if (name === 'user-agent') {
      if (!isInAgentLines) groups.push({ agents: [], rules: [], delaySeconds: undefined })
      groups.at(-1)?.agents.push(agentOf(value))
      isInAgentLines = true
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      isInAgentLines = false
      const group = groups.at(-1)
      const seconds = Number(value)
      if (name !== 'crawl-delay') {
        if (value !== '') group?.rules.push(ruleOf(name === 'allow', value))
      } else if (group && value !== '' && seconds >= 0) group.delaySeconds ??= seconds
    }
  }
  return groups
}

/** The name of an agent without its version (`kenning/1`). */
const agentOf = (value: string): string =>
  value === '*' ? '*' : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()

function ruleOf(isAllow: boolean, value: string): Rule {
  const endsAtPathEnd = value.endsWith('$')
  const [prefix = '', ...middleParts] = normalisePath(endsAtPathEnd ? value.slice(0, -1) : value).split(/\*+/)
  const suffix = endsAtPathEnd ? middleParts.pop() : undefined
  const searches = middleParts.filter((part) => part !== '').map(searchFor)
  const isMatch = (path: string): boolean => {
    if (!path.startsWith(prefix)) return false
    let position = prefix.length
    for (const search of searches) {
      position = search(path, position)
      if (position < 0) return false
    }
    if (!endsAtPathEnd) return true
    return suffix === undefined
      ? position === path.length
      : path.length - suffix.length >= position && path.endsWith(suffix)
  }
  return { isAllow, length: value.length, isMatch }
}

/** Returns a function that finds `part` in a text, beginning at a position, and returns the position after it, or -1 (KMP). */
function searchFor(part: string): (text: string, from: number) => number {
  // For each prefix of the part, the length of the longest shorter prefix with which it ends.
  const borderLengths = new Uint32Array(part.length)
  for (let index = 1, length = 0; index < part.length; index++) {
    while (length > 0 && part[index] !== part[length]) length = borderLengths[length - 1] ?? 0
    if (part[index] === part[length]) length++
    borderLengths[index] = length
  }
  return (text, from) => {
    for (let index = from, length = 0; index < text.length; index++) {
      while (length > 0 && text[index] !== part[length]) length = borderLengths[length - 1] ?? 0
      if (text[index] === part[length]) length++
      if (length === part.length) return index + 1
    }
    return -1
  }
}

/**
 * The form in which RFC 9309 (2.2.2) compares paths: characters outside ASCII are percent-encoded, unreserved characters are not.
 */
function normalisePath(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}
