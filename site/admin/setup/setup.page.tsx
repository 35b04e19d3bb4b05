import type { Light } from '#features/setup/health-rules.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { SetupStep } from '#features/setup/setup-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { ProductChoices } from '../products/form-values.ts'
import { AdminLayout } from '../ui/layout.tsx'
import { HealthList } from './health-list.tsx'
import { OpenShop } from './open-shop.tsx'
import { StepCard } from './step-card.tsx'

export interface Props {
  steps: SetupStep[]
  lights: Light[]
  opening: Settings['opening']
  today: string
  gateways: GatewayName[]
  sendsSms: boolean
  /** What products from photographs choose from. */
  choices: ProductChoices
}

/** The set-up of a new shop: the steps with their state, and links to their forms. */
export function Page({ steps, lights, opening, today, ...connected }: Props) {
  const { t, lang } = useI18n()
  const count = steps.filter(({ state }) => state === 'missing').length
  return (
    <AdminLayout title={t('setup.title')} note={<span className="chip chip-stone">{t('setup.progress', { count })}</span>}>
      <p className="mb-4 max-w-2xl text-stone">{t('setup.intro')}</p>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ol className="grid grid-cols-1 gap-3">
          {steps.map((step, at) => (
            <li key={step.key}>
              <StepCard step={step} number={formatNumber(at + 1, lang)} {...connected} />
            </li>
          ))}
        </ol>
        <section className="admin-card grid grid-cols-1 gap-4 p-4 sm:p-5 xl:sticky xl:top-4" aria-labelledby="check">
          <h2 id="check" className="text-lg">
            {t('setup.check')}
          </h2>
          <HealthList lights={lights} />
          <OpenShop opening={opening} today={today} lights={lights} />
        </section>
      </div>
    </AdminLayout>
  )
}
