// The quotation of a sentence: the sentence with its neighbours. One sentence often contains only half of the answer. For example, the
// next sentence names the alternative to what is forbidden, or the previous one explains an "it". Pure.

// In UTF-16 units, about four sentences.
const MAX_UNIT_LENGTH = 420

/**
 * The sentence at an index with as many following sentences as there is room for, and then as many previous ones.
 * @returns the index of the first sentence, and the index after the last one
 */
export function unitAround(
  all: readonly { text: string }[],
  at: number,
  isFree: (at: number) => boolean = () => true,
): { from: number; to: number } {
  let [from, to] = [at, at + 1]
  let length = all[at]?.text.length ?? 0
  const extendTo = (place: number): boolean => {
    const text = all[place]?.text
    if (text === undefined || !isFree(place) || length + 1 + text.length > MAX_UNIT_LENGTH) return false
    length += 1 + text.length
    return true
  }
  while (extendTo(to)) to++
  while (extendTo(from - 1)) from--
  return { from, to }
}
