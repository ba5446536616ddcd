import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSeal, SealBroken } from './seal.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kenning-seal-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('what is sealed opens for what it belongs to, after a restart too, and for nothing else', async () => {
  const data = folder()
  const sealed = (await openSeal(data)).close('low tide, täglich', 'source a')
  expect(sealed.includes('tide')).toBe(false)
  const seal = await openSeal(data)
  expect(seal.open(sealed, 'source a')).toBe('low tide, täglich')
  expect(() => seal.open(sealed, 'source b')).toThrow(SealBroken)
  for (const at of [0, 1, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => seal.open(changed, 'source a')).toThrow(SealBroken)
  }
  expect(() => seal.open(sealed.subarray(0, 20), 'source a')).toThrow(SealBroken)
  const other = await openSeal(folder())
  expect(() => other.open(sealed, 'source a')).toThrow(SealBroken)
})

test('processes that start at once get one key, which only its owner reads; a damaged one is said', async () => {
  const data = folder()
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => openSeal(data)))
  const sealed = first?.close('x', 'y') ?? Buffer.alloc(0)
  for (const other of others) expect(other.open(sealed, 'y')).toBe('x')
  expect(readdirSync(data)).toEqual(['secret.key'])
  expect(statSync(join(data, 'secret.key')).mode & 0o777).toBe(0o600)
  writeFileSync(join(data, 'secret.key'), 'short\n')
  await expect(openSeal(data)).rejects.toThrow('restore it from a backup')
})
