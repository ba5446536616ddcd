import { typeColour } from './types.ts'

/** The colour of a type, shown beside its name. */
export function TypeDot({ type }: { type: string }) {
  return (
    <span
      aria-hidden
      className="inline-block size-2.5 shrink-0 rounded-full"
      style={{ background: `var(${typeColour(type)})` }}
    />
  )
}
