import { type SelectHTMLAttributes, useId } from 'react'

/** A labelled choice among a few values. */
export function Select({
  label,
  options,
  choose,
  ...rest
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
  label: string
  options: readonly { value: string; label: string }[]
  choose: (value: string) => void
}) {
  const id = useId()
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        onChange={({ target }) => choose(target.value)}
        className="w-full rounded-md border border-edge/60 bg-paper px-2 py-1.5 text-base hover:border-edge"
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
