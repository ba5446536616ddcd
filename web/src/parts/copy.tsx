// Text to be copied, and the button that copies it.

import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../language/text.tsx'
import { Button } from './button.tsx'
import { announce } from './toast.tsx'

const COPIED_MS = 2000

interface ButtonProps {
  text: string
  /** The visible label. */
  name?: string
  /** The label for screen readers, if the visible one does not say what is copied. */
  label?: string
  kind?: 'plain' | 'quiet'
}

export function CopyButton({ text, name = t('Copy'), label = name, kind = 'plain' }: ButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Browsers allow copying only with https and on this computer.
      announce(t('The browser does not allow copying here. Select the text and copy it.'))
    }
  }
  return (
    <Button kind={kind} onClick={() => void copy()} aria-label={label}>
      {copied ? <Check size={14} /> : <CopyIcon size={14} />}
      <span role="status">{copied ? t('Copied') : name}</span>
    </Button>
  )
}

/** One line to copy, such as a key or an address. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-2">
      <code className="min-w-0 flex-1 rounded-md border border-line bg-back px-3 py-1.5 font-mono text-sm break-all">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  )
}

/** Several lines to copy. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex flex-col items-end overflow-hidden rounded-md border border-line bg-back sm:flex-row sm:items-start">
      <pre className="min-w-0 flex-1 self-stretch p-3 font-mono text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
      <div className="px-2 pb-2 sm:pt-2">
        <CopyButton text={text} label={t('Copy the {thing}', { thing: label })} />
      </div>
    </div>
  )
}
