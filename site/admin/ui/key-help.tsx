import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'

const KEYS = [
  [['Ctrl', 'K'], 'admin.keys.palette'],
  [['/'], 'admin.keys.search'],
  [['j'], 'admin.keys.down'],
  [['k'], 'admin.keys.up'],
  [['x'], 'admin.keys.select'],
  [['Enter'], 'admin.keys.open'],
  [['Ctrl', 'S'], 'admin.keys.save'],
  [['?'], 'admin.keys.help'],
] as const

/** Which keys there are. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  return (
    <Dialog open={open} onClose={onClose} title={t('admin.keys')} closeLabel={t('admin.close')}>
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
