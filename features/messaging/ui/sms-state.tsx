import { AlertIcon, CheckIcon } from '#components/icons.tsx'
import type { SmsState } from '#features/messaging/types.ts'
import { useI18n } from '#page/page-context.tsx'

const LOOKS: Record<SmsState, string> = {
  queued: 'bg-sand text-ink',
  sending: 'bg-indigo-100 text-indigo',
  submitted: 'bg-leaf-100 text-leaf-800',
  failed: 'bg-terracotta-100 text-terracotta',
  unknown: 'bg-mango-100 text-ink',
  skipped: 'bg-sand text-stone',
}

/** The state of a message as a label with an icon. */
export function SmsStateTag({ state }: { state: SmsState }) {
  const { t } = useI18n()
  const isFailed = state === 'failed' || state === 'unknown'
  return (
    <span
      data-state={state}
      className={`inline-flex items-center gap-1 rounded-tag px-2 py-0.5 text-sm font-semibold whitespace-nowrap ${LOOKS[state]}`}
    >
      {state === 'submitted' ? <CheckIcon size={15} /> : null}
      {isFailed ? <AlertIcon size={15} /> : null}
      {t(`sms.state.${state}`)}
    </span>
  )
}
