import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/support/full.ts'
import { sentences } from './sentences.ts'

const texts = (text: string): string[] => sentences(text).map((sentence) => sentence.text)

describe('sentences', () => {
  test.each([
    ['Dr. Ada King met Mr. Babbage. They spoke for an hour.', 2],
    ['The U.S. Army bought 3.5 tons at $4.20 each. It paid at once.', 2],
    ['He moved to the U.S. The move took a year.', 2],
    ['J. K. Rowling wrote it. See Fig. 3 and No. 7 of vol. 2.', 2],
    ['Acme Inc. Signed the paper', 1],
    ['Acme Inc. The firm is in Leeds.', 2],
    ['Am 3. Mai kam sie. Danach ging er z. B. nach Bonn.', 2],
    ['Is that so? Yes! "It is." She left.', 4],
    ['"Stop!" he said. Nobody did.', 2],
    ['Founded in 2004. The seat is Rome.', 2],
    ['Is it plan A or plan B. The board decides.', 2],
    ['There is no. He repeats it.', 2],
    ['Wait... what? Go to example.com/a.b?c=d now.', 2],
    ['これは文です。次の文です！本当？', 3],
    ['यह एक वाक्य है। यह दूसरा है।', 2],
    ['هل هذا سؤال؟ نعم هذا جواب.', 2],
  ])('%s', (text, count) => {
    expect(texts(text)).toHaveLength(count)
  })

  test('list lines and headings are sentences of their own, wrapped lines continue', () => {
    expect(
      texts(
        'Notice\n1. The tenant gives three months of notice to the landlord\nwho confirms it.\n- Keys\n- Deposit',
      ),
    ).toEqual([
      'Notice',
      '1. The tenant gives three months of notice to the landlord\nwho confirms it.',
      '- Keys',
      '- Deposit',
    ])
  })

  test('a line as long as lines of a page goes on with whatever the next one begins with', () => {
    expect(
      texts(
        'The release supports version 20 and newer. If you are using an older version of\nNode.js, you will need to upgrade.\nSecond point',
      ),
    ).toEqual([
      'The release supports version 20 and newer.',
      'If you are using an older version of\nNode.js, you will need to upgrade.',
      'Second point',
    ])
    const rows = 'A first point of the agenda that is as long as a whole line of text is\n2. A second point'
    expect(texts(rows)).toHaveLength(2)
  })

  test('offsets are exact and only white space is lost', () => {
    const piece = fc.oneof(
      fc.constantFrom('. ', '\n', '。', '! ', 'Dr. ', 'A. ', ' ', '3. ', '\r\n'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        let at = 0
        for (const sentence of sentences(text)) {
          expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text)
          expect(text.slice(at, sentence.start).trim()).toBe('')
          at = sentence.end
        }
        expect(text.slice(at).trim()).toBe('')
      }),
      { numRuns: runs(2000) },
    )
  })
})
