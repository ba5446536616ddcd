// The search page: the best passages first, updated while somebody types. The address contains query and filters.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ListOrdered, Search, Table2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DocumentThumbnail } from '../documents/thumbnail.tsx'
import { WhyPanel } from '../inspect/why-panel.tsx'
import { plural, t } from '../language/text.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { ChunkText } from '../parts/chunk-text.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { headingPath } from '../parts/heading-path.ts'
import { passageWithSource } from '../parts/passage-text.ts'
import { ScopeSelect } from '../parts/scope-select.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { type Chunk, entityQuery, headingsQuery, scopesQuery, searchQuery } from '../queries.ts'

const TYPING_PAUSE_MS = 150

export function SearchPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q = '', scope, entity, why } = useSearch({ from: '/w/$workspace/search' })
  const navigate = useNavigate({ from: '/w/$workspace/search' })
  const [typedQuery, setTypedQuery] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  const results = useQuery(searchQuery(workspace, q, scope, entity))
  const { data: headings } = useQuery(headingsQuery(workspace, results.data?.data))

  // The query in the address changes when typing pauses. The field changes when the address does (back, a link).
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typedQuery !== q)
        void navigate({ search: ({ why: _, ...old }) => ({ ...old, q: typedQuery }), replace: true })
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typedQuery, q, navigate])
  const lastQuery = useRef(q)
  useEffect(() => {
    if (q !== lastQuery.current && document.activeElement !== input.current) setTypedQuery(q)
    lastQuery.current = q
  }, [q])
  useEffect(() => input.current?.focus(), [])

  const explain = (chunk: string | undefined): void =>
    void navigate({
      search: ({ why: _, ...rest }) => (chunk ? { ...rest, why: chunk } : rest),
      replace: true,
    })
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
          <div className="flex items-center gap-2 rounded-lg border border-edge/60 bg-paper px-3 focus-within:border-accent">
            <Search size={16} className="text-soft" aria-hidden />
            <input
              ref={input}
              type="search"
              aria-label={t('Search passages')}
              placeholder={t('Words, a name or a question')}
              value={typedQuery}
              maxLength={2000}
              onChange={(event) => setTypedQuery(event.target.value)}
              className="h-11 min-w-0 flex-1 bg-transparent outline-none placeholder:text-soft"
            />
          </div>
          <div className="mt-3 flex flex-wrap items-center gap-2 text-sm">
            <ScopeFilter workspace={workspace} scope={scope} />
            {entity && <EntityFilter workspace={workspace} entity={entity} />}
            <span role="status" className="ml-auto text-soft">
              {q && results.data && !results.isPlaceholderData && plural(results.data.data.length, 'passage')}
            </span>
            {q && (
              <Link
                to="/w/$workspace/inspect"
                params={{ workspace }}
                search={{ q, ...(scope ? { scope } : {}), ...(entity ? { entity } : {}) }}
                className="text-accent hover:underline"
              >
                {t('Inspect this search')}
              </Link>
            )}
          </div>
          {results.error && <Problem error={results.error} retry={() => void results.refetch()} />}
          {!q && (
            <Empty
              title={t('Search this workspace')}
              action={
                <Link to="/w/$workspace" params={{ workspace }} className={buttonClass()}>
                  {t('Ask a question')}
                </Link>
              }
            >
              {t(
                'The search finds words and numbers as they are written, names even if they are misspelt, and answers to questions by their meaning.',
              )}
            </Empty>
          )}
          {q && !results.data && !results.error && <Skeleton lines={8} />}
          {q && results.data?.data.length === 0 && (
            <Empty
              title={t('Nothing found')}
              action={
                <Link to="/w/$workspace" params={{ workspace }} search={{ q }} className={buttonClass()}>
                  {t('Ask “{text}”', { text: q })}
                </Link>
              }
            >
              {nothingText(scope, entity)}
            </Empty>
          )}
          <ol className={`mt-4 divide-y divide-line ${results.isPlaceholderData ? 'opacity-60' : ''}`}>
            {q &&
              results.data?.data.map((chunk) => (
                <li key={chunk.id} className="py-4">
                  <Result
                    chunk={chunk}
                    heading={headings?.get(chunk.id)}
                    workspace={workspace}
                    query={q}
                    explain={() => explain(chunk.id)}
                  />
                </li>
              ))}
          </ol>
        </div>
      </div>
      {why && q && (
        <WhyPanel
          workspace={workspace}
          search={{ q, scope, entity }}
          chunk={why}
          close={() => explain(undefined)}
        />
      )}
    </div>
  )
}

