import { TEXT_LIMIT } from '#lib/format/text.ts'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { MAX_REGISTER_LENGTH } from '#features/pos/limits.ts'
import { TOAST_TIME } from '#features/pos/rules.ts'
import type { RegisterChoice } from '#features/pos/registers.server.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { formatDateTime } from '#lib/format/time.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../admin/ui/admin-post.ts'
import { clearAttempt } from '../admin/ui/idempotency-key.ts'
import { usePreservedState } from '../admin/ui/use-preserved-state.ts'
import { proposedRegister, storeRegister } from './register.ts'
import { useDevices } from './hardware/use-devices.ts'
import { hasDrawer, openDrawer } from './hardware/use-printer.ts'
import { useNeedsNetwork } from './use-needs-network.ts'
import { LocalTakaField } from './local-taka-field.tsx'

type Values = Record<string, string>
const CONFLICT = 409
interface Answer {
  /** Of an opened shift: the name as it is written, and the id; absent and null without one. */
  register?: string
  register_id?: number | null
  /** Of a cash movement that an earlier request has recorded: when, an ISO instant. */
  recorded_at?: string
}

interface ShiftFormOptions {
  once?: string
  /** An earlier request has done it: its answer was lost, or another screen was faster. */
  onDoneBefore?: () => void
}

/** Sends a form of the shift; errors are shown at their fields. */
function useShiftForm(path: string, onDone: (answer: Answer) => void, { onDoneBefore, ...options }: ShiftFormOptions = {}) {
  const { t } = useI18n()
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [busy, setBusy] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Values
    setBusy(true)
    const answer = await adminPost<Answer>(`/admin/quick-orders/shift/${path}`, values, options)
    setBusy(false)
    if (answer.ok) return onDone(answer.body)
    if (answer.status === CONFLICT && Object.keys(answer.errors).length === 0 && onDoneBefore) return onDoneBefore()
    setErrors(answer.errors)
    if (Object.keys(answer.errors).length === 0)
      showToast(t('pos.error', { message: answer.message ?? t('pos.offline-search') }), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return { submit, busy, error: (field: string) => errors[field]?.[0] }
}

/** Opens a shift with the cash in the drawer. */
export function OpenShift({ registers }: { registers: readonly RegisterChoice[] }) {
  const { t, lang } = useI18n()
  const [register, setRegister] = useState('')
  /** As typed; null: what was counted last in this drawer. */
  const [cash, setCash] = useState<string | null>(null)
  const last = registers.find(({ name }) => name.toLowerCase() === register.trim().toLowerCase())?.last_count ?? null
  const onOpened = (answer: Answer) => {
    storeRegister(answer.register ?? register.trim(), answer.register_id ?? null)
    location.reload()
  }
  const { submit, busy, error } = useShiftForm('open', onOpened, { onDoneBefore: () => location.reload() })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    setRegister(proposedRegister(registers))
    form.current?.querySelector('input')?.focus()
  }, [registers])
  return (
    <form ref={form} onSubmit={submit} className="mx-auto mt-8 max-w-md space-y-4 rounded-card border border-line bg-milk p-6">
      <h2 className="text-xl">{t('pos.open-shift')}</h2>
      <p className="text-stone">{t('pos.no-shift')}</p>
      <AmountField
        name="opening_cash"
        label="pos.opening-cash"
        error={error('opening_cash')}
        value={cash ?? (last === null ? '' : (last / 100).toFixed(2))}
        hint={last === null ? undefined : t('pos.register-last', { amount: formatTaka(poisha(last), lang) })}
        onChange={setCash}
      />
      <TextField
        name="register"
        label={t('pos.register')}
        optionalLabel={t('pos.optional')}
        hint={t('pos.register-hint')}
        maxLength={MAX_REGISTER_LENGTH}
        autoComplete="off"
        value={register}
        error={error('register')}
        onChange={({ target }) => setRegister(target.value)}
      />
      <RegisterChoices registers={registers} chosen={register} onChoose={setRegister} />
      <Button type="submit" size="large" full busy={busy}>
        {t('pos.open-shift')}
      </Button>
    </form>
  )
}

interface RegisterChoicesProps {
  registers: readonly RegisterChoice[]
  chosen: string
  onChoose: (name: string) => void
}

/** The known registers: free ones to press, and whose shift is open at the others. */
function RegisterChoices({ registers, chosen, onChoose }: RegisterChoicesProps) {
  const { t } = useI18n()
  const busy = registers.filter((one) => one.open_by !== null)
  return (
    <>
      <div className="flex max-h-40 flex-wrap gap-2 overflow-y-auto empty:hidden">
        {registers
          .filter((one) => one.open_by === null)
          .map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={name === chosen}
              className="min-h-11 rounded-full border border-line bg-white px-3.5 hover:bg-leaf-100 aria-pressed:border-leaf-600 aria-pressed:bg-leaf-100 aria-pressed:font-semibold"
              onClick={() => onChoose(name)}
            >
              {name}
            </button>
          ))}
      </div>
      <ul className="max-h-40 overflow-y-auto text-sm text-stone empty:hidden">
        {busy.map(({ id, name, open_by: openBy }) => (
          <li key={id}>{t('pos.register-busy', { register: name, name: openBy ?? '' })}</li>
        ))}
      </ul>
    </>
  )
}

