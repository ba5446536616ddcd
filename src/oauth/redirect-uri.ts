// Redirect URIs (RFC 9700 section 4.1, RFC 8252 section 7): which may be registered, and how a requested one is matched.

const MAX_CHARACTERS = 1000

// Schemes that execute, read or display something themselves, or whose handlers have known vulnerabilities.
const FORBIDDEN_SCHEMES = new Set(
  (
    'about blob chrome data feed file filesystem ftp ftps intent jar jdbc javascript ldap ldaps mailto ms-appinstaller ' +
    'ms-msdt ms-officecmd ms-search resource res search search-ms shell smb sms smsto ssh tel telnet urn vbscript ' +
    'view-source vnc ws wss'
  ).split(' '),
)
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a URI may be registered: https to any host, http to a loopback address, or a private-use scheme of a native app.
 * Only canonical URIs are accepted, since programs parse others differently.
 */
export function isRegistrable(uri: string): boolean {
  const hasAllowedCharacters = /^[\x21-\x7e]+$/.test(uri) && !/[\\#"<>^`{|}]/.test(uri)
  if (uri.length > MAX_CHARACTERS || !hasAllowedCharacters) return false
  const url = parse(uri)
  if (!url || FORBIDDEN_SCHEMES.has(url.protocol.slice(0, -1))) return false
  // No user name, also where the parser sees none: `app://user@host` and `https://@host`.
  if (url.username !== '' || url.password !== '' || /^[^/?]*\/\/[^/?]*@/.test(uri)) return false
  if (url.protocol === 'https:') return isCanonical(uri, url)
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname) && isCanonical(uri, url)
  // `scheme:/path` or `scheme://path`.
  return /^[a-z][a-z0-9+.-]{1,60}:\/{1,3}[^/]/.test(uri)
}

/** Serialized as by the URL standard; `https://host` without the final slash is accepted too. */
const isCanonical = (uri: string, url: URL): boolean =>
  !url.hostname.endsWith('.') && !url.hostname.includes('*') && (url.href === uri || url.href === `${uri}/`)

/** Exact match; loopback URIs with any port (RFC 8252 section 7.3), but localhost and 127.0.0.1 are different. */
export const matchesRedirect = (requestedUri: string, registeredUris: readonly string[]): boolean =>
  registeredUris.includes(requestedUri) ||
  (isRegistrable(requestedUri) &&
    isLoopback(requestedUri) &&
    registeredUris.some((uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(requestedUri)))

export const isLoopback = (uri: string): boolean => {
  const url = parse(uri)
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}

const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d+/, '$1')

/** What the consent page shows of a redirect URI: the host, or the scheme of a native app. */
export function consentDestination(uri: string): { kind: 'web' | 'loopback' | 'application'; shown: string } {
  const url = parse(uri)
  if (!url) return { kind: 'application', shown: uri }
  if (isLoopback(uri)) return { kind: 'loopback', shown: url.host }
  if (url.protocol === 'https:') return { kind: 'web', shown: url.host }
  return { kind: 'application', shown: url.protocol + (url.host ? `//${url.host}` : '') }
}

function parse(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined
}
