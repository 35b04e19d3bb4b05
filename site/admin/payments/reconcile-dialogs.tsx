import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import type { BookEntry, ListedRow, ReconciliationDay } from '#features/reconciliation/queries.server.ts'
import { MAX_REASON_LENGTH } from '#features/reconciliation/rules.ts'
import { formatTaka, poisha, type Poisha, sum } from '#lib/format/money.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime, formatFullDay } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'

// Each dialog sends one decision and reloads the page, whose lists and counts have changed.

interface ReasonDialogProps {
  title: string
  text: string
  action: string
  kind?: 'primary' | 'danger'
  /** The field and its name in the body. */
  field: 'reason' | 'note'
  isOptional?: boolean
  url: string
  body: (reason: string) => object
  children?: ReactNode
  close: () => void
}

const FORM = 'reconcile-form'

function ReasonDialog({ title, text, action, kind = 'primary', field, isOptional = false, url, body, children, close }: ReasonDialogProps) {
  const { t } = useI18n()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function send(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    const written = await adminPost(url, body(reason))
    if (written.ok) return location.reload()
    setBusy(false)
    const atField = written.errors[field]?.[0] ?? written.errors.entries?.[0]
    setProblem(atField ?? null)
    if (!atField) showFailure(written, t)
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={title}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" form={FORM} kind={kind} busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={send} className="space-y-3">
        <p>{text}</p>
        {children}
        <TextField
          label={t(`reconcile.${field}`)}
          {...(isOptional ? { optionalLabel: t('admin.optional') } : {})}
          value={reason}
          error={problem}
          maxLength={MAX_REASON_LENGTH}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

/** Asks for the entries of a row, and why. */
export function MatchDialog({ row, close }: { row: ListedRow; close: () => void }) {
  const { t, lang } = useI18n()
  const taka = (poisha: Poisha) => formatTaka(poisha, lang)
  const [entries, setEntries] = useState<BookEntry[] | null>(null)
  const [attempt, setAttempt] = useState(1)
  const [hasFailed, setFailed] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    let isGone = false
    void call<{ entries: BookEntry[] }>(`/api/admin/payments/statement-rows/${row.id}/candidates`).then((answer) => {
      if (isGone) return
      if (answer.ok) setEntries(answer.body.entries)
      setFailed(!answer.ok)
    })
    return () => {
      isGone = true
    }
  }, [row.id, attempt])
  const chosenSum = sum((entries ?? []).filter(({ id }) => chosen.has(id)).map(({ amount_poisha }) => amount_poisha))
  const toggle = (id: number) => setChosen((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]))
  return (
    <ReasonDialog
      title={t('reconcile.match-title', { amount: taka(row.amount_poisha) })}
      text={[row.reference, row.details].filter(Boolean).join(' · ')}
      action={t('reconcile.do-match')}
      field="reason"
      url={`/admin/payments/statement-rows/${row.id}/match`}
      body={(reason) => ({ entries: [...chosen], reason })}
      close={close}
    >
      {hasFailed ? (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p className="font-semibold text-terracotta">{t('admin.no-answer')}</p>
          <Button size="small" kind="secondary" onClick={() => setAttempt(attempt + 1)}>
            {t('admin.again')}
          </Button>
        </div>
      ) : null}
      {entries?.length === 0 ? <p className="text-stone">{t('reconcile.no-candidates')}</p> : null}
      {entries && entries.length > 0 ? (
        <fieldset>
          <legend className="mb-1 font-semibold">{t('reconcile.candidates')}</legend>
          <div className="max-h-72 divide-y divide-line overflow-auto rounded-card border border-line">
            {entries.map((entry) => (
              <label key={entry.id} className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2 hover:bg-leaf-100">
                <input type="checkbox" className="mt-1 size-5 shrink-0" checked={chosen.has(entry.id)} onChange={() => toggle(entry.id)} />
                <span className="min-w-0 grow text-sm">
                  <b className="tabular-nums">{taka(entry.amount_poisha)}</b> ·{' '}
                  {entry.order_id === null
                    ? t('money.no-order')
                    : `${localizeDigits(lang, String(entry.order_id))} · ${shownName(entry.name, lang)}`}
                  <span className="block break-all text-stone">
                    {formatDateTime(new Date(entry.at), lang)}
                    {entry.reference === null ? '' : ` · ${entry.reference}`}
                  </span>
                </span>
              </label>
            ))}
          </div>
          <p className="tabular-nums mt-2 text-sm" role="status">
            {chosen.size > 0
              ? t('reconcile.chosen', { sum: taka(chosenSum), difference: taka(poisha(row.amount_poisha - chosenSum)) })
              : null}
          </p>
        </fieldset>
      ) : null}
    </ReasonDialog>
  )
}

export function ExplainDialog({ row, close }: { row: ListedRow; close: () => void }) {
  const { t, lang } = useI18n()
  return (
    <ReasonDialog
      title={t('reconcile.explain-title', { amount: formatTaka(row.amount_poisha, lang) })}
      text={t('reconcile.explain-text')}
      action={t('reconcile.do-explain')}
      field="reason"
      url={`/admin/payments/statement-rows/${row.id}/explain`}
      body={(reason) => ({ reason })}
      close={close}
    />
  )
}

export function UnmatchDialog({ row, close }: { row: ListedRow; close: () => void }) {
  const { t, lang } = useI18n()
  return (
    <ReasonDialog
      title={t('reconcile.unmatch-title', { amount: formatTaka(row.amount_poisha, lang) })}
      text={t('reconcile.unmatch-text')}
      action={t('reconcile.do-unmatch')}
      kind="danger"
      field="reason"
      url={`/admin/payments/statement-rows/${row.id}/unmatch`}
      body={(reason) => ({ reason })}
      close={close}
    />
  )
}

export function CloseDialog({ accountId, day, close }: { accountId: number; day: ReconciliationDay; close: () => void }) {
  const { t, lang } = useI18n()
  const open = day.open_rows + day.open_entries
  return (
    <ReasonDialog
      title={t('reconcile.close-title', { day: formatFullDay(day.day, lang) })}
      text={open > 0 ? t('reconcile.close-open', { count: formatNumber(open, lang) }) : t('reconcile.close-text')}
      action={t('reconcile.close')}
      field="note"
      isOptional={open === 0}
      url={`/admin/payments/accounts/${accountId}/close`}
      body={(note) => ({ day: day.day, note, open })}
      close={close}
    />
  )
}

export function ReopenDialog({ accountId, day, close }: { accountId: number; day: string; close: () => void }) {
  const { t, lang } = useI18n()
  return (
    <ReasonDialog
      title={t('reconcile.reopen-title', { day: formatFullDay(day, lang) })}
      text={t('reconcile.reopen-text')}
      action={t('reconcile.reopen')}
      field="reason"
      url={`/admin/payments/accounts/${accountId}/reopen`}
      body={(reason) => ({ day, reason })}
      close={close}
    />
  )
}
