import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.0.1',
  '223.255.255.1',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

test.each(['2606:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
)

test.each(
  (
    '0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.168.1.1 ' +
    '198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ' +
    '::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1::1 ' +
    '3fff::1 5f00::1 fc00::1 fd00::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 4000::1 127.1 0 2130706433 localhost'
  ).split(' '),
)('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))
