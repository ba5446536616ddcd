import type { ButtonHTMLAttributes } from 'react'

type Kind = 'plain' | 'primary' | 'quiet' | 'danger'

const KIND_CLASSES: Record<Kind, string> = {
  plain: 'border border-line bg-raised hover:border-edge disabled:bg-line/60',
  primary: 'border border-accent bg-accent text-on-accent hover:opacity-90',
  quiet: 'text-soft hover:bg-line/60 hover:text-ink',
  danger: 'border border-bad text-bad hover:bg-bad-back',
}

export const buttonClass = (kind: Kind = 'plain', extraClasses = ''): string =>
  `inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md px-3 py-1 text-sm font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-50 ${KIND_CLASSES[kind]} ${extraClasses}`

export function Button({
  kind = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: Kind }) {
  return <button type="button" className={buttonClass(kind, className)} {...rest} />
}

/**
 * A button that is an icon. Screen readers read its label, which is also shown on hover.
 * @param text beside the icon, if there is room
 */
export function IconButton({
  label,
  text,
  className = '',
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; text?: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-8 items-center justify-center rounded-md text-soft hover:bg-line/60 hover:text-ink disabled:opacity-40 ${text ? 'gap-1.5 text-sm xl:w-auto xl:px-2' : ''} ${className}`}
      {...rest}
    >
      {children}
      {text && <span className="hidden xl:inline">{text}</span>}
    </button>
  )
}
