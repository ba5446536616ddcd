// Which redirect URIs may be registered, and that a requested one has to match exactly.

import { describe, expect, test } from 'vitest'
import { consentDestination, isRegistrable, matchesRedirect } from './redirect-uri.ts'

const REGISTERED = 'https://app.example.com/oauth/callback'

describe('what may be registered', () => {
  test.each([
    REGISTERED,
    'https://app.example.com',
    'https://app.example.com:8443/cb?client=1',
    'https://xn--bcher-kva.example/cb',
    'http://localhost:3000/cb',
    'http://localhost/cb',
    'http://127.0.0.1:33418/',
    'http://127.0.0.1:33418',
    'http://[::1]:3000/cb',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/oauth',
    'vscode://vscode.github-authentication/did-authenticate',
  ])('%s may', (uri) => expect(isRegistrable(uri)).toBe(true))

  test.each([
    '',
    ' ',
    '/oauth/callback',
    'callback',
    '//app.example.com/cb',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example.com/x',
    'about:blank',
    'ftp://app.example.com/',
    'ws://app.example.com/',
    'wss://app.example.com/',
    'view-source:https://app.example.com/',
    'intent://x#Intent;end',
    'ms-msdt:/id',
    'search-ms:query=x',
    'ms-appinstaller:/?source=https://app.example.com/x',
    'ssh://app.example.com/cb',
    'telnet://app.example.com/cb',
    'smb://app.example.com/cb',
    'http://app.example.com/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://0x7f000001/cb',
    'http://2130706433/cb',
    'http://localhost.evil.com/cb',
    'http://localhost@evil.com/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://0.0.0.0/cb',
    'https://user@app.example.com/cb',
    'https://user:password@app.example.com/cb',
    'https://app.example.com/cb#fragment',
    'https://app.example.com/cb#',
    'https://app.example.com\\@evil.com/cb',
    'https:\\\\app.example.com/cb',
    'https:app.example.com/cb',
    'https:/app.example.com/cb',
    'https:///app.example.com/cb',
    'https://app.example.com/a/../b',
    'https://app.example.com/./b',
    'https://app.example.com/%2e%2e/b',
    'https://APP.example.com/cb',
    'HTTPS://app.example.com/cb',
    'https://app.example.com:443/cb',
    'https://app.example.com./cb',
    'https://*.example.com/cb',
    'https://app.example.com/c b',
    'https://app.example.com/cb\n',
    'https://app.example.com/\tcb',
    'https://app.example.com/cb\u0000',
    'https://bücher.example/cb',
    'https://app.example.com/ü',
    'https://app。example.com/cb',
    'https://app.example.com/\u202ecb',
    'https://',
    'https://?x',
    'https://app.example.com:99999/cb',
    'cursor:',
    'cursor:callback',
    'cursor://user@host/cb',
    `https://app.example.com/${'x'.repeat(1000)}`,
  ])('%j may not', (uri) => expect(isRegistrable(uri)).toBe(false))
})

describe('the match', () => {
  test('is of the very same text', () => expect(matchesRedirect(REGISTERED, [REGISTERED])).toBe(true))

  test.each([
    'https://app.example.com/oauth/callback/',
    'https://app.example.com/oauth/callback?',
    'https://app.example.com/oauth/callback?x=1',
    'https://app.example.com/oauth/callback#x',
    'https://app.example.com/oauth/callback/../../x',
    'https://app.example.com/oauth/callbackx',
    'https://app.example.com/oauth/callbac',
    'https://app.example.com/oauth/Callback',
    'https://app.example.com/oauth%2fcallback',
    'https://app.example.com/oauth//callback',
    'https://app.example.com/oauth/callback%00',
    'https://app.example.com/oauth/callback%20',
    'https://app.example.com/oauth/callback;x',
    'https://APP.example.com/oauth/callback',
    'https://app.example.com:443/oauth/callback',
    'https://app.example.com:8443/oauth/callback',
    'https://app.example.com./oauth/callback',
    'https://app.example.com@evil.com/oauth/callback',
    'https://evil.com@app.example.com/oauth/callback',
    'https://app.example.com.evil.com/oauth/callback',
    'https://evil.com/https://app.example.com/oauth/callback',
    'https://evil.com\\@app.example.com/oauth/callback',
    'https://evil.com%2f@app.example.com/oauth/callback',
    'https://app.example.com%2eevil.com/oauth/callback',
    'https://sub.app.example.com/oauth/callback',
    'https://example.com/oauth/callback',
    'http://app.example.com/oauth/callback',
    'HTTPS://app.example.com/oauth/callback',
    ' https://app.example.com/oauth/callback',
    'https://app.example.com/oauth/callback ',
    'https://app.example.com/oauth/callback\n',
    'https://ａpp.example.com/oauth/callback',
    '//app.example.com/oauth/callback',
    'app.example.com/oauth/callback',
    '',
  ])('%j is another', (asked) => expect(matchesRedirect(asked, [REGISTERED])).toBe(false))

  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:51234/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]:3000/cb', 'http://[::1]:4000/cb'],
    ['http://localhost:3000/cb?x=1', 'http://localhost:4000/cb?x=1'],
  ])('%s is answered at %s: any port of this computer', (registered, asked) =>
    expect(matchesRedirect(asked, [registered])).toBe(true),
  )

  test.each([
    ['http://127.0.0.1:3000/cb', 'http://localhost:3000/cb'],
    ['http://localhost:3000/cb', 'http://127.0.0.1:3000/cb'],
    ['http://127.0.0.1:3000/cb', 'http://[::1]:3000/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000/cb/'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000/other'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000@evil.com/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:80:3000/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1.evil.com:3000/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:99999/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000#/cb'],
    ['http://localhost:3000/cb', 'https://localhost:4000/cb'],
    ['https://localhost:3000/cb', 'https://localhost:4000/cb'],
    ['http://localhost:3000/cb', 'http://localhost:4000/cb?x=1'],
    ['cursor://host:1/cb', 'cursor://host:2/cb'],
  ])('%s is not answered at %s', (registered, asked) =>
    expect(matchesRedirect(asked, [registered])).toBe(false),
  )
})

test('a person is shown the host, the program or the scheme', () => {
  expect(consentDestination('https://app.example.com:8443/cb')).toEqual({
    kind: 'web',
    shown: 'app.example.com:8443',
  })
  expect(consentDestination('http://127.0.0.1:3000/cb')).toEqual({
    kind: 'loopback',
    shown: '127.0.0.1:3000',
  })
  expect(consentDestination('cursor://host/cb')).toEqual({ kind: 'application', shown: 'cursor://host' })
  expect(consentDestination('com.example.app:/cb')).toEqual({
    kind: 'application',
    shown: 'com.example.app:',
  })
})
