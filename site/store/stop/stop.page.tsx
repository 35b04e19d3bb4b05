import { Button } from '#components/button.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

export interface Props {
  token: string
  /** Masked: a forwarded link shows no number. */
  phone: string
  isStopped: boolean
}

/** Stops campaigns to one phone. The form works without script. A second line has the other language: the SMS chose this one, not the reader. */
export function Page({ token, phone, isStopped }: Props) {
  const { t, lang } = useI18n()
  const { csrfToken } = usePageContext()
  return (
    <StoreLayout>
      <div className="mx-auto max-w-md px-4 py-6 lg:py-14">
        <div className="rounded-card border border-line bg-milk p-5 sm:p-8">
          <h1 className="text-2xl">{t(isStopped ? 'stop.done' : 'stop.title')}</h1>
          <p lang={lang === 'bn' ? 'en' : 'bn'} className="text-stone">
            {t(isStopped ? 'stop.done-other' : 'stop.title-other')}
          </p>
          <p className="tabular-nums mt-4 font-semibold">{localizeDigits(lang, phone)}</p>
          <p className="mt-2">{t('stop.still')}</p>
          <p lang={lang === 'bn' ? 'en' : 'bn'} className="text-stone">
            {t('stop.still-other')}
          </p>
          {isStopped ? null : (
            <form method="post" action={`/stop/${token}`} className="mt-5">
              <input type="hidden" name="_token" value={csrfToken} />
              <Button type="submit" size="large" full className="flex-wrap gap-y-0">
                {t('stop.button')}
                <span lang={lang === 'bn' ? 'en' : 'bn'} className="font-normal">
                  {t('stop.button-other')}
                </span>
              </Button>
            </form>
          )}
        </div>
      </div>
    </StoreLayout>
  )
}
