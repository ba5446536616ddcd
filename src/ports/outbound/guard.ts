// Protects all requests to addresses that strangers may have chosen against SSRF. The connection goes to the address that was
// checked, because the name could have another address a moment later.

import { lookup as resolveName } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { isResolvedByProxy, literalOf, proxyFor } from './network.ts'
import { OutboundFailed } from './outbound.ts'
import { isPublicAddress } from './public-address.ts'

/** Whether an address may be connected to. */
export type MayConnect = (address: string) => boolean

export const allowAll: MayConnect = () => true

/** Allows the addresses of the public internet, and also these addresses and networks (CIDR). */
export function publicAnd(networks: readonly string[]): MayConnect {
  const allowedNetworks = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) allowedNetworks.addAddress(address, family)
    else allowedNetworks.addSubnet(address, Number(bits), family)
  }
  return (address) =>
    isPublicAddress(address) || allowedNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Looks up and checks the host of a URL. Returns the address to connect to, or the name itself if the proxy resolves names. All
 * addresses of the name must be allowed, since any of them could be used. `signal` ends the wait for the name server; the look-up
 * itself cannot be aborted.
 * @throws OutboundFailed with a message that may be shown, or the reason of `signal`
 */
export async function checkAddress(
  url: URL,
  mayConnect: MayConnect,
  signal?: AbortSignal,
  resolve = addressesOf,
): Promise<string> {
  const { host } = url
  const literal = literalOf(url)
  if (isResolvedByProxy(url)) return literal
  const lookup = isIP(literal) ? Promise.resolve([literal]) : resolve(literal).catch(unresolved(url))
  const addresses = await (signal === undefined ? lookup : orAborted(signal, lookup))
  const [firstAddress] = addresses
  if (firstAddress !== undefined && addresses.every(mayConnect)) return firstAddress
  throw new OutboundFailed(`${host} is not on the public internet, so Kenning does not connect to it.`)
}

/** The error when a name cannot be resolved. Networks that have a proxy often do not resolve the names of public hosts. */
const unresolved = (url: URL) => (error: unknown) => {
  throw proxyFor(url) === undefined
    ? error
    : new OutboundFailed(
        `${url.host} has no address that Kenning can look up and check. If your proxy refuses addresses of your own network, the administrator can leave this to it with KENNING_PROXY_RESOLVES=on.`,
        undefined,
        { cause: error },
      )
}

/** The result of `work`. Rejects with the reason of `signal` if that is aborted first. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const addressesOf = async (host: string): Promise<string[]> =>
  (await resolveName(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/**
 * A look-up that always returns `address`, so that the connection goes to the checked address, while Host and TLS have the name.
 */
export function lookupAlways(address: string): LookupFunction {
  return (_host, options, done) => {
    const family = isIP(address)
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
}
