// What the documents are about: groups of documents, then the main names, ranked. If the reader has typed a text, the entities with
// that name or meaning.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { Entity } from '../../../src/contract/resources.ts'
import { plural, rich, t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { entitiesQuery, graphQuery, themesQuery } from '../queries.ts'
import { likeness } from '../shell/fuzzy.ts'
import { MAX_NODES } from './address.ts'
import { ThemeGroups } from './theme-groups.tsx'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'

const MAX_SHOWN = 100
// Of `likeness`: the text stands in the name, or each of its words begins one of the name.
const MIN_LIKENESS = 2

type RankedEntity = Pick<Entity, 'id' | 'name' | 'type' | 'mention_count' | 'aliases'>

export function ThemeList() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q, type } = useSearch({ from: '/w/$workspace/graph' })
  const themes = useQuery(themesQuery(workspace))
  const entities = useInfiniteQuery({ ...entitiesQuery(workspace, q, type), enabled: q !== undefined })
  const graph = useQuery({
    ...graphQuery(workspace, MAX_NODES),
    enabled: type !== undefined && q === undefined,
  })
  const source = q !== undefined ? entities : type !== undefined ? graph : themes
  const rankedEntities =
    q !== undefined
      ? entities.data?.pages.flatMap(({ data }) => data)
      : type !== undefined
        ? graph.data?.nodes.filter((node) => node.type === type).slice(0, MAX_SHOWN)
        : themes.data?.top_entities
  // The service also finds names by typing errors and by meaning. The reader is told which ones do not have the typed text, but not
  // while the entities are still those of the text before.
  const isNotCompared = q === undefined || entities.isPlaceholderData
  const hasTypedText = ({ name, aliases = [] }: RankedEntity): boolean =>
    isNotCompared || [name, ...aliases].some((oneName) => likeness(oneName, q) >= MIN_LIKENESS)
  const namedEntities = rankedEntities?.filter(hasTypedText) ?? []
  const relatedEntities = rankedEntities?.filter((entity) => !hasTypedText(entity)) ?? []
  const maxMentions = Math.max(1, ...(rankedEntities ?? []).map(({ mention_count }) => mention_count))
  return (
    <div className="h-full overflow-y-auto">
      {q === undefined && type === undefined && (
        <div className="max-w-6xl px-4 md:px-6">
          <ThemeGroups />
        </div>
      )}
      <div className="max-w-3xl px-4 pb-6 md:px-6">
        {source.error && !rankedEntities && (
          <Problem error={source.error} retry={() => void source.refetch()} />
        )}
        {!rankedEntities && !source.error && <Skeleton lines={10} />}
        {rankedEntities?.length === 0 && (
          <Empty
            title={t('No such entity')}
            action={
              q ? (
                <Link
                  to="/w/$workspace/search"
                  params={{ workspace }}
                  search={{ q }}
                  className={buttonClass()}
                >
                  {t('Search passages for “{text}”', { text: q })}
                </Link>
              ) : (
                <Link to="/w/$workspace/graph" params={{ workspace }} className={buttonClass()}>
                  {t('Show all')}
                </Link>
              )
            }
          >
            {q ? t('Try another spelling, or search the passages.') : t('None of this type stands out.')}
          </Empty>
        )}
        {q === undefined && rankedEntities && rankedEntities.length > 0 && (
          <>
            <h2 className="px-2 text-sm font-semibold">{t('Names')}</h2>
            <p className="mb-1 px-2 text-sm text-soft">
              {t('The most characteristic first: named often, but not in every document.')}
            </p>
          </>
        )}
        <EntityList entities={namedEntities} isNumbered={q === undefined} {...{ workspace, maxMentions }} />
        {relatedEntities.length > 0 && (
          <section aria-label={t('Similar or related')} className={namedEntities.length > 0 ? 'mt-6' : ''}>
            {namedEntities.length === 0 && (
              <p role="status" className="px-2 pb-2 text-sm text-soft">
                {t('No entity has this name')}
              </p>
            )}
            <h2 className="px-2 pb-1 text-sm font-semibold">{t('Similar or related')}</h2>
            <EntityList entities={relatedEntities} isNumbered={false} {...{ workspace, maxMentions }} />
          </section>
        )}
        {q === undefined && rankedEntities && rankedEntities.length >= MAX_SHOWN && (
          <p className="mt-4 text-sm text-soft">
            {rich('The {number} most important. {more}.', {
              number: MAX_SHOWN,
              more: (
                <Link
                  to="/w/$workspace/graph"
                  params={{ workspace }}
                  search={(search) => ({ ...search, view: 'table' as const })}
                  activeProps={{}}
                  className="text-accent underline"
                >
                  {t('The table has more')}
                </Link>
              ),
            })}
          </p>
        )}
      </div>
    </div>
  )
}

interface EntityListProps {
  workspace: string
  entities: readonly RankedEntity[]
  isNumbered: boolean
  /** The length of each bar is relative to this number of mentions. */
  maxMentions: number
}

function EntityList({ workspace, entities, isNumbered, maxMentions }: EntityListProps) {
  return (
    <ol className="divide-y divide-line">
      {entities.map((entity, i) => (
        <li key={entity.id}>
          <Link
            to="/w/$workspace/graph"
            params={{ workspace }}
            search={(search) => ({ ...search, entity: entity.id })}
            activeProps={{}}
            className="flex items-baseline gap-3 rounded px-2 py-2 hover:bg-back"
          >
            {isNumbered && (
              <span className="w-7 shrink-0 text-right text-sm text-soft tabular-nums">{i + 1}</span>
            )}
            <span className="min-w-0 truncate font-medium">{entity.name}</span>
            <span className="flex shrink-0 items-center gap-1.5 text-sm text-soft">
              <TypeDot type={entity.type} />
              <span className="sr-only sm:not-sr-only">{typeLabel(entity.type)}</span>
            </span>
            <span className="ml-auto shrink-0 text-sm text-soft tabular-nums">
              {plural(entity.mention_count, 'mention')}
            </span>
            <span aria-hidden className="hidden w-24 shrink-0 self-center sm:block">
              <span
                className="block h-1.5 rounded-full bg-edge"
                style={{ width: `${Math.max(2, (100 * entity.mention_count) / maxMentions)}%` }}
              />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
