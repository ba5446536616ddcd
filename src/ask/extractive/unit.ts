// The unit that is quoted for a sentence: the sentence with its neighbours. One sentence often contains only half of the answer.
// For example, the previous sentence explains an "it". Pure.

// In UTF-16 units, about four sentences.
const MAX_UNIT_LENGTH = 420

/**
 * The sentence at an index, extended by the following sentences up to MAX_UNIT_LENGTH, and then by the previous ones.
 * @param isFree whether the sentence at an index may be quoted
 * @returns the index of the first sentence, and the index after the last one
 */
export function unitAround(
  sentences: readonly { text: string }[],
  at: number,
  isFree: (at: number) => boolean = () => true,
): { from: number; to: number } {
  let [from, to] = [at, at + 1]
  let length = sentences[at]?.text.length ?? 0
  const extendTo = (index: number): boolean => {
    const text = sentences[index]?.text
    if (text === undefined || !isFree(index) || length + 1 + text.length > MAX_UNIT_LENGTH) return false
    length += 1 + text.length
    return true
  }
  while (extendTo(to)) to++
  while (extendTo(from - 1)) from--
  return { from, to }
}
