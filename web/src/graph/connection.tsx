// How the entity is connected to another one: the shortest paths between them, with the passage behind each step.

import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Route } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { entityPathsQuery } from '../queries.ts'
import { EntityChoice } from './entity-choice.tsx'
import { PassageItem } from './entity-parts.tsx'
import { typeLabel } from './types.ts'

type Paths = Output<'getEntityPaths'>
type Step = Paths['paths'][number]['steps'][number]

interface Props {
  workspace: string
  of: { id: string; name: string }
  /** The id of the other entity, from the address. */
  other: string | undefined
}

export function Connection({ workspace, of, other }: Props) {
  const isAsked = useLocation({ select: ({ hash }) => hash === 'connection' })
  const [isChoosing, setIsChoosing] = useState(isAsked && other === undefined)
  const navigate = useNavigate({ from: '/w/$workspace/graph/$entity' })
  const heading = useRef<HTMLHeadingElement>(null)
  const show = (id: string | undefined): void => {
    setIsChoosing(false)
    // The field or the button that had the focus disappears.
    heading.current?.focus({ preventScroll: true })
    void navigate({ search: id === undefined ? {} : { to: id } })
  }
  return (
    <section id="connection" aria-label={t('Connection')} className="mt-6 scroll-mt-12">
      <div className="mb-1 flex items-center gap-2">
        <h3 ref={heading} tabIndex={-1} className="mr-auto text-sm font-semibold outline-none">
          {t('How is it connected?')}
        </h3>
        {(other !== undefined || isChoosing) && (
          <Button kind="quiet" onClick={() => show(undefined)}>
            {t('Close')}
          </Button>
        )}
        {!isChoosing && (
          <Button onClick={() => setIsChoosing(true)}>
            <Route size={14} aria-hidden />{' '}
            {other === undefined ? t('Choose the other name') : t('Another name')}
          </Button>
        )}
      </div>
      {isChoosing ? (
        <EntityChoice workspace={workspace} excludedId={of.id} choose={({ id }) => show(id)} />
      ) : (
        other !== undefined && <PathList workspace={workspace} of={of.id} other={other} />
      )}
    </section>
  )
}

function PathList({ workspace, of, other }: { workspace: string; of: string; other: string }) {
  const { data, error, refetch } = useQuery(entityPathsQuery(workspace, of, other))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  if (data.paths.length === 0)
    return (
      <p role="status" className="text-soft">
        {t('No chain of at most {relations} connects {from} and {to}.', {
          relations: plural(data.max_steps, 'relation'),
          from: data.from.name,
          to: data.to.name,
        })}
      </p>
    )
  return (
    <ol className="space-y-4">
      {data.paths.map(({ steps }) => (
        <li key={steps.map(({ to }) => to.id).join(' ')} className="rounded-md border border-line p-3">
          <ol className="divide-y divide-line">
            {steps.map((step) => (
              <StepItem key={step.to.id} workspace={workspace} step={step} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}

function StepItem({
  workspace,
  step: { from, to, type, reversed, passage },
}: {
  workspace: string
  step: Step
}) {
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <p className="text-sm">
        <EntityLink workspace={workspace} entity={from} />{' '}
        <span className="text-soft">{reversed ? `← ${typeLabel(type)}` : `${typeLabel(type)} →`}</span>{' '}
        <EntityLink workspace={workspace} entity={to} />
      </p>
      {passage && (
        <div className="border-l-2 border-line pl-3">
          <PassageItem workspace={workspace} passage={passage} />
        </div>
      )}
    </li>
  )
}

const EntityLink = ({ workspace, entity }: { workspace: string; entity: Step['from'] }) => (
  <Link
    to="/w/$workspace/graph/$entity"
    params={{ workspace, entity: entity.id }}
    className="font-medium hover:underline"
  >
    {entity.name}
  </Link>
)
