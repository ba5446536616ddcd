// Multipart bodies that are damaged, odd or hostile (BAD-11 and BAD-20); the workspace's files take them in.

const part = (name: string, text = 'Some text.', more = 'Content-Type: text/plain\r\n'): string =>
  `--b\r\nContent-Disposition: form-data; name="files"; ${name}\r\n${more}\r\n${text}\r\n`

export const MULTIPART = 'multipart/form-data; boundary=b'

/** Each is 422, under its own type where it has one. */
export function damagedBodies(): [body: string, type?: string][] {
  const namedPart = part('filename="a.md"')
  return [
    [''],
    ['--b--\r\n'],
    ['nonsense'],
    [namedPart],
    [namedPart.slice(0, -6)],
    [`${namedPart}--b`],
    [`${namedPart}--other--\r\n`],
    [`${namedPart}--b--\r\n`, 'multipart/form-data; boundary=other'],
    ['--b\r\n\r\nno headers\r\n--b--\r\n'],
    [`--b\r\nContent-Disposition: form-data; name="files"\r\n\r\nno file name\r\n--b--\r\n`],
    [`--b\r\nContent-Disposition: form-data; name="other"; filename="a.md"\r\n\r\ntext\r\n--b--\r\n`],
    [`--b\r\nContent-Disposition: form-data; name="files[]"; filename="a.md"\r\n\r\ntext\r\n--b--\r\n`],
    [`--b\r\nContent-Disposition: form-data; name="__proto__"; filename="a.md"\r\n\r\ntext\r\n--b--\r\n`],
    [`${Array.from({ length: 21 }, (_, i) => part(`filename="${i}.md"`, `text ${i}`)).join('')}--b--\r\n`],
    [
      `${Array.from({ length: 10_000 }, (_, i) => `--b\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\nv\r\n`).join('')}--b--\r\n`,
    ],
    [`${part('filename="a.md"')}${part('filename="a.md"')}--b--\r\n`],
    [`${part('filename=""')}--b--\r\n`],
    [`${part('filename="../a.md"')}--b--\r\n`],
    [`--b\r\nX: ${'y'.repeat(1_000_000)}\r\n\r\ntext\r\n--b--\r\n`],
    [`${namedPart}--b--\r\n`, `multipart/form-data; boundary=${'b'.repeat(1000)}`],
    [`${namedPart}--b--\r\n`, `multipart/form-data; boundary=${'b'.repeat(1000)}; boundary=b`],
  ]
}

const file = (name: string, text = 'x'): string =>
  `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${text}\r\n`

/** Names and bodies that look wrong, with the status of each; the boundary is b. */
export const oddBodies: Record<string, [payload: string, status: number]> = {
  'no final boundary': [file('a.txt'), 422],
  'another boundary': [file('a.txt').replace('--b', '--c'), 422],
  'no file': ['--b--\r\n', 422],
  '21 files': [`${Array.from({ length: 21 }, (_, i) => file(`${i}.txt`)).join('')}--b--\r\n`, 422],
  '10,000 fields': [
    `${'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'.repeat(10_000)}--b--\r\n`,
    422,
  ],
  'a head of a megabyte': [`--b\r\nX: ${'y'.repeat(2 ** 20)}\r\n${file('a.txt').slice(5)}--b--\r\n`, 422],
  'a name that climbs': [`${file('../../a.txt')}--b--\r\n`, 422],
  'an absolute name': [`${file('/etc/passwd.txt')}--b--\r\n`, 422],
  'the same name twice': [`${file('a.txt')}${file('a.txt')}--b--\r\n`, 422],
  'a file in a part named file': [`${file('a.txt').replace('"files"', '"file"')}--b--\r\n`, 422],
  'a file in a part named files[]': [`${file('a.txt').replace('"files"', '"files[]"')}--b--\r\n`, 422],
  'a multipart in a multipart': [
    `--b\r\nContent-Disposition: form-data; name="files"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n${file('a.txt').slice(5)}--c--\r\n--b--\r\n`,
    422,
  ],
  'a name over two lines': [`${file('a.txt"\r\nX-Other: "b.txt')}--b--\r\n`, 202],
  'a name of a Windows drive': [`${file('C:\\\\boot.txt')}--b--\r\n`, 422],
  // The character no database takes is left out (BAD-04).
  'a name with NUL': [`${file('a\0.txt')}--b--\r\n`, 202],
  'a dot': [`${file('.')}--b--\r\n`, 422],
  'a name a system reserves': [`${file('CON.txt')}--b--\r\n`, 202],
  'an empty file': [`${file('empty.txt', '')}--b--\r\n`, 202],
  'a name of 5 KB': [`${file(`${'n'.repeat(5000)}.txt`)}--b--\r\n`, 422],
  'a name with markup': [`${file('<script>alert(1)</script>.txt'.replace('/', ''))}--b--\r\n`, 202],
  'an escaped climb': [`${file('%2e%2e%2fa.txt')}--b--\r\n`, 202],
}

/** All of them, one after the other, to the files of a workspace: the status of each, and the one it should have. */
export async function sendBodies(url: string, token: string): Promise<{ sent: number; wrong: string[] }> {
  const all: [body: string, type: string, status: number][] = [
    ...damagedBodies().map(([body, type = MULTIPART]): [string, string, number] => [body, type, 422]),
    ...Object.values(oddBodies).map(([body, status]): [string, string, number] => [body, MULTIPART, status]),
  ]
  const wrong: string[] = []
  for (const [body, type, status] of all) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const answer = await fetch(url, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    if (answer.status !== status) wrong.push(`${answer.status} for ${body.slice(0, 80)}`)
  }
  return { sent: all.length, wrong }
}
