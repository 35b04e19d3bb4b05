import { MAX_PARKED_NAME_LENGTH } from '#features/pos/limits.ts'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePreservedState } from '../admin/ui/use-preserved-state.ts'
import { firstField } from './first-field.ts'
import { type ParkedSale, parkedSum } from './parked.ts'

interface ParkDialogProps {
  /** The key of the sale: the name typed for one sale is not offered for another. */
  saleKey: string
  /** Suggested: the customer's name. */
  name: string
  onPark: (name: string) => void
  onClose: () => void
}

/** Names and parks the current sale. */
export function ParkDialog({ saleKey, name, onPark, onClose }: ParkDialogProps) {
  const { t } = useI18n()
  const [label, setLabel] = usePreservedState(`park-${saleKey}`, name)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onPark(label)
  }
  return (
    <Dialog open onClose={onClose} title={t('pos.park.title')} closeLabel={t('admin.close')}>
      <form ref={firstField} onSubmit={submit} className="mt-3 space-y-4">
        <TextField
          name="name"
          label={t('pos.park.name')}
          placeholder={t('pos.park.example')}
          value={label}
          maxLength={MAX_PARKED_NAME_LENGTH}
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
        />
        <Button type="submit" size="large" full>
          {t('pos.park.do')} <kbd className="kbd">Enter</kbd>
        </Button>
      </form>
    </Dialog>
  )
}

interface RecallDialogProps {
  parked: ParkedSale[]
  /** Whether the current sale has entries: it is parked before another is recalled. */
  isEntered: boolean
  onRecall: (id: string) => void
  onClose: () => void
}

/** The list of parked sales; the number in front of each recalls it, as a click does. */
export function RecallDialog({ parked, isEntered, onRecall, onClose }: RecallDialogProps) {
  const { t, lang } = useI18n()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  function press(event: KeyboardEvent) {
    const picked = /^[1-9]$/.test(event.key) ? parked[Number(event.key) - 1] : undefined
    if (picked) onRecall(picked.id)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const to = Math.max(0, Math.min(parked.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))
      setAt(to)
      list.current?.querySelectorAll('button')[to]?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <Dialog open wide onClose={onClose} title={t('pos.park.list')} closeLabel={t('admin.close')}>
      {parked.length === 0 ? <p className="mt-2 text-stone">{t('pos.park.none')}</p> : null}
      {isEntered && parked.length > 0 ? <p className="mt-2 text-stone">{t('pos.park.first')}</p> : null}
      <ul
        ref={(element) => {
          list.current = element
          firstField(element)
        }}
        className="mt-3 space-y-2"
      >
        {parked.map((one, index) => (
          <li key={one.id}>
            <button
              type="button"
              onKeyDown={press}
              onFocus={() => setAt(index)}
              onClick={() => onRecall(one.id)}
              className="flex min-h-14 w-full items-center gap-3 rounded-card border border-line bg-white px-3 py-2 text-start hover:bg-leaf-100"
            >
              {index < 9 ? <kbd className="kbd max-sm:hidden">{index + 1}</kbd> : null}
              <span className="min-w-0 grow">
                <b className="block break-words">{one.name}</b>
                <span className="block truncate text-sm text-stone">
                  {one.sale.lines
                    .slice(0, 3)
                    .map((line) => `${localizeDigits(lang, line.quantity)} × ${line.name}`)
                    .join(', ')}
                  {one.sale.lines.length > 3 ? ` +${localizeDigits(lang, String(one.sale.lines.length - 3))}` : ''}
                </span>
              </span>
              <span className="shrink-0 text-end">
                <b className="tabular-nums block">{formatTaka(parkedSum(one), lang)}</b>
                <span className="tabular-nums block text-sm text-stone">{formatTime(dhakaTime(new Date(one.at)), lang)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
