// What is quoted for a sentence: itself with its neighbours. A lone sentence often says half of what is asked: what is forbidden
// stands before what to do instead, and an "it" behind what it means. Pure.

// Code points; some four sentences.
const MAX_UNIT_LENGTH = 420

/**
 * The sentence at a place with as many of those behind it as there is room for, and then of those before it.
 * @returns the places of the first, and behind the last
 */
export function unitAround(
  all: readonly { text: string }[],
  at: number,
  isFree: (at: number) => boolean = () => true,
): { from: number; to: number } {
  let [from, to] = [at, at + 1]
  let length = all[at]?.text.length ?? 0
  const fits = (place: number): boolean => {
    const text = all[place]?.text
    if (text === undefined || !isFree(place) || length + 1 + text.length > MAX_UNIT_LENGTH) return false
    length += 1 + text.length
    return true
  }
  while (fits(to)) to++
  while (fits(from - 1)) from--
  return { from, to }
}
