import { MAX_TYPED_ORDER_ID_LENGTH, MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

export interface Props {
  /** Why the form is shown. */
  intro: string
  /** As typed, when the form is shown again. */
  values: { order: string; phone: string }
  errors: Record<string, string>
  problem: string | null
}

/** Finds an order by its number and phone; the form works without script. */
export function Page({ intro, values, errors, problem }: Props) {
  const { t } = useI18n()
  const { csrfToken } = usePageContext()
  return (
    <StoreLayout>
      <div className="mx-auto max-w-md px-4 py-6 lg:py-14">
        <div className="rounded-card border border-line bg-milk p-5 sm:p-8">
          <h1 className="text-2xl">{t('track.title')}</h1>
          <p className="mt-1 text-stone">{intro}</p>
          {problem === null ? null : (
            <p
              role="alert"
              className="mt-4 flex items-start gap-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta"
            >
              <AlertIcon className="mt-0.5 shrink-0" />
              {problem}
            </p>
          )}
          <form method="post" action="/track" noValidate className="mt-5 space-y-4">
            <input type="hidden" name="_token" value={csrfToken} />
            <TextField
              id="order"
              name="order"
              label={t('track.order')}
              error={errors.order}
              defaultValue={values.order}
              inputMode="numeric"
              autoComplete="off"
              maxLength={MAX_TYPED_ORDER_ID_LENGTH}
              enterKeyHint="next"
              className="tabular-nums"
            />
            <TextField
              id="phone"
              name="phone"
              type="tel"
              label={t('track.phone')}
              hint={t('track.phone-hint')}
              error={errors.phone}
              defaultValue={values.phone}
              autoComplete="tel"
              inputMode="tel"
              maxLength={MAX_TYPED_PHONE_LENGTH}
              enterKeyHint="go"
            />
            <Button type="submit" size="large" full>
              {t('track.submit')}
            </Button>
          </form>
        </div>
      </div>
    </StoreLayout>
  )
}
