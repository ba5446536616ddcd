// How this process reaches the network: the proxies, the addresses for which no proxy is used, and the certificate authorities that
// it trusts. The settings apply to the whole process and are set at its start.

import { BlockList, isIP } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'

/** The settings as they were read; plain data, so that they can be sent to a child process. */
export interface Network {
  /** The proxy for addresses that begin with http or https. */
  proxies: { http: string | undefined; https: string | undefined }
  /** No proxy is used for these: host names (with their subdomains), addresses, networks (CIDR), or `*` for every host. */
  noProxy: readonly string[]
  /** The proxy resolves the host names of addresses that strangers chose. If false, guard.ts resolves and checks them. */
  proxyResolves: boolean
  /** Certificates (PEM) of authorities that are trusted in addition to those of Node.js. */
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
  isException: (url: UrlHost) => boolean
  secureContext: SecureContext | undefined
}

type UrlHost = Pick<URL, 'protocol' | 'hostname' | 'port'>

const useListeners: (() => void)[] = []
let inUse: NetworkInUse = open(DIRECT)

/** Sets the network settings of the whole process. @throws Error if `authorities` contains no valid certificates */
export function useNetwork(network: Network): void {
  inUse = open(network)
  for (const listener of useListeners) listener()
}

export const networkInUse = (): Network => inUse.network

/** Calls `listener` when the settings change, so that connections made with the previous settings are not used again. */
export const onNetworkUse = (listener: () => void): void => void useListeners.push(listener)

function open(network: Network): NetworkInUse {
  const { authorities, noProxy } = network
  return {
    network,
    isException: exceptionsOf(noProxy),
    secureContext:
      authorities === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, authorities] }),
  }
}

/** The TLS option with the trusted authorities. Empty if only the authorities of Node.js are trusted. */
export const trust = (): { secureContext?: SecureContext } =>
  inUse.secureContext ? { secureContext: inUse.secureContext } : {}

/** The proxy for this URL. Undefined for this machine's own addresses, because a proxy could not reach them. */
export function proxyFor(url: UrlHost): URL | undefined {
  const { proxies } = inUse.network
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http
  return proxy === undefined || isThisMachine(literalOf(url)) || inUse.isException(url)
    ? undefined
    : new URL(proxy)
}

/** Whether the proxy resolves the host name of this URL, so that guard.ts cannot check its addresses. */
export const isResolvedByProxy = (url: UrlHost): boolean =>
  inUse.network.proxyResolves && isIP(literalOf(url)) === 0 && proxyFor(url) !== undefined

export const literalOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

/** Host and port in the form of the CONNECT method and of the Host header. */
export const authorityOf = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`

const isThisMachine = (host: string): boolean =>
  /^(.*\.)?localhost\.?$/i.test(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The items have the same meaning as in curl and Go: `example.org` includes its subdomains, `.example.org` means only these. */
function exceptionsOf(items: readonly string[]): NetworkInUse['isException'] {
  const networks = new BlockList()
  const names: { name: string; port: number | undefined; onlySubdomains: boolean }[] = []
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
        onlySubdomains: /^\*?\./.test(name),
      })
    }
  }
  return (url) => {
    const host = literalOf(url).toLowerCase().replace(/\.$/, '')
    if (isIP(host) !== 0 && networks.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')) return true
    return names.some(
      ({ name, port, onlySubdomains }) =>
        (port === undefined || port === portOf(url)) &&
        (name === '*' || host.endsWith(`.${name}`) || (!onlySubdomains && host === name)),
    )
  }
}
