// Documents at strangers' addresses: what is refused, and that no connection is made then, as seen at the socket.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { HERE, type TestWeb, testWeb, watchSockets } from '../../../test/support/web.ts'
import { fetchDocument, openUntrustedJson, publicInternet } from './untrusted-json.ts'

const URL_OF = 'https://client.example/oauth/client.json'
const JSON_TYPE = { 'content-type': 'application/json' }

let web: TestWeb
let sockets: ReturnType<typeof watchSockets>
let addresses: readonly string[] = [HERE]
let lookups = 0
beforeAll(async () => {
  web = await testWeb({
    'client.example': () => {
      lookups++
      return addresses
    },
    // The first look-up gives a public address, the second an internal one.
    'rebinding.example': () => (lookups++ === 0 ? [HERE] : ['169.254.169.254']),
  })
})
afterAll(() => web.close())
beforeEach(() => {
  addresses = [HERE]
  lookups = 0
  web.asked.length = 0
  web.answer((_, response) => response.writeHead(200, JSON_TYPE).end('{"a":1}'))
  sockets = watchSockets()
})
afterEach(() => sockets.stop())

const fetched = (url: string, internet = web.internet) => fetchDocument(new URL(url), internet)

test('a document is read over TLS, by its name, from the checked address', async () => {
  web.answer((_, response) =>
    response.writeHead(200, { ...JSON_TYPE, 'cache-control': 'max-age=90' }).end('{"a":1}'),
  )
  expect(await fetched(URL_OF)).toEqual({ json: { a: 1 }, maxAgeSeconds: 90 })
  expect([web.asked, sockets.to, lookups]).toEqual([['client.example/oauth/client.json'], [web.at], 1])
})

test('a certificate of another name is refused', async () => {
  const internet = { ...web.internet, resolve: async () => [HERE] }
  await expect(fetched('https://other.example/client.json', internet)).rejects.toThrow('cannot be reached')
})

test('a certificate that the system does not trust is refused', async () => {
  const { ca: _, ...internet } = web.internet
  await expect(fetched(URL_OF, internet)).rejects.toThrow('cannot be reached')
})

test('a name is resolved once, so rebinding it has no effect', async () => {
  expect((await fetched('https://rebinding.example/x')).json).toEqual({ a: 1 })
  expect([sockets.to, lookups]).toEqual([[web.at], 1])
})

describe('no connection is made to', () => {
  test.each(
    (
      '127.0.0.1 127.0.0.2 0.0.0.0 10.0.0.1 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1 198.18.0.1 224.0.0.1 ' +
      '255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:a9fe:a9fe fd00::1 fe80::1 64:ff9b::7f00:1 2002:7f00:1::1 2001:db8::1'
    ).split(' '),
  )('a name at %s', async (address) => {
    // The real rule for public addresses, with the port of a server that would answer.
    const internet = { ...publicInternet, port: web.internet.port, resolve: async () => [address] }
    await expect(fetched(URL_OF, internet)).rejects.toThrow('not on the public internet')
    expect([sockets.to, web.asked]).toEqual([[], []])
  })

  test('a name with one internal and one public address, in either order', async () => {
    for (const both of [
      ['93.184.216.34', '10.0.0.1'],
      ['10.0.0.1', '93.184.216.34'],
    ]) {
      addresses = both
      await expect(fetched(URL_OF)).rejects.toThrow('not on the public internet')
    }
    addresses = []
    await expect(fetched(URL_OF)).rejects.toThrow('not on the public internet')
    expect(sockets.to).toEqual([])
  })

  test.each([
    'http://client.example/x',
    'https://client.example:8443/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://0/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://0177.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[fd00::1]/x',
    'ftp://client.example/x',
    'file:///etc/passwd',
  ])('%s', async (url) => {
    await expect(fetched(url, { ...web.internet, mayConnect: () => true })).rejects.toThrow(
      'cannot be fetched',
    )
    expect([sockets.to, lookups]).toEqual([[], 0])
  })
})

