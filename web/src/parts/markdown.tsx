// Turns Markdown into elements, never through innerHTML, and without embedded HTML. `[N]` become citation marks.

import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'

const CITATION_MARK = /\[(\d{1,3})\]/g

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
    parts.push(children.slice(position, match.index), citation(Number(match[1]), `${match.index}`))
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
  img: ({ alt }) => <span>{alt}</span>,
}

export function Markdown({ text, citation }: { text: string; citation?: Citation }) {
  const content = useMemo(() => {
    const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
    const options = { Fragment, jsx, jsxs, ignoreInvalidStyle: true, components: COMPONENTS }
    return toJsxRuntime(toHast(tree), options)
  }, [text])
  return (
    <CitationContext value={citation}>
      <div className="reading">{content}</div>
    </CitationContext>
  )
}
