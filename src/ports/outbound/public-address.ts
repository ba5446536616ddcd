// Distinguishes addresses of the public internet from those of internal networks.

import { BlockList, isIP } from 'node:net'

// The special-purpose registries of IANA (RFC 6890 and its updates), multicast and reserved space.
const SPECIAL_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
// Of IPv6, only 2000::/3 is public. In it, these networks are tunnels to other addresses (Teredo, 6to4) or for documentation.
const SPECIAL_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const specialNetworks = new BlockList()
for (const [net, bits] of SPECIAL_4) specialNetworks.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of SPECIAL_6) specialNetworks.addSubnet(net, bits, 'ipv6')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/** Returns false also for text that is not an address, and for IPv4-mapped IPv6 addresses, which are outside 2000::/3. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !specialNetworks.check(address, 'ipv4')
  return version === 6 && globalIpv6.check(address, 'ipv6') && !specialNetworks.check(address, 'ipv6')
}
