// What stands in deploy/ and the Dockerfile names things that exist: settings, files, ports. (scripts/image builds and runs it.)

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../src/config/settings.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const files = readdirSync(new URL('../deploy', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(yaml|service|tpl|example|md)$|Caddyfile$/.test(name))
  .map((name) => `deploy/${name}`)

// Of the compose file alone.
const OF_COMPOSE = new Set(['KENNING_IMAGE', 'KENNING_DOMAIN', 'KENNING_MEMORY'])

test('every setting that is named exists', () => {
  const named = [...files, 'Dockerfile'].flatMap(
    (path) => read(path).match(/\bKENNING_[A-Z0-9_]*[A-Z]\b/g) ?? [],
  )
  expect(named.length).toBeGreaterThan(20)
  const unknown = named.filter((name) => !(name in settings) && !OF_COMPOSE.has(name))
  expect([...new Set(unknown)]).toEqual([])
})

test('what the image copies from the sources or the build exists', () => {
  const sources = [...read('Dockerfile').matchAll(/^COPY (?:--from=build )?(.+) \S+$/gm)]
    .flatMap(([, names = '']) => names.split(' '))
    .map((name) => name.replace('/src/', ''))
  expect(sources).toContain('migrations')
  const missing = sources.filter(
    (name) => name !== 'node_modules' && !existsSync(new URL(`../${name}`, import.meta.url)),
  )
  // Without a build there is no dist/.
  expect(missing.filter((name) => !name.startsWith('dist/'))).toEqual([])
})

test('compose: only the proxy is open to the world, Kenning may write nothing but its volume and /tmp', () => {
  const { services, volumes } = parse(read('deploy/compose/compose.yaml'))
  const open = Object.keys(services).filter((name) => services[name].ports)
  expect(open).toEqual(['caddy'])
  expect(services.kenning).toMatchObject({ read_only: true, cap_drop: ['ALL'], volumes: ['files:/data'] })
  const used = Object.values<{ volumes?: string[] }>(services)
    .flatMap(({ volumes: mounts = [] }) => mounts.map((mount) => mount.split(':')[0] ?? ''))
    .filter((name) => !name.startsWith('.'))
  expect(used.sort()).toEqual(Object.keys(volumes).sort())
})

test('Helm: templates use values that the chart has', () => {
  const values = parse(read('deploy/helm/kenning/values.yaml'))
  const used = files
    .filter((path) => path.includes('/templates/'))
    .flatMap((path) => [...read(path).matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name))
  expect(used.length).toBeGreaterThan(20)
  const missing = used.filter((name) => name.split('.').reduce((at, key) => at?.[key], values) === undefined)
  expect([...new Set(missing)]).toEqual([])
})
