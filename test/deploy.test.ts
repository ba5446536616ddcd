// What stands in deploy/ and the Dockerfile names things that exist: settings, files, ports. (scripts/image builds and runs it.)

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildProgram } from '../src/cli/program.ts'
import { settings } from '../src/config/settings.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const files = readdirSync(new URL('../deploy', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(yaml|service|tpl|txt|example|md)$|(Caddyfile|kenning-as-service)$/.test(name))
  .map((name) => `deploy/${name}`)

// Of the compose file alone.
const OF_COMPOSE = new Set(['KENNING_IMAGE', 'KENNING_DOMAIN', 'KENNING_MEMORY', 'KENNING_BACKUPS'])

test('every setting that is named exists', () => {
  const named = [...files, 'Dockerfile'].flatMap(
    (path) => read(path).match(/\bKENNING_[A-Z0-9_]*[A-Z]\b/g) ?? [],
  )
  expect(named.length).toBeGreaterThan(20)
  const unknown = named.filter((name) => !(name in settings) && !OF_COMPOSE.has(name))
  expect([...new Set(unknown)]).toEqual([])
})

test('every command of Kenning that is named exists', () => {
  const { stdout, stderr } = process
  const open = () => Promise.reject(new Error('no command is run'))
  const program = buildProgram({ version: '', streams: { stdout, stderr }, open })
  const commands = new Set(program.commands.map((command) => command.name()))
  const named = files.flatMap((path) =>
    [
      ...read(path).matchAll(
        /(?:^|`|-- |&& |--rm |kenning )kenning ([a-z-]+)|kenning-as-service ([a-z-]+)/gm,
      ),
    ].map(([, here, asService]) => here ?? asService ?? ''),
  )
  for (const name of ['backup', 'verify', 'restore', 'doctor']) expect(named).toContain(name)
  const prose = ['runs'] // “kenning-as-service runs a command …”
  expect(named.filter((name) => !commands.has(name) && !prose.includes(name))).toEqual([])
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

test('compose: only the proxy is open to the world, Kenning may write nothing but its volume, backups and /tmp', () => {
  const { services, volumes } = parse(read('deploy/compose/compose.yaml'))
  const open = Object.keys(services).filter((name) => services[name].ports)
  expect(open).toEqual(['caddy'])
  expect(services.kenning).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    volumes: ['files:/data', expect.stringMatching(/^\$\{KENNING_BACKUPS:-\.\/backups\}:\/backups$/)],
  })
  const used = Object.values<{ volumes?: string[] }>(services)
    .flatMap(({ volumes: mounts = [] }) => mounts.map((mount) => mount.split(':')[0] ?? ''))
    .filter((name) => !/^[.$]/.test(name))
  expect([...new Set(used)].sort()).toEqual(Object.keys(volumes).sort())
})

test('compose: every setting can be given, in a file that git and the image leave out', () => {
  const { env_file, environment } = parse(read('deploy/compose/compose.yaml')).services.kenning
  expect(env_file).toEqual([{ path: 'kenning.env', required: false }])
  // An empty value would win over that of the file.
  const mayBeEmpty = Object.keys(environment).filter((name) => /\$\{\w+:?-/.test(String(environment[name])))
  expect(mayBeEmpty).toEqual([])
  expect(read('.gitignore').split('\n')).toEqual(
    expect.arrayContaining(['.env', '/deploy/compose/kenning.env', '/deploy/compose/backups/']),
  )
  expect(read('.dockerignore').split('\n')).toContain('deploy')
})

test('Prometheus scrapes what the README opens in compose', () => {
  const { scrape_configs } = parse(read('deploy/observe/prometheus.yaml'))
  const targets = scrape_configs.flatMap((scrape: { static_configs: { targets: string[] }[] }) =>
    scrape.static_configs.flatMap(({ targets }) => targets),
  )
  const port = Number(
    /`KENNING_METRICS_PORT=(\d+)` and `KENNING_METRICS_HOST=0\.0\.0\.0`/.exec(read('deploy/README.md'))?.[1],
  )
  // The worker has the port after that of the API.
  expect(targets).toEqual([`kenning:${port}`, `kenning:${port + 1}`])
  expect(parse(read('deploy/compose/compose.yaml')).services).toHaveProperty('kenning')
})

test('compose: the network that a Prometheus joins leads to Kenning alone, and Kenning believes nobody in it', () => {
  const { services, networks } = parse(read('deploy/compose/compose.yaml'))
  const joined = /the network `kenning_(\w+)`/.exec(read('deploy/README.md'))?.[1] ?? ''
  const on = (network: string): string[] =>
    Object.keys(services).filter((name) => services[name].networks.includes(network))
  expect(on(joined)).toEqual(['kenning'])
  const subnets = (network: string): string[] =>
    (networks[network].ipam?.config ?? []).map(({ subnet }: { subnet: string }) => subnet)
  // Those who are believed are in the proxy's network, which has fixed addresses.
  const believed = services.kenning.environment.KENNING_TRUSTED_PROXIES
  expect(services.caddy.networks.flatMap(subnets)).toEqual([believed])
  expect(subnets(joined)).not.toContain(believed)
})

test('compose: logs are rotated, and a backup each day has the settings and folders of the service', () => {
  const { services } = parse(read('deploy/compose/compose.yaml'))
  for (const service of Object.values<{ logging?: object }>(services))
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } })
  const { kenning, backup } = services
  for (const key of ['image', 'env_file', 'environment', 'volumes', 'read_only', 'cap_drop', 'security_opt'])
    expect(backup[key], key).toEqual(kenning[key])
  const [, , program, folder] = backup.entrypoint
  expect(read('Dockerfile')).toContain(`COPY --from=build /src/scripts/${program} /usr/local/bin/`)
  expect(kenning.volumes.some((mount: string) => mount.endsWith(`:${folder}`))).toBe(true)
  for (const name of ['BACKUP_TIME', 'BACKUP_DAYS']) {
    expect(JSON.stringify(backup.command)).toContain(name)
    expect(read('deploy/compose/.env.example')).toContain(`# ${name}=`)
  }
})

test('compose with nginx: one proxy, with the very directives of the file for nginx', () => {
  const { services } = parse(read('deploy/compose/compose.nginx.yaml'))
  const { networks, ports } = parse(read('deploy/compose/compose.yaml')).services.caddy
  expect(services.caddy).toEqual({ profiles: ['caddy'] })
  expect(services.nginx).toMatchObject({
    networks,
    ports: ports.filter((port: string) => !port.endsWith('/udp')),
  })
  const [template] = services.nginx.volumes[0].split(':')
  expect(template).toBe('../nginx/compose.conf.template')
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
  const expected = read('deploy/nginx/kenning.conf')
    .replaceAll(/\/etc\/letsencrypt\/live\/[^/]+/g, '/etc/nginx/certificates')
    .replaceAll('kenning.example.org', '$' + '{KENNING_DOMAIN}')
    .replace(
      'proxy_pass http://127.0.0.1:8484;',
      'resolver 127.0.0.11 valid=10s;\nset $kenning kenning:8484;\nproxy_pass http://$kenning;',
    )
  expect(lines(read('deploy/nginx/compose.conf.template'))).toEqual(lines(expected))
})

test('systemd: a command runs as the service does', () => {
  const unit = read('deploy/systemd/kenning.service')
  const command = read('deploy/systemd/kenning-as-service')
  for (const line of ['User=kenning', 'DynamicUser=yes', 'StateDirectoryMode=0700', 'PrivateTmp=yes']) {
    expect(unit.split('\n')).toContain(line)
    expect(command).toContain(`--property=${line}`)
  }
  const [, file] = /^EnvironmentFile=(.+)$/m.exec(unit) ?? []
  expect(command).toContain(`--property=EnvironmentFile=${file}`)
  const [, state] = /^StateDirectory=(.+)$/m.exec(unit) ?? []
  expect(command).toContain(`--property='StateDirectory=${state} `)
  const [, dataDir] = /^Environment=.*\b(KENNING_DATA_DIR=\S+)/m.exec(unit) ?? []
  expect(command).toContain(`--setenv=${dataDir}`)
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
