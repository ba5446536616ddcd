// Turns Markdown into elements, never through innerHTML, and without embedded HTML. `[N]` become citation marks.

import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'

const CITATION_MARK = /\[(\d{1,3})\]/g
// What is on the same line as the mark behind it: a word, or the last sign of a script that has no spaces between words.
const LAST_WORD = /(?:[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{1,20}|\S) ?$/u

/** Renders the mark of a citation. Without this function, marks stay text. */
type Citation = (number: number, key: string) => ReactNode

// The function is passed by context: when it changes, the elements stay the same and a pressed mark keeps the focus.
const CitationContext = createContext<Citation | undefined>(undefined)

function withMarks(children: ReactNode, citation: Citation | undefined): ReactNode {
  if (Array.isArray(children))
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
    return children.map((child, i) => <Fragment key={i}>{withMarks(child, citation)}</Fragment>)
  if (typeof children !== 'string' || !citation) return children
  const parts: ReactNode[] = []
  let position = 0
  for (const match of children.matchAll(CITATION_MARK)) {
    const text = children.slice(position, match.index)
    const [lastWord = ''] = LAST_WORD.exec(text) ?? []
    parts.push(
      text.slice(0, text.length - lastWord.length),
      <span key={`${match.index} word`} className="whitespace-nowrap">
        {lastWord}
        {citation(Number(match[1]), `${match.index}`)}
      </span>,
    )
    position = match.index + match[0].length
  }
  parts.push(children.slice(position))
  return parts
}

const markedTag = (Tag: 'p' | 'li' | 'td' | 'th' | 'strong' | 'em' | 'blockquote') =>
  function Marked({ children }: { children?: ReactNode }) {
    return <Tag>{withMarks(children, useContext(CitationContext))}</Tag>
  }

const COMPONENTS: Partial<Components> = {
  p: markedTag('p'),
  li: markedTag('li'),
  td: markedTag('td'),
  th: markedTag('th'),
  strong: markedTag('strong'),
  em: markedTag('em'),
  // Links lead to other sites, so they open in a new tab and the page stays.
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline">
      {children}
    </a>
  ),
  // Scrolls in a box of its own, so that a wide table does not move the page.
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <div tabIndex={0} className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
  img: ({ alt }) => <span>{alt}</span>,
}

type Nodes = ReturnType<typeof toHast>

/** Where the part first stands in the text as words of its own: "4 days" not within "14 days". -1 if nowhere. */
function indexOfWords(text: string, part: string): number {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const isBeginning = !/[\p{L}\p{N}]$|\p{N}[.,]$/u.test(text.slice(0, at))
    if (isBeginning && !/^[\p{L}\p{N}]|^[.,]\p{N}/u.test(text.slice(at + part.length))) return at
  }
  return -1
}

/** Marks the first place of the part. Returns false if it is in no text of the node. */
function mark(node: Nodes, part: string): boolean {
  if (!('children' in node)) return false
  for (const [i, child] of node.children.entries()) {
    const at = child.type === 'text' ? indexOfWords(child.value, part) : -1
    if (child.type === 'text' && at >= 0) {
      const textOf = (value: string) => ({ type: 'text' as const, value })
      node.children.splice(
        i,
        1,
        textOf(child.value.slice(0, at)),
        { type: 'element', tagName: 'mark', properties: {}, children: [textOf(part)] },
        textOf(child.value.slice(at + part.length)),
      )
      return true
    }
    if (mark(child, part)) return true
  }
  return false
}

interface Props {
  text: string
  citation?: Citation
  /** A part of the text, which is marked where it stands first. */
  markedText?: string | undefined
}

export function Markdown({ text, citation, markedText }: Props) {
  const content = useMemo(() => {
    const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
    const options = { Fragment, jsx, jsxs, ignoreInvalidStyle: true, components: COMPONENTS }
    const content = toHast(tree)
    if (markedText) mark(content, markedText)
    return toJsxRuntime(content, options)
  }, [text, markedText])
  return (
    <CitationContext value={citation}>
      <div className="reading">{content}</div>
    </CitationContext>
  )
}
