import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

interface KeepLongerProps {
  phone: string
  /** How long an order with a verified phone is held. */
  hours: number
  /** Sends a code to the phone; resolves to an error text when that fails. */
  onConfirmPhone: () => Promise<string | null>
}

/** Explains the short deadline of an unverified phone, and offers to extend it by an SMS code. */
export function ExtendHold({ phone, hours, onConfirmPhone }: KeepLongerProps) {
  const { t, lang } = useI18n()
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border-s-4 border-mango bg-mango-100 px-4 py-3">
      <p className="min-w-0">
        <b className="block">{t('advance.keep', { hours: localizeDigits(lang, String(hours)) })}</b>
        {t('advance.keep-text', { phone: localizeDigits(lang, phone) })}
      </p>
      <ConfirmPhone onConfirmPhone={onConfirmPhone} />
    </div>
  )
}

/** Button that requests the code. Shows an error when none could be sent. */
export function ConfirmPhone({ onConfirmPhone }: Pick<KeepLongerProps, 'onConfirmPhone'>) {
  const { t } = useI18n()
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null })
  const confirm = async () => {
    setState({ busy: true, problem: null })
    const problem = await onConfirmPhone()
    if (problem !== null) setState({ busy: false, problem })
  }
  return (
    <>
      <Button kind="secondary" onClick={confirm} busy={state.busy} className="needs-script max-sm:w-full">
        {t(state.busy ? 'advance.sending-code' : 'advance.confirm-phone')}
      </Button>
      {state.problem === null ? null : (
        <p role="alert" className="w-full font-semibold text-terracotta">
          {state.problem}
        </p>
      )}
    </>
  )
}
