import { TextField } from '#components/field.tsx'
import { useI18n } from '#page/page-context.tsx'
import { TEXT_LIMIT } from '#lib/format/text.ts'

type Props = {
  value: string
  error?: string
  hint?: string
  /** False where only some choices need a reason. */
  required?: boolean
  autoFocus?: boolean
  onChange: (reason: string) => void
}

/** Asks why staff do something to an order or a payment; the customer or the log is told. */
export function ReasonField({ required = true, onChange, ...field }: Props) {
  const { t } = useI18n()
  return (
    <TextField
      {...field}
      label={t('admin-orders.reason')}
      required={required}
      maxLength={TEXT_LIMIT}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