function nothingText(scope: string | undefined, entity: string | undefined): string {
  if (scope)
    return t(
      'No passage has these words or something close to them in this scope. Try fewer words, or search without the filter.',
    )
  return entity
    ? t(
        'No passage has these words or something close to them. Try fewer words, or search without the filter.',
      )
    : t('No passage has these words or something close to them. Try fewer words.')
}

interface ResultProps {
  chunk: Chunk
  /** The headings above the passage. Undefined until they have loaded. */
  heading: string | undefined
  workspace: string
  query: string
  explain: () => void
}

const withSource = ({ text, document_title, page, source_url }: Chunk): string =>
  passageWithSource(text, { title: document_title, page, url: source_url })

function Result({ chunk, heading, workspace, query, explain }: ResultProps) {
  const path = headingPath(heading, chunk.document_title, chunk.text)
  return (
    <article>
      <h2 className="mb-1 flex items-center gap-2 text-sm">
        {chunk.type === 'table' ? (
          <Table2 size={14} className="w-5 shrink-0 text-soft" aria-hidden />
        ) : (
          <DocumentThumbnail workspace={workspace} id={chunk.document_id ?? ''} />
        )}
        <Link
          to="/w/$workspace/d/$document"
          params={{ workspace, document: chunk.document_id ?? '' }}
          search={{ chunk: chunk.id, ...(chunk.page ? { page: chunk.page } : {}), find: query }}
          className={`truncate font-medium text-accent hover:underline ${path ? 'max-w-[75%] shrink-0' : 'min-w-0'}`}
        >
          {chunk.document_title}
        </Link>
        {path && (
          <span className="min-w-0 truncate text-soft" title={path}>
            › {path}
          </span>
        )}
        {chunk.page && <span className="shrink-0 text-soft">{t('page {page}', { page: chunk.page })}</span>}
      </h2>
      <div className="max-h-72 overflow-hidden [mask-image:linear-gradient(black_16rem,transparent_18rem)]">
        <ChunkText text={chunk.text} type={chunk.type} query={query} heading={heading} excerpt />
      </div>
      <div className="mt-1 -ml-3 flex flex-wrap">
        <CopyButton kind="quiet" name={t('Copy with source')} text={withSource(chunk)} />
        <Button kind="quiet" onClick={explain}>
          <ListOrdered size={14} /> {t('Why this result?')}
        </Button>
      </div>
    </article>
  )
}

function ScopeFilter({ workspace, scope }: { workspace: string; scope: string | undefined }) {
  const { data } = useQuery(scopesQuery(workspace))
  const navigate = useNavigate({ from: '/w/$workspace/search' })
  return (
    <ScopeSelect
      scopes={data?.data}
      value={scope ?? ''}
      choose={(next) =>
        void navigate({ search: ({ scope: _, ...rest }) => (next ? { ...rest, scope: next } : rest) })
      }
    />
  )
}

function EntityFilter({ workspace, entity }: { workspace: string; entity: string }) {
  const { data } = useQuery(entityQuery(workspace, entity))
  return (
    <Link
      to="/w/$workspace/search"
      params={{ workspace }}
      search={({ entity: _, ...rest }) => rest}
      aria-label={t('Search without the filter {name}', { name: data?.entity.name ?? '' })}
      className="inline-flex items-center gap-1 rounded-full border border-line bg-tint px-2.5 py-0.5"
    >
      {t('mentions {name}', { name: data?.entity.name ?? '…' })} <X size={12} />
    </Link>
  )
}