/** Actions of an open shift. */
export function ShiftActions() {
  const { t } = useI18n()
  const needsNetwork = useNeedsNetwork()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button kind="secondary" onClick={() => setOpen(true)}>
        {t('pos.cash-move')}
      </Button>
      <OpenDrawerButton />
      <ButtonLink kind="secondary" onClick={needsNetwork} href="/admin/quick-orders/close">
        {t('pos.close-shift')}
      </ButtonLink>
      <ButtonLink kind="secondary" onClick={needsNetwork} href="/admin/quick-orders/sales">
        {t('pos.sales')}
      </ButtonLink>
      <ButtonLink kind="secondary" onClick={needsNetwork} href="/admin/quick-orders/return">
        {t('pos.return.title')} <kbd className="kbd max-lg:hidden">F10</kbd>
      </ButtonLink>
      <ButtonLink kind="quiet" onClick={needsNetwork} href="/admin/quick-orders/account">
        {t('pos.account.title')}
      </ButtonLink>
      <Dialog open={open} onClose={close} title={t('pos.cash-move')} closeLabel={t('admin.close')}>
        <MoveCash onDone={close} />
      </Dialog>
    </>
  )
}

/** Opens the cash drawer without a sale, when the shop has logged it: to give change, or after a receipt that was not printed. */
function OpenDrawerButton() {
  const { t } = useI18n()
  const devices = useDevices()
  const [busy, setBusy] = useState(false)
  if (!hasDrawer(devices)) return null
  async function open() {
    setBusy(true)
    const logged = await adminPost('/admin/quick-orders/shift/open-drawer', {})
    const problem = logged.ok ? await openDrawer() : null
    setBusy(false)
    const text = logged.ok ? problem && t(`pos.printer.failed.${problem}`) : (logged.message ?? t('pos.offline-search'))
    if (text) showToast(t('pos.error', { message: text }), { kind: 'error', milliseconds: TOAST_TIME })
  }
  return (
    <Button kind="secondary" busy={busy} onClick={() => void open()}>
      {t('pos.printer.open-drawer')}
    </Button>
  )
}

const NO_MOVE = { direction: 'out', amount: '', reason: '' }
const MOVE = 'cash-move'

/**
 * Cash in or out. The same input goes under one idempotency key until an answer has come. When an earlier request has recorded it, the cashier
 * says whether this is another movement.
 */
function MoveCash({ onDone }: { onDone: () => void }) {
  const { t, lang } = useI18n()
  const [typed, setTyped, reset] = usePreservedState(MOVE, NO_MOVE)
  const [recordedAt, setRecordedAt] = useState<string | null>(null)
  const change = (name: keyof typeof NO_MOVE, text: string) => {
    setTyped({ ...typed, [name]: text })
    setRecordedAt(null)
  }
  const field = (name: keyof typeof NO_MOVE) => ({
    name,
    value: typed[name],
    error: error(name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => change(name, target.value),
  })
  const end = () => {
    reset()
    onDone()
  }
  const onAnswer = (answer: Answer) => {
    clearAttempt(MOVE)
    if (answer.recorded_at !== undefined) return setRecordedAt(answer.recorded_at)
    showToast(t('pos.moved'), { milliseconds: TOAST_TIME })
    void openDrawer()
    end()
  }
  const { submit, busy, error } = useShiftForm('cash', onAnswer, { once: MOVE })
  return (
    <form onSubmit={submit} className="mt-4 space-y-4">
      <SelectField {...field('direction')} label={t('pos.direction')}>
        <option value="out">{t('pos.out')}</option>
        <option value="in">{t('pos.in')}</option>
      </SelectField>
      <AmountField {...field('amount')} label="pos.amount" onChange={(text) => change('amount', text)} />
      <TextField {...field('reason')} label={t('pos.reason')} maxLength={TEXT_LIMIT} autoComplete="off" />
      <p role="status" className="font-semibold empty:hidden">
        {recordedAt === null ? null : t('pos.saved-before', { at: formatDateTime(new Date(recordedAt), lang) })}
      </p>
      {recordedAt === null ? null : (
        <Button type="button" full onClick={end}>
          {t('admin.close')}
        </Button>
      )}
      <Button type="submit" full busy={busy} kind={recordedAt === null ? 'primary' : 'secondary'}>
        {t(recordedAt === null ? 'pos.cash-move' : 'pos.move-again')}
      </Button>
    </form>
  )
}

interface AmountFieldProps {
  name: string
  label: MessageKey
  error: string | undefined
  hint?: string | undefined
  value: string
  onChange: (text: string) => void
}

function AmountField({ label, ...field }: AmountFieldProps) {
  const { t } = useI18n()
  return <LocalTakaField {...field} label={t(label as 'pos.amount')} />
}
