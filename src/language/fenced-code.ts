// Fenced code inside of a text. Pure.

// The closing fence may be missing, because a document is cut into chunks.
const FENCED_CODE = /^(`{3,}|~{3,})(.*)\n[\s\S]*?(?:^\1[^\S\n]*$|$(?![\s\S]))/gmu
const FENCE_LINE = /^(?:`{3,}|~{3,}).*$/gm

/**
 * The text with spaces in place of fenced code, which contains no statements, no lists and no names. What is fenced without a
 * language may be a notice or a list of times: only its fences are replaced. Offsets stay the same.
 */
export function withoutFencedCode(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text
  return text.replace(FENCED_CODE, (code, _fence: string, language: string) =>
    code.replace(language.trim() === '' ? FENCE_LINE : /[^\n]/g, blank),
  )
}

const blank = (text: string): string => ' '.repeat(text.length)
