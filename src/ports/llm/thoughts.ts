// Removes the thoughts that reasoning models write into their answers. Pure.

const TAG = /<(\/?)(?:think|thinking|thought)>|\[(\/?)THINK\]/gi

/** Whether the text begins inside a thought. The prompt templates of some models contain the opening tag. */
export function beginsInThought(text: string): boolean {
  const [tag] = text.matchAll(TAG)
  return tag !== undefined && (tag[1] ?? tag[2]) === '/'
}

/**
 * The text outside of thoughts. A thought without a closing tag ends with the text, because the answer was cut off. A closing tag
 * without an opening one belongs to a thought that began in the prompt, so all text before it is a thought. Tags are not nested,
 * because models also mention them in their thoughts.
 */
export function withoutThoughts(text: string): string {
  let answer = ''
  let from = 0
  let isThought = false
  for (const tag of text.matchAll(TAG)) {
    const isClosing = (tag[1] ?? tag[2]) === '/'
    if (isClosing && !isThought) answer = ''
    else if (!isClosing && !isThought) answer += text.slice(from, tag.index)
    isThought = !isClosing
    from = tag.index + tag[0].length
  }
  return isThought ? answer : answer + text.slice(from)
}
