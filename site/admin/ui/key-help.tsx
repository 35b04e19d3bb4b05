import { useState } from 'react'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'
import { hasSingleKeys, setSingleKeys } from './keys.ts'

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

/** Which keys there are, and the switch of those that are one letter or sign. */
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
      <SingleKeySwitch />
    </Dialog>
  )
}

function SingleKeySwitch() {
  const { t } = useI18n()
  const [isOn, setOn] = useState(hasSingleKeys)
  return (
    <label className="mt-2 flex min-h-11 items-center gap-2 border-t border-line pt-2">
      <input
        type="checkbox"
        className="size-5 accent-leaf-600"
        checked={isOn}
        onChange={({ target }) => {
          setSingleKeys(target.checked)
          setOn(hasSingleKeys())
        }}
      />
      {t('admin.keys.single')}
    </label>
  )
}
