// Files of 100 MB that are text: plain, marked up, and by records.

import { filled, type LargeFile, MAX_BYTES, paragraph, sentence, writePieces } from './file.ts'

const text = (
  name: string,
  says: string,
  piece: (i: number) => string,
  head?: string,
  tail?: string,
): LargeFile => ({
  name,
  says,
  write: (path) => writePieces(path, filled(MAX_BYTES, piece, head, tail)),
})

const BASE64_BYTES = 57 * 1024

/** What is attached, in lines of base64. */
function* attached(mostBytes: number): Generator<string> {
  let rest = ''
  for (const piece of filled(Math.floor((mostBytes / 78) * 57), (i) => `${paragraph(i)}\n\n`)) {
    rest += piece
    for (; rest.length >= BASE64_BYTES; rest = rest.slice(BASE64_BYTES))
      yield lines(rest.slice(0, BASE64_BYTES))
  }
  yield lines(rest)
}

const lines = (bytes: string): string =>
  Buffer.from(bytes, 'latin1')
    .toString('base64')
    .replace(/.{1,76}/g, '$&\r\n')

const MAIL = `From: Keeper <keeper@example.org>
To: Office <office@example.org>
Subject: Readings of the year
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="part"

--part
Content-Type: text/plain

All readings are attached.
--part
Content-Type: text/plain; name="readings.txt"
Content-Disposition: attachment; filename="readings.txt"
Content-Transfer-Encoding: base64

`.replaceAll('\n', '\r\n')

export const texts: readonly LargeFile[] = [
  text('text.txt', 'text', (i) => `${paragraph(i)}\n\n`),
  text('markdown.md', 'Markdown', (i) => `${i % 8 === 0 ? `## Part ${i}\n\n` : ''}${paragraph(i)}\n\n`),
  text(
    'csv.csv',
    'CSV',
    (i) => `${i},${i % 365},${(i * 37) % 997},K${i % 40},"high, calm"\n`,
    'gauge,day,reading,keeper,remark\n',
  ),
  text(
    'html.html',
    'HTML',
    (i) => `${i % 8 === 0 ? `<h2>Part ${i}</h2>\n` : ''}<p>${paragraph(i)}</p>\n`,
    '<!doctype html><html><head><title>Readings</title></head><body>\n',
    '</body></html>\n',
  ),
  text(
    'rows.html',
    'HTML, one table',
    (i) => `<tr><td>${i}</td><td>${i % 365}</td><td>${(i * 37) % 997}</td><td>K${i % 40}</td></tr>\n`,
    '<!doctype html><html><body><table><tr><th>gauge</th><th>day</th><th>reading</th><th>keeper</th></tr>\n',
    '</table></body></html>\n',
  ),
  text(
    'records.jsonl',
    'JSON Lines',
    (i) => `${JSON.stringify({ gauge: i, day: i % 365, reading: (i * 37) % 997, remark: sentence(i) })}\n`,
  ),
  text('letter.rtf', 'RTF', (i) => `\\pard ${paragraph(i)}\\par\n`, '{\\rtf1\\ansi\n', '}\n'),
  text(
    'message.eml',
    'mail of one text',
    (i) => `${paragraph(i)}\r\n\r\n`,
    MAIL.replace(/\r\nMIME[\s\S]*/, '\r\n\r\n'),
  ),
  {
    name: 'attached.eml',
    says: 'mail with a text attached',
    write: (path) =>
      writePieces(
        path,
        (function* () {
          yield MAIL
          yield* attached(MAX_BYTES - 2 * MAIL.length)
          yield '--part--\r\n'
        })(),
      ),
  },
]
