// The details of an entity: its relations with the passages that state them, and the passages that mention it. The panel beside
// the graph and the page of the entity show them.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { withDots } from '../../../src/transcript/source.ts'
import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Marked } from '../parts/highlight.tsx'
import type { Span } from '../parts/spans.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { evidenceQuery, namedEntityQuery } from '../queries.ts'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'

type Neighbourhood = Output<'getEntity'>

// In English without "and": "ACM, A.C.M.".
const list = new Intl.ListFormat(locale, { style: 'narrow', type: 'conjunction' })

/** The entity's type, how often it is mentioned, and its other names. */
export function About({ workspace, about }: { workspace: string; about: Neighbourhood['entity'] }) {
  const { data } = useQuery(namedEntityQuery(workspace, about.id, about.name))
  const otherNames = data?.aliases?.filter((alias) => alias !== about.name) ?? []
  return (
    <div className="mb-4 text-sm text-soft">
      <p className="flex items-center gap-1.5">
        {about.type && <TypeDot type={about.type} />}
        {about.type && typeLabel(about.type)}
        {data && ` · ${plural(data.mention_count, 'mention')}`}
      </p>
      {otherNames.length > 0 && (
        <p className="mt-1">{t('Also written {names}', { names: list.format(otherNames) })}</p>
      )}
    </div>
  )
}

interface RelationsProps {
  workspace: string
  neighbourhood: Neighbourhood
  /** How many relations are shown at first. A click shows all. */
  maxShown: number
  /** A link to another entity. */
  link: (entity: Neighbourhood['entity']) => ReactNode
}

// The type of a relation that no passage states: passages name the two entities together more often than by chance.
const MENTIONED_WITH = 'mentioned_with'

/** Relations that passages state come first, those with most evidence before others. A click on a relation shows its passages. */
export function Relations({ workspace, neighbourhood, maxShown, link }: RelationsProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const relations = [
    ...neighbourhood.outgoing.map((relation) => ({ ...relation, way: 'out' })),
    ...neighbourhood.incoming.map((relation) => ({ ...relation, way: 'in' })),
  ].sort(
    (a, b) =>
      Number(a.type === MENTIONED_WITH) - Number(b.type === MENTIONED_WITH) ||
      b.evidence_count - a.evidence_count,
  )
  if (relations.length === 0)
    return <p className="text-soft">{t('No passage says how it is related to another entity.')}</p>
  return (
    <>
      <ul className="divide-y divide-line text-sm">
        {relations.slice(0, isExpanded ? undefined : maxShown).map((relation) => (
          <RelationRow
            key={`${relation.way} ${relation.type} ${relation.entity.id}`}
            workspace={workspace}
            of={neighbourhood.entity.id}
            other={relation.entity.id}
            count={relation.evidence_count}
          >
            <span className="text-soft">
              {relation.type === MENTIONED_WITH
                ? typeLabel(relation.type)
                : relation.way === 'out'
                  ? `${typeLabel(relation.type)} →`
                  : `← ${typeLabel(relation.type)}`}
            </span>{' '}
            {link(relation.entity)}
          </RelationRow>
        ))}
      </ul>
      {!isExpanded && relations.length > maxShown && (
        <Button kind="quiet" className="mt-1" onClick={() => setIsExpanded(true)}>
          {plural(relations.length, 'All {count} relation', 'All {count} relations')}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  workspace: string
  of: string
  other: string
  count: number
  children: ReactNode
}

function RelationRow({ workspace, of, other, count, children }: RowProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li className="py-1.5">
      <div className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1">{children}</span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="inline-flex shrink-0 items-center gap-0.5 rounded text-soft tabular-nums hover:text-ink"
        >
          {plural(count, 'passage')}
          {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        </button>
      </div>
      {open && (
        <div id={id} className="border-l-2 border-line pl-3">
          <Passages workspace={workspace} entity={of} other={other} />
        </div>
      )}
    </li>
  )
}

/** The passages that mention the entity, or that state its relation to `other`, with links to their documents. */
export function Passages({
  workspace,
  entity,
  other,
}: {
  workspace: string
  entity: string
  other?: string
}) {
  const evidence = useInfiniteQuery(evidenceQuery(workspace, entity, other))
  if (evidence.error && !evidence.data)
    return <Problem error={evidence.error} retry={() => void evidence.refetch()} />
  if (!evidence.data) return <Skeleton lines={4} />
  return (
    <>
      <ol className="divide-y divide-line">
        {evidence.data.pages
          .flatMap((page) => page.data)
          .map((passage) => (
            <li key={passage.chunk_id} className="py-3">
              <PassageItem workspace={workspace} passage={passage} />
            </li>
          ))}
      </ol>
      {evidence.hasNextPage && (
        <Button onClick={() => void evidence.fetchNextPage()} disabled={evidence.isFetchingNextPage}>
          {t('More passages')}
        </Button>
      )}
    </>
  )
}

type Passage = Output<'listEvidence'>['data'][number]

/** A passage with a link to its place in the document, and its spans marked. */
export const PassageItem = ({ workspace, passage }: { workspace: string; passage: Passage }) => (
  <>
    <Link
      to="/w/$workspace/d/$document"
      params={{ workspace, document: passage.document_id }}
      search={{ chunk: passage.chunk_id, ...(passage.page ? { page: passage.page } : {}) }}
      className="text-sm font-medium text-accent hover:underline"
    >
      {passage.title}
      {passage.page && ` · ${t('page {page}', { page: passage.page })}`}
    </Link>
    <p className="reading line-clamp-4">
      <Marked {...excerptOf(passage)} />
    </p>
  </>
)

/** About four lines of a passage, which begin shortly before the first mark so that the mark is visible. */
function excerptOf({ text: passageText, spans }: { text: string; spans: readonly Span[] }) {
  const text = withDots(passageText)
  const firstStart = Math.min(...spans.map(({ start }) => start), text.length)
  const from =
    firstStart < MAX_BEFORE || firstStart === text.length ? 0 : text.indexOf(' ', firstStart - MAX_BEFORE) + 1
  const end = text.length - from <= MAX_SHOWN ? text.length : text.lastIndexOf(' ', from + MAX_SHOWN)
  const to = end > firstStart ? end : from + MAX_SHOWN
  const before = from > 0 ? ELLIPSIS : ''
  const shift = from - before.length
  return {
    text: before + text.slice(from, to) + (to < text.length ? ' …' : ''),
    spans: spans
      .filter((span) => span.start < to)
      .map((span) => ({ start: span.start - shift, end: Math.min(span.end, to) - shift })),
  }
}

const MAX_BEFORE = 60
const MAX_SHOWN = 170
const ELLIPSIS = '… '
