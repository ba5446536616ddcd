import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

export const inputClass =
  'w-full rounded-md border border-edge/60 bg-paper px-3 py-1.5 text-base placeholder:text-soft hover:border-edge'

/** For a field beside buttons, as high as they are. */
export const toolInputClass =
  'h-8 rounded-md border border-edge/60 bg-paper px-2.5 text-sm placeholder:text-soft hover:border-edge'

/** A labelled text field, with `hint` below it. `problem` replaces the hint and is read out. */
export function Field({
  label,
  hint,
  problem,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: ReactNode
  problem?: string | undefined
}) {
  const id = useId()
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={inputClass}
        aria-invalid={problem !== undefined}
        aria-describedby={problem || hint ? `${id}-note` : undefined}
        {...rest}
      />
      {(problem || hint) && (
        <p
          id={`${id}-note`}
          role={problem ? 'alert' : undefined}
          className={`mt-1 text-sm ${problem ? 'text-bad' : 'text-soft'}`}
        >
          {problem ?? hint}
        </p>
      )}
    </div>
  )
}
