import { HELD_DAYS } from '#features/pos/held-rules.ts'
import { MAX_HELD_NAME_LENGTH } from '#features/pos/limits.ts'
import { SCAN_GAP } from '#features/pos/rules.ts'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { formatTaka } from '#lib/format/money.ts'
import { latinDigits, localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate, formatDateTime, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePreservedState } from '../admin/ui/use-preserved-state.ts'
import { firstField } from './first-field.ts'
import type { HeldEntry } from './use-held-sales.ts'

interface HoldDialogProps {
  /** The key of the sale: the name typed for one sale is not offered for another. */
  saleKey: string
  /** Suggested: the customer's name. */
  name: string
  onHold: (name: string) => void
  onClose: () => void
}

/** Names and holds the current sale. */
export function HoldDialog({ saleKey, name, onHold, onClose }: HoldDialogProps) {
  const { t } = useI18n()
  const [label, setLabel] = usePreservedState(`hold-${saleKey}`, name)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onHold(label)
  }
  return (
    <Dialog open onClose={onClose} title={t('pos.held.title')} closeLabel={t('admin.close')}>
      <form ref={firstField} onSubmit={submit} className="mt-3 space-y-4">
        <TextField
          name="name"
          label={t('pos.held.name')}
          placeholder={t('pos.held.example')}
          value={label}
          maxLength={MAX_HELD_NAME_LENGTH}
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
        />
        <Button type="submit" size="large" full>
          {t('pos.held.do')} <kbd className="kbd">Enter</kbd>
        </Button>
      </form>
    </Dialog>
  )
}

interface RecallDialogProps {
  held: HeldEntry[]
  isOnline: boolean
  /** Whether the current sale has entries: it is held before another is resumed. */
  isEntered: boolean
  onRecall: (id: string) => void
  onClose: () => void
}

/** The held sales of this device and of all registers; the number in front of each resumes it, as a click does. */
export function RecallDialog({ held, isOnline, isEntered, onRecall, onClose }: RecallDialogProps) {
  const { t, lang } = useI18n()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const isEmpty = held.length === 0
  // The first sales of the shop may arrive while the dialog is open; their numbers need the focus.
  useEffect(() => {
    if (!isEmpty && !list.current?.contains(document.activeElement)) list.current?.querySelector('button')?.focus()
  }, [isEmpty])
  const pick = useLoneKey(onRecall)
  function press(event: KeyboardEvent) {
    const digit = latinDigits(event.key)
    const picked = /^[1-9]$/.test(digit) ? held[Number(digit) - 1] : undefined
    const isAvailable = picked !== undefined && (isOnline || !picked.shop)
    pick(isAvailable ? picked.id : null, event.timeStamp)
    if (isAvailable) event.preventDefault()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const to = Math.max(0, Math.min(held.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))
      setAt(to)
      list.current?.querySelectorAll('button')[to]?.focus()
      event.preventDefault()
    }
  }
  return (
    <Dialog open wide onClose={onClose} title={t('pos.held.list')} closeLabel={t('admin.close')}>
      {held.length === 0 ? <p className="mt-2">{t('pos.held.none')}</p> : null}
      {isEntered && held.length > 0 ? <p className="mt-2 text-stone">{t('pos.held.first')}</p> : null}
      {isOnline ? null : <p className="mt-2 font-semibold text-terracotta">{t('pos.held.offline')}</p>}
      <ul
        ref={(element) => {
          list.current = element
          firstField(element)
        }}
        className="mt-3 space-y-2"
      >
        {held.map((one, index) => (
          <li key={one.id}>
            <button
              type="button"
              aria-disabled={!isOnline && one.shop !== null}
              onKeyDown={press}
              onFocus={() => setAt(index)}
              onClick={() => (isOnline || !one.shop) && onRecall(one.id)}
              className="flex min-h-14 w-full items-center gap-3 rounded-card border border-line bg-white px-3 py-2 text-start hover:bg-leaf-100 aria-disabled:bg-transparent"
            >
              {index < 9 ? <kbd className="kbd max-sm:hidden">{localizeDigits(lang, String(index + 1))}</kbd> : null}
              <HeldText held={one} isOnline={isOnline} />
              <span className="shrink-0 text-end">
                <b className="tabular-nums block">{formatTaka(one.total, lang)}</b>
                <span className="tabular-nums block text-sm text-stone">
                  {t('pos.held.items', { count: localizeDigits(lang, String(one.lineCount)) })}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-stone">{t('pos.held.about', { days: localizeDigits(lang, String(HELD_DAYS)) })}</p>
    </Dialog>
  )
}

/** Acts on a key after the gap of a scanner, unless another key comes before or behind it: the digits of a scanned code pick nothing. */
function useLoneKey(act: (id: string) => void): (id: string | null, at: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef(-Infinity)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (id, at) => {
    clearTimeout(timer.current)
    const isAlone = at - last.current > SCAN_GAP
    last.current = at
    if (id !== null && isAlone) timer.current = setTimeout(() => act(id), SCAN_GAP)
  }
}

/** Name, products, and where a held sale comes from. */
function HeldText({ held, isOnline }: { held: HeldEntry; isOnline: boolean }) {
  const { t, lang } = useI18n()
  const { name, at, lines, lineCount, shop } = held
  const rest = lineCount - lines.length
  return (
    <span className="min-w-0 grow">
      <b className="block break-words">{name}</b>
      <span className="block truncate text-sm text-stone">
        {lines.map((line) => `${localizeDigits(lang, line.quantity)} × ${line.name}`).join(', ')}
        {rest > 0 ? ` +${localizeDigits(lang, String(rest))}` : ''}
      </span>
      <span className="tabular-nums block text-sm text-stone">
        {formatDateTime(new Date(at), lang)}
        {shop ? ` · ${t('pos.held.by', shop)} · ${t('pos.held.until', { day: formatDay(dhakaDate(new Date(shop.until)), lang) })}` : ''}
      </span>
      {shop === null || !isOnline ? (
        <span className="block text-sm font-semibold text-terracotta">
          {t(shop === null ? 'pos.held.device-only' : 'pos.held.needs-network')}
        </span>
      ) : null}
    </span>
  )
}
