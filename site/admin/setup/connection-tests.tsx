import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { GatewayName } from '#features/payments/gateway.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'

/** Gateways may take this long to answer. */
const WAIT_MS = 50_000

/** Buttons that try the gateways and the SMS provider, with their answer beside them. */
export function ConnectionTests({ gateways = [], sms = false }: { gateways?: GatewayName[]; sms?: boolean }) {
  const { t, lang } = useI18n()
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function run<Body>(name: string, url: string, body: object, done: (answer: Body) => string) {
    setBusy(name)
    setProblem(null)
    const answer = await adminPost<Body>(url, body, { timeoutMs: WAIT_MS })
    setBusy(null)
    if (answer.ok) showToast(done(answer.body))
    else setProblem(failureText(answer, t))
  }

  return (
    <>
      {gateways.map((gateway) => {
        const name = t(`gateway.${gateway}`)
        const test = () => run('/' + gateway, '/admin/setup/test-gateway', { gateway }, () => t('setup.test-gateway-ok', { name }))
        return (
          <Button
            key={gateway}
            size="small"
            kind="secondary"
            className="min-h-11"
            busy={busy === '/' + gateway}
            onClick={() => void test()}
          >
            {t('setup.test-gateway', { name })}
          </Button>
        )
      })}
      {sms ? (
        <Button
          size="small"
          kind="secondary"
          className="min-h-11"
          busy={busy === 'sms'}
          onClick={() =>
            void run<{ phone: string }>('sms', '/admin/setup/test-sms', {}, ({ phone }) =>
              t('setup.test-sms-sent', { phone: localizeDigits(lang, phone) }),
            )
          }
        >
          {t('setup.test-sms')}
        </Button>
      ) : null}
      {problem ? (
        <p role="alert" className="basis-full font-semibold text-terracotta">
          {problem}
        </p>
      ) : null}
    </>
  )
}
