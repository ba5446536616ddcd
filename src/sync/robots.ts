// What a site's robots.txt allows (RFC 9309), in time linear in the length of its rules: a site may write rules of any length, and
// the usual matchers try again at each star.

export interface Robots {
  /** Whether the rules allow an address of the site. */
  isAllowed(url: URL): boolean
  /** Seconds between two requests, where they ask for some (`Crawl-delay`, not in the RFC). */
  delaySeconds: number | undefined
}

interface Rule {
  isAllow: boolean
  /** Octets of the path: the most specific rule that matches counts. */
  length: number
  isMatch(path: string): boolean
}

interface Group {
  agents: string[]
  rules: Rule[]
  delaySeconds: number | undefined
}

// As much as the RFC wants to be read at least; what follows is not looked at.
export const MAX_ROBOTS_BYTES = 512_000

/** @param agent our name in lower case, as sites know it */
export function parseRobots(text: string, agent: string): Robots {
  const groups = groupsOf(text)
  const ownGroups = groups.filter(({ agents }) => agents.includes(agent))
  const applicable = ownGroups.length > 0 ? ownGroups : groups.filter(({ agents }) => agents.includes('*'))
  // The longest first; of two that are as long the one that allows.
  const rules = applicable
    .flatMap((group) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.isAllow) - Number(a.isAllow))
  return {
    isAllowed: ({ pathname, search }) => {
      const path = comparable(pathname + search)
      return rules.find(({ isMatch }) => isMatch(path))?.isAllow ?? true
    },
    delaySeconds: applicable.find(({ delaySeconds }) => delaySeconds !== undefined)?.delaySeconds,
  }
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  let isNaming = false
  for (const line of text
    .slice(0, MAX_ROBOTS_BYTES)
    .replace(/^\uFEFF/, '')
    .split(/[\r\n]+/)) {
    const content = line.split('#', 1)[0] ?? ''
    const colon = content.indexOf(':')
    if (colon < 0) continue
    const name = content.slice(0, colon).trim().toLowerCase()
    const value = content.slice(colon + 1).trim()
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], delaySeconds: undefined })
      groups.at(-1)?.agents.push(agentOf(value))
      isNaming = true
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      isNaming = false
      const group = groups.at(-1)
      const seconds = Number(value)
      if (name !== 'crawl-delay') {
        if (value !== '') group?.rules.push(ruleOf(name === 'allow', value))
      } else if (group && value !== '' && seconds >= 0) group.delaySeconds ??= seconds
    }
  }
  return groups
}

/** Without a version, such as `kenning/1`. */
const agentOf = (value: string): string =>
  value === '*' ? '*' : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()

function ruleOf(isAllow: boolean, value: string): Rule {
  const isWhole = value.endsWith('$')
  const [first = '', ...others] = comparable(isWhole ? value.slice(0, -1) : value).split(/\*+/)
  const last = isWhole ? others.pop() : undefined
  const searches = others.filter((part) => part !== '').map(searchFor)
  const isMatch = (path: string): boolean => {
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const search of searches) {
      at = search(path, at)
      if (at < 0) return false
    }
    if (!isWhole) return true
    return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
  }
  return { isAllow, length: value.length, isMatch }
}

/** Finds a text in another from a place on, and returns where it ends there, or -1 (Knuth, Morris, Pratt). */
function searchFor(part: string): (text: string, from: number) => number {
  // For each length of a beginning: how much of it is a beginning again at its end.
  const borders = new Uint32Array(part.length)
  for (let at = 1, length = 0; at < part.length; at++) {
    while (length > 0 && part[at] !== part[length]) length = borders[length - 1] ?? 0
    if (part[at] === part[length]) length++
    borders[at] = length
  }
  return (text, from) => {
    for (let at = from, length = 0; at < text.length; at++) {
      while (length > 0 && text[at] !== part[length]) length = borders[length - 1] ?? 0
      if (text[at] === part[length]) length++
      if (length === part.length) return at + 1
    }
    return -1
  }
}

/** As RFC 9309, 2.2.2 compares: what is not ASCII is written as octets, what needs no octets by itself. */
function comparable(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}
