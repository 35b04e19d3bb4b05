import { ButtonLink } from '#components/button.tsx'
import type { SetupStepKey } from '#features/setup/setup-rules.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { RightIcon } from '../ui/icons.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

/** What a shop without orders does next, in place of a row of zeros. */
export function FirstSteps({ steps, canOrder }: { steps: SetupStepKey[]; canOrder: boolean }) {
  const { t } = useI18n()
  // The bar above says that visitors cannot enter yet: there is no address to share.
  const { isClosed } = usePageContext()
  if (steps.length === 0)
    return (
      <section className="admin-card grid justify-items-start gap-3 p-5">
        <h2 className="text-lg">{t('today.first-order')}</h2>
        {canOrder ? (
          <>
            {isClosed ? null : <p className="text-stone">{t('today.first-order-text')}</p>}
            <ButtonLink href="/admin/orders/create">{t('today.first-order-action')}</ButtonLink>
          </>
        ) : (
          <Workplace />
        )}
      </section>
    )
  return (
    <section className="admin-card grid justify-items-start gap-3 p-5">
      <h2 className="text-lg">{t('today.new-shop')}</h2>
      <p className="text-stone">{t('today.new-shop-text')}</p>
      <ul className="w-full max-w-xl divide-y divide-line border-y border-line">
        {steps.map((key) => (
          <li key={key}>
            <a href={`/admin/setup#step-${key}`} className="flex min-h-11 items-center justify-between gap-3 py-1 hover:underline">
              {t(`setup.step.${key}`)}
              <RightIcon size={18} className="shrink-0 text-stone" />
            </a>
          </li>
        ))}
      </ul>
      <ButtonLink href="/admin/setup">{t('setup.title')}</ButtonLink>
    </section>
  )
}

/** The link to the page where a cashier or a weigher works. */
export function Workplace() {
  const { t } = useI18n()
  const { can } = usePermissions()
  if (can('pos.sell')) return <ButtonLink href="/admin/quick-orders">{t('pos.title')}</ButtonLink>
  return can('weighins.write') ? <ButtonLink href="/admin/weigh-ins">{t('admin.nav.weighins')}</ButtonLink> : null
}
