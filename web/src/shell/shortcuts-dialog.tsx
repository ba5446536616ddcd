import { t } from '../language/text.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { keyLabel, SHORTCUT_GROUPS, SHORTCUTS } from './shortcuts.ts'

export function ShortcutsDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const groups = [...new Set(SHORTCUTS.map(({ group }) => group))]
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('Keyboard shortcuts')}>
      {groups.map((group) => (
        <section key={group} className="mb-4">
          <h3 className="mb-1 text-xs font-medium text-soft">{t(SHORTCUT_GROUPS[group])}</h3>
          <dl className="text-sm">
            {SHORTCUTS.filter((one) => one.group === group).map(({ keys, label }) => (
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
