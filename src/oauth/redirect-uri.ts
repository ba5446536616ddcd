// Where a browser may be sent back to (RFC 9700 section 4.1, RFC 8252 section 7): what may be registered, and the match.

const MOST_CHARACTERS = 1000

// Schemes that run, read or show something by themselves, or that programs of the system are known to be tricked by.
const NEVER = new Set(
  (
    'about blob chrome data feed file filesystem ftp ftps intent jar jdbc javascript ldap ldaps mailto ms-appinstaller ' +
    'ms-msdt ms-officecmd ms-search resource res search search-ms shell smb sms smsto ssh tel telnet urn vbscript ' +
    'view-source vnc ws wss'
  ).split(' '),
)
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * https to any host, http to this computer only, or a native application's own scheme. One spelling only: what the URL
 * standard would read as another address than stands there is refused, since programs differ in how they read it.
 */
export function mayRedirect(uri: string): boolean {
  if (uri.length > MOST_CHARACTERS || !/^[\x21-\x7e]+$/.test(uri) || /[\\#"<>^`{|}]/.test(uri)) return false
  const url = parse(uri)
  if (!url || NEVER.has(url.protocol.slice(0, -1))) return false
  if (url.username !== '' || url.password !== '' || /^[^/?]*\/\/[^/?]*@/.test(uri)) return false
  if (url.protocol === 'https:') return isPlain(uri, url)
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname) && isPlain(uri, url)
  // `scheme:/path`, `scheme://path`; a scheme alone leads nowhere.
  return /^[a-z][a-z0-9+.-]{1,60}:\/{1,3}[^/]/.test(uri)
}

/** Written as the URL standard would write it (`https://host` for `https://host/` is let pass). */
const isPlain = (uri: string, url: URL): boolean =>
  !url.hostname.endsWith('.') && !url.hostname.includes('*') && (url.href === uri || url.href === `${uri}/`)

/** Exactly a registered one; on this computer with any port (RFC 8252 section 7.3), names not interchangeable. */
export const matchesRedirect = (asked: string, registered: readonly string[]): boolean =>
  registered.includes(asked) ||
  (mayRedirect(asked) &&
    isLoopback(asked) &&
    registered.some((uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(asked)))

export const isLoopback = (uri: string): boolean => {
  const url = parse(uri)
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}

const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d+/, '$1')

/** What somebody who is asked for consent should look at: a host, or a native application's scheme. */
export function destinationOf(uri: string): { kind: 'web' | 'loopback' | 'application'; shown: string } {
  const url = parse(uri)
  if (!url) return { kind: 'application', shown: uri }
  if (isLoopback(uri)) return { kind: 'loopback', shown: url.host }
  if (url.protocol === 'https:') return { kind: 'web', shown: url.host }
  return { kind: 'application', shown: url.protocol + (url.host ? `//${url.host}` : '') }
}

function parse(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined
}
