import { useEffect, useState } from 'react'
import { AlertIcon, PhoneIcon } from '#components/icons.tsx'
import type { SmsJson } from '#features/messaging/types.ts'
import { ageOf } from '#features/messaging/ui/age.ts'
import { SmsStateTag } from '#features/messaging/ui/sms-state.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

export interface Props {
  messages: SmsJson[]
}

const REFRESH_MS = 2_000

/** The SMS messages of a demo shop. */
export function Page({ messages: first }: Props) {
  const { t } = useI18n()
  const { messages, isAway } = useFreshMessages(first)
  return (
    <StoreLayout>
      <div className="mx-auto max-w-2xl px-4 py-6 lg:py-10">
        <h1 className="text-3xl">{t('sms.demo.title')}</h1>
        <p className="mt-2 max-w-[60ch] text-stone">{t('sms.demo.intro')}</p>
        <p role="status" className="mt-2 min-h-6 text-sm font-semibold text-terracotta">
          {isAway ? (
            <>
              <AlertIcon size={16} className="me-1.5 inline" />
              {t('sms.demo.away')}
            </>
          ) : null}
        </p>
        {messages.length === 0 ? (
          <p className="stitch mt-2 rounded-card bg-milk px-4 py-10 text-center">{t('sms.demo.empty')}</p>
        ) : (
          <ol className="mt-2 space-y-3">
            {messages.map((sms) => (
              <Message key={sms.id} sms={sms} />
            ))}
          </ol>
        )}
      </div>
    </StoreLayout>
  )
}

function Message({ sms }: { sms: SmsJson }) {
  const { t, lang } = useI18n()
  const age = ageOf(sms.age_seconds)
  return (
    <li className="rounded-card border border-line bg-milk p-4 shadow-soft">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
        <span className="inline-flex items-center gap-1.5 text-base font-semibold">
          <PhoneIcon size={18} className="text-leaf-600" />
          <span className="sr-only">{t('sms.demo.to', { phone: sms.phone })}</span>
          <span aria-hidden="true" className="tabular-nums">
            {sms.phone}
          </span>
        </span>
        <SmsStateTag state={sms.state} />
        <span className="text-stone">{t(`sms.purpose.${sms.purpose as 'order'}`)}</span>
        <span className="ms-auto text-stone">{age ? t(age.key, { n: localizeDigits(lang, String(age.n)) }) : t('sms.age.now')}</span>
      </p>
      <p lang={/[ঀ-৿]/.test(sms.text) ? 'bn' : 'en'} className="mt-2.5 break-words whitespace-pre-line">
        {sms.purpose === 'code' ? <WithCode text={sms.text} /> : <WithLinks text={sms.text} />}
      </p>
    </li>
  )
}

/** Highlights the code of a message. */
function WithCode({ text }: { text: string }) {
  const [before, code, after] = /^(.*?)(\d{4,8})(.*)$/s.exec(text)?.slice(1) ?? [text]
  return (
    <>
      {before}
      {code ? <strong className="tabular-nums rounded-tag bg-tag px-2 py-0.5 text-xl select-all">{code}</strong> : null}
      {after}
    </>
  )
}

/** Makes the links of a message clickable. */
function WithLinks({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s।]+)/).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <a key={index} href={piece} rel="noreferrer" className="break-all text-leaf-600 underline underline-offset-4">
        {piece}
      </a>
    ),
  )
}

/** Reloads every two seconds while the page is visible. */
function useFreshMessages(first: SmsJson[]) {
  const [shown, setShown] = useState({ messages: first, isAway: false })
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      if (!document.hidden) {
        const answer = await call<{ messages: SmsJson[] } | null>('/api/demo/sms', { cache: 'no-store' })
        if (stopped) return
        setShown((before) => (answer.ok && answer.body ? { messages: answer.body.messages, isAway: false } : { ...before, isAway: true }))
      }
      timer = setTimeout(ask, REFRESH_MS)
    }
    timer = setTimeout(ask, REFRESH_MS)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [])
  return shown
}
