// What the source says in words: the messages that it passes to the catalogue, and texts that bypass it. Read by TypeScript's
// own parser, file by file, without types.

import { readFileSync } from 'node:fs'
import { ts } from '@ts-morph/common'
import { PLACEHOLDER, withCount } from '../../src/messages/messages.ts'

export interface MessageUse {
  /** The key in the catalogue: the English text, of a plural the form for many. */
  english: string
  isPlural: boolean
  /** `path:line` */
  place: string
}

export interface SourceTexts {
  messages: MessageUse[]
  /** Texts between tags, in attributes and in messages for people that no function of the catalogue is given. */
  bypassing: string[]
  /** Calls that run while the module is loaded, before the catalogue is there. */
  early: string[]
}

const TRANSLATORS = new Set(['t', 'rich', 'message', 'plural'])
/** Attributes whose value a person reads or hears. */
const SPOKEN = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
  'hint',
  'description',
  'action',
  'problem',
  'legend',
  'empty',
])
/** Elements whose text is code, a key or a name, not language. */
const VERBATIM = new Set(['code', 'kbd', 'pre', 'samp'])
/** Names and addresses, which are the same in every language. */
const SAME_EVERYWHERE = /\bKenning\b|\bidf\b|https?:\S+|\S+@\S+/g
const hasWord = (text: string): boolean => /\p{L}{2,}/u.test(text.replace(SAME_EVERYWHERE, ''))

/** The catalogue's key of `plural(count, one, many)`, as `plural` of the console makes it. */
export const pluralKey = (one: string, many = `${one}s`): string => withCount(many)

const EITHER_SIDE = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
])

const literal = (node: ts.Node | undefined): string | undefined =>
  node && (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) ? node.text : undefined

const calledName = (node: ts.Node): string | undefined =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : undefined

/** The literal strings that an expression may give: both sides of a condition, what stands behind `&&`, `??` and `||`. */
function resultsOf(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return resultsOf(node.expression)
  if (ts.isConditionalExpression(node)) return [...resultsOf(node.whenTrue), ...resultsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return resultsOf(node.right)
    return EITHER_SIDE.has(operator) ? [...resultsOf(node.left), ...resultsOf(node.right)] : []
  }
  return [node]
}

const isText = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map((span) => span.literal)].some((part) => hasWord(part.text))
    : hasWord(literal(node) ?? '')

/** A text that bypasses the catalogue, unless it is one of `names`, which are the same in every language. */
export function readTexts(path: string, names: ReadonlySet<string> = new Set()): SourceTexts {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const texts: SourceTexts = { messages: [], bypassing: [], early: [] }
  const place = (node: ts.Node): string =>
    `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  const add = (node: ts.Node, text: string): void => {
    if (!names.has(text.trim())) texts.bypassing.push(`${place(node)} ${text.trim()}`)
  }
  const addResults = (expression: ts.Expression): void => {
    for (const result of resultsOf(expression)) if (isText(result)) add(result, result.getText())
  }
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    const name = calledName(node)
    if (ts.isCallExpression(node) && name && TRANSLATORS.has(name)) {
      const [first, second, third] = node.arguments
      if (name !== 'message' && !isInFunction) texts.early.push(place(node))
      const [one, many] = [literal(second), literal(third)]
      const text = name === 'plural' ? one && pluralKey(one, many) : literal(first)
      if (text) texts.messages.push({ english: text, isPlural: name === 'plural', place: place(node) })
      else if (name === 'plural' || name === 'message' || (first && isText(first))) add(node, node.getText())
    }
    if (name === 'announce' && ts.isCallExpression(node) && node.arguments[0]) addResults(node.arguments[0])
    if (ts.isJsxText(node) && hasWord(node.text)) add(node, node.text)
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText())) {
      const value = node.initializer
      if (value && ts.isStringLiteral(value) && hasWord(value.text)) add(node, value.text)
      if (value && ts.isJsxExpression(value) && value.expression) addResults(value.expression)
    }
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && node.expression)
      addResults(node.expression)
    if (ts.isJsxElement(node) && VERBATIM.has(node.openingElement.tagName.getText())) return
    const isFunction = ts.isFunctionLike(node)
    ts.forEachChild(node, (child) => visit(child, isInFunction || isFunction))
  }
  visit(source, false)
  return texts
}

/** The names in braces, sorted. */
export const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))].sort()
