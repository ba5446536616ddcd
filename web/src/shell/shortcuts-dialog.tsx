import { t } from '../language/text.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { Place } from './places.ts'
import { keyLabel, SHORTCUT_GROUPS, SHORTCUTS } from './shortcuts.ts'

interface Props {
  /** The places that the reader's role allows. */
  places: readonly Place[]
  /** Whether the reader may change nothing in the workspace. */
  isViewer: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function ShortcutsDialog({ places, isViewer, open, onOpenChange }: Props) {
  const shortcuts = SHORTCUTS.filter(
    ({ command, forEditors }) =>
      !(isViewer && forEditors) && (command?.do !== 'go' || places.some(({ to }) => to === command.to)),
  )
  const groups = [...new Set(shortcuts.map(({ group }) => group))]
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('Keyboard shortcuts')}>
      {groups.map((group) => (
        <section key={group} className="mb-4">
          <h3 className="mb-1 text-xs font-medium text-soft">{t(SHORTCUT_GROUPS[group])}</h3>
          <dl className="text-sm">
            {shortcuts
              .filter((one) => one.group === group)
              .map(({ keys, label }) => (
                <div key={label} className="flex items-center justify-between py-1">
                  <dt>{t(label)}</dt>
                  <dd className="flex items-center gap-1 text-soft">
                    {keys.map((key, i) => (
                      <span key={key + String(i)} className="flex items-center gap-1">
                        {i > 0 && t('and then')}
                        <kbd className={kbdClass}>{keyLabel(key)}</kbd>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

export const kbdClass =
  'rounded border border-line bg-back px-1.5 py-0.5 font-sans text-xs leading-none text-soft'
