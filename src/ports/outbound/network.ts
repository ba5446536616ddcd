// How this process reaches the network: the proxies, what goes past them, and the authorities that it trusts. It is set once, at
// the start, as Node.js has one set of authorities for all of its connections.

import { BlockList, isIP } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'

/** The settings as they were read; plain data, so that they can be sent to a child process. */
export interface Network {
  /** The proxy for addresses that begin with http or https. */
  proxies: { http: string | undefined; https: string | undefined }
  /** What goes past the proxies: names, which stand for the names below them too, addresses, networks (CIDR), or `*`. */
  noProxy: readonly string[]
  /** The proxy resolves the names of strangers' addresses. If false, they are resolved and checked here (guard.ts). */
  proxyResolves: boolean
  /** Certificates in PEM of authorities that are trusted besides those of Node.js. */
  authorities: string | undefined
}

export const DIRECT: Network = {
  proxies: { http: undefined, https: undefined },
  noProxy: [],
  proxyResolves: false,
  authorities: undefined,
}

interface NetworkInUse {
  network: Network
  isException: (url: Hosted) => boolean
  secureContext: SecureContext | undefined
}

type Hosted = Pick<URL, 'protocol' | 'hostname' | 'port'>

const onUse: (() => void)[] = []
let inUse: NetworkInUse = open(DIRECT)

/** For the whole process. @throws when `authorities` are no certificates */
export function useNetwork(network: Network): void {
  inUse = open(network)
  for (const listener of onUse) listener()
}

export const networkInUse = (): Network => inUse.network

/** Calls `listener` when other settings are used, so that connections made with the earlier ones are not used again. */
export const onNetworkUse = (listener: () => void): void => void onUse.push(listener)

function open(network: Network): NetworkInUse {
  const { authorities, noProxy } = network
  return {
    network,
    isException: exceptionsOf(noProxy),
    secureContext:
      authorities === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, authorities] }),
  }
}

/** For a connection with TLS. Nothing where the authorities of Node.js are enough. */
export const trust = (): { secureContext?: SecureContext } =>
  inUse.secureContext ? { secureContext: inUse.secureContext } : {}

/** The proxy for this address. This machine's own addresses have none, because a proxy could not reach them. */
export function proxyFor(url: Hosted): URL | undefined {
  const { proxies } = inUse.network
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http
  return proxy === undefined || isThisMachine(literalOf(url)) || inUse.isException(url)
    ? undefined
    : new URL(proxy)
}

/** Whether the name of a stranger's address is left to the proxy. */
export const isResolvedByProxy = (url: Hosted): boolean =>
  inUse.network.proxyResolves && isIP(literalOf(url)) === 0 && proxyFor(url) !== undefined

export const literalOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

/** Host and port as CONNECT and the header Host have them. */
export const authorityOf = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`

const isThisMachine = (host: string): boolean =>
  /^(.*\.)?localhost\.?$/i.test(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** As curl and Go understand NO_PROXY: `example.org` means the names below it too, `.example.org` these alone. */
function exceptionsOf(items: readonly string[]): NetworkInUse['isException'] {
  const networks = new BlockList()
  const names: { name: string; port: number | undefined; below: boolean }[] = []
  for (const item of items) {
    const [address = '', bits] = item.replace(/^\[(.*)\]$/, '$1').split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) !== 0 && bits === undefined) networks.addAddress(address, family)
    else if (isIP(address) !== 0) networks.addSubnet(address, Number(bits), family)
    else {
      const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(item.toLowerCase()) ?? []
      names.push({
        name: name.replace(/^\*?\./, '').replace(/^\[|\]$/g, ''),
        port: port === undefined ? undefined : Number(port),
        below: /^\*?\./.test(name),
      })
    }
  }
  return (url) => {
    const host = literalOf(url).toLowerCase().replace(/\.$/, '')
    if (isIP(host) !== 0 && networks.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')) return true
    return names.some(
      ({ name, port, below }) =>
        (port === undefined || port === portOf(url)) &&
        (name === '*' || host.endsWith(`.${name}`) || (!below && host === name)),
    )
  }
}
