// The one guard of requests to addresses that strangers may have chosen (SSRF): the connection goes to the address that was
// checked, since a name could mean another one a moment later.

import { lookup as resolveName } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { OutboundFailed } from './outbound.ts'
import { isPublicAddress } from './public-address.ts'

/** Whether an address may be connected to. */
export type MayConnect = (address: string) => boolean

export const anywhere: MayConnect = () => true

/** The public internet, and these addresses and networks (CIDR) besides. */
export function publicAnd(networks: readonly string[]): MayConnect {
  const listed = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) listed.addAddress(address, family)
    else listed.addSubnet(address, Number(bits), family)
  }
  return (address) => isPublicAddress(address) || listed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * The address to connect to. All addresses of the name must be allowed: the first that answers could be any of them.
 * @throws OutboundFailed with a message that may be shown
 */
export async function checkedAddress(
  { hostname, host }: Pick<URL, 'hostname' | 'host'>,
  mayConnect: MayConnect,
): Promise<string> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal) ? [literal] : await addressesOf(literal)
  const [first] = addresses
  if (first !== undefined && addresses.every(mayConnect)) return first
  throw new OutboundFailed(`${host} was not asked: it is not on the public internet.`)
}

const addressesOf = async (host: string): Promise<string[]> =>
  (await resolveName(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/** Replaces the system's lookup: Host and TLS keep the name, the connection goes to the checked address. */
export function pinnedTo(address: string): LookupFunction {
  return (_host, options, done) => {
    const family = isIP(address)
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
}