describe('an answer is refused that is', () => {
  test.each([301, 302, 303, 307, 308])('a redirect (%i): it is not followed', async (status) => {
    web.answer((_, response) =>
      response.writeHead(status, { location: 'https://client.example/inside' }).end(),
    )
    await expect(fetched(URL_OF)).rejects.toThrow(`answered ${status}`)
    expect(web.asked).toHaveLength(1)
  })

  test.each([201, 204, 206, 401, 404, 500])('%i', async (status) => {
    web.answer((_, response) => response.writeHead(status, JSON_TYPE).end(status === 204 ? undefined : '{}'))
    await expect(fetched(URL_OF)).rejects.toThrow(`answered ${status}`)
  })

  test.each([
    ['HTML', { 'content-type': 'text/html' }, '{}'],
    ['of no kind', {}, '{}'],
    ['packed', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'],
    ['no JSON', JSON_TYPE, '{'],
    ['no UTF-8', JSON_TYPE, Buffer.from([0x22, 0xff, 0x22])],
  ])('%s', async (_, headers, body) => {
    web.answer((_, response) => response.writeHead(200, headers).end(body))
    await expect(fetched(URL_OF)).rejects.toThrow('did not answer in JSON')
  })

  test('one byte larger than 5 KiB, also if it never ends', async () => {
    const size = 5 * 1024
    web.answer((_, response) => response.writeHead(200, JSON_TYPE).end(`"${'x'.repeat(size - 2)}"`))
    expect((await fetched(URL_OF)).json).toHaveLength(size - 2)
    web.answer((_, response) => response.writeHead(200, JSON_TYPE).end(`"${'x'.repeat(size - 1)}"`))
    await expect(fetched(URL_OF)).rejects.toThrow('more than 5 KiB')
    web.answer((_, response) => {
      response.writeHead(200, JSON_TYPE)
      const more = () => response.destroyed || response.write('x'.repeat(1024), more)
      more()
    })
    await expect(fetched(URL_OF)).rejects.toThrow('more than 5 KiB')
  })
})

test('a slow server has five seconds in all', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(5000)
    const soon = new AbortController()
    setTimeout(() => soon.abort(), 50)
    return soon.signal
  })
  web.answer((_, response) => void response.writeHead(200, JSON_TYPE).write('{'))
  await expect(fetched(URL_OF)).rejects.toThrow('did not answer within 5 seconds')
  const never = { ...web.internet, resolve: () => new Promise<string[]>(() => {}) }
  await expect(fetched(URL_OF, never)).rejects.toThrow('did not answer within 5 seconds')
  timeout.mockRestore()
})

describe('a document is cached', () => {
  const clock = () => vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['no-store', 60],
    ['max-age=1', 60],
    ['max-age=120', 120],
    ['', 300],
    ['max-age=999999', 86_400],
  ])('with Cache-Control %j for %i seconds', async (header, seconds) => {
    clock()
    web.answer((_, response) => response.writeHead(200, { ...JSON_TYPE, 'cache-control': header }).end('{}'))
    const documents = openUntrustedJson(web.internet)
    await Promise.all([documents.get(URL_OF), documents.get(URL_OF)])
    vi.setSystemTime(seconds * 1000 - 1)
    await documents.get(URL_OF)
    expect(web.asked).toHaveLength(1)
    vi.setSystemTime(seconds * 1000)
    await documents.get(URL_OF)
    expect(web.asked).toHaveLength(2)
  })

  test('a failure for half a minute', async () => {
    clock()
    web.answer((_, response) => response.writeHead(500).end())
    const documents = openUntrustedJson(web.internet)
    for (const at of [0, 29_999, 30_000]) {
      vi.setSystemTime(at)
      await expect(documents.get(URL_OF)).rejects.toThrow('answered 500')
    }
    expect(web.asked).toHaveLength(2)
  })

  test('one host is asked ten times a minute, whatever the paths', async () => {
    clock()
    const documents = openUntrustedJson(web.internet)
    for (let i = 0; i < 10; i++) await documents.get(`https://client.example/${i}`)
    await expect(documents.get('https://client.example/10')).rejects.toThrow('asked too often')
    await documents.get('https://client.example/0')
    vi.setSystemTime(60_000)
    await documents.get('https://client.example/10')
    expect(web.asked).toHaveLength(11)
  })
})
