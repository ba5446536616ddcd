// The order in which passages are given to an assistant, which reads each of them: no text twice, and not one document alone. Pure.

interface Passage {
  workspaceId: string
  document: string
  text: string
}

/** How many of the first passages are spread over documents. */
const FIRST = 10
const MAX_OF_A_DOCUMENT = 3

/**
 * Leaves out passages whose text is in a better one of their document, or is that of a better one in their workspace. Of the first ten passages at most three are of one document, as long as other
 * documents have some; the others follow behind.
 */
export function withoutRepetition<Match extends Passage>(passages: readonly Match[]): Match[] {
  const first: Match[] = []
  const others: Match[] = []
  for (const passage of withoutCopies(passages)) {
    const ofDocument = first.filter(({ document }) => document === passage.document).length
    const isFirst = first.length < FIRST && ofDocument < MAX_OF_A_DOCUMENT
    ;(isFirst ? first : others).push(passage)
  }
  return [...first, ...others]
}

function withoutCopies<Match extends Passage>(passages: readonly Match[]): Match[] {
  const lines = passages.map(({ text }) => text.replace(/\s+/g, ' ').trim())
  // Between documents only equal texts: else a forged document that repeats a passage and adds a sentence would hide the passage.
  return passages.filter(
    ({ workspaceId, document }, at) =>
      !passages.slice(0, at).some((better, index) => {
        if (better.workspaceId !== workspaceId) return false
        const [betterLine = '', line = ''] = [lines[index], lines[at]]
        return better.document === document ? betterLine.includes(line) : betterLine === line
      }),
  )
}
