import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'

const KEYS = [
  [['Ctrl', 'K'], 'office.keys.palette'],
  [['/'], 'office.keys.search'],
  [['j'], 'office.keys.down'],
  [['k'], 'office.keys.up'],
  [['x'], 'office.keys.select'],
  [['Enter'], 'office.keys.open'],
  [['Ctrl', 'S'], 'office.keys.save'],
  [['?'], 'office.keys.help'],
] as const

/** Which keys there are. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  return (
    <Dialog open={open} onClose={onClose} title={t('office.keys')} closeLabel={t('office.close')}>
      <dl className="divide-y divide-line">
        {KEYS.map(([keys, text]) => (
          <div key={text} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{t(text)}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
