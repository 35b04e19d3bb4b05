import { ButtonLink } from '#components/button.tsx'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { SetupItem, SetupStep, SetupStepKey } from '#features/setup/setup-rules.ts'
import { type MessageKey, textByData } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import type { ProductChoices } from '../products/form-values.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { ConnectionTests } from './connection-tests.tsx'
import { PhotoProducts } from './photo-products.tsx'

interface Link {
  href: string
  key: MessageKey
}

/** The existing pages where a step is done; the first is the main one. */
const LINKS: Record<SetupStepKey, Link[]> = {
  shop: [{ href: '/admin/settings?part=shop', key: 'setup.link.settings' }],
  areas: [{ href: '/admin/areas', key: 'setup.link.areas' }],
  delivery: [
    { href: '/admin/settings?part=delivery', key: 'settings.part.delivery' },
    { href: '/admin/settings?part=orders', key: 'setup.link.cutoff' },
  ],
  payment: [{ href: '/admin/settings?part=payments', key: 'setup.link.numbers' }],
  sms: [{ href: '/admin/settings?part=messages', key: 'setup.link.settings' }],
  about: [
    { href: '/admin/settings?part=about', key: 'setup.link.about' },
    { href: '/admin/texts', key: 'admin.nav.texts' },
  ],
  policies: [{ href: '/admin/texts', key: 'admin.nav.texts' }],
  products: [
    { href: '/admin/products/create', key: 'setup.link.product' },
    { href: '/admin/products/import', key: 'setup.link.import' },
    // Animals by live weight need rates.
    { href: '/admin/rates', key: 'setup.link.rates' },
    { href: '/admin/products?visibility=hidden', key: 'setup.link.hidden' },
  ],
  staff: [{ href: '/admin/staff', key: 'admin.nav.staff' }],
  season: [
    { href: '/admin/settings?part=animals#season', key: 'setup.link.season' },
    { href: '/admin/rates', key: 'setup.link.rates' },
    { href: '/admin/products', key: 'admin.nav.products' },
  ],
}

const CHIPS = { done: 'chip-leaf', missing: 'chip-mango', optional: 'chip-stone' }

interface StepCardProps {
  step: SetupStep
  number: string
  gateways: GatewayName[]
  sendsSms: boolean
  choices: ProductChoices
}

/** A step of the set-up: its items, and where to do it. */
export function StepCard({ step: { key, state, items }, number, gateways, sendsSms, choices }: StepCardProps) {
  const { t } = useI18n()
  const hasHow = (key === 'payment' && gateways.length === 0) || (key === 'sms' && !sendsSms)
  return (
    <section className="admin-card p-4 sm:p-5" aria-labelledby={`step-${key}`} data-step={key} data-state={state}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={`step-${key}`} className="text-lg">
          {number}. {t(`setup.step.${key}`)}
        </h2>
        <span className={`chip ${CHIPS[state]} ms-auto`}>{t(`setup.state.${state}`)}</span>
      </div>
      <ul className="mt-2 grid grid-cols-1 gap-1">
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
      {hasHow ? (
        <p className="mt-2 text-sm wrap-anywhere text-stone">{t(key === 'payment' ? 'setup.how.payment' : 'setup.how.sms')}</p>
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">
        {LINKS[key].map(({ href, key: label }, at) => (
          <ButtonLink
            key={href}
            href={href}
            size="small"
            kind={at === 0 && state === 'missing' ? 'primary' : 'secondary'}
            className="min-h-11"
          >
            {textByData(t)(label)}
          </ButtonLink>
        ))}
        {key === 'payment' ? <ConnectionTests gateways={gateways} /> : null}
        {key === 'sms' ? <ConnectionTests sms={sendsSms} /> : null}
        {key === 'staff' ? (
          <ButtonLink href="/admin/setup/test-receipt" size="small" kind="secondary" className="min-h-11">
            {t('setup.test-receipt')}
          </ButtonLink>
        ) : null}
      </div>
      {key === 'products' ? <PhotoProducts choices={choices} /> : null}
    </section>
  )
}

function Item({ item: { key, isDone, isRequired, count, day } }: { item: SetupItem }) {
  const { t } = useI18n()
  const text = textByData(t)(`setup.item.${key}`, { count, day })
  return (
    <li className="flex items-start gap-2">
      <span
        className={`mt-1 grid size-4.5 shrink-0 place-items-center rounded-pill border-2 ${isDone ? 'border-leaf-600 bg-leaf-600 text-paper' : 'border-stone'}`}
      >
        {isDone ? <CheckIcon size={12} /> : null}
      </span>
      <span>
        {text}
        {isDone ? <span className="sr-only"> ({t('setup.state.done')})</span> : null}
        {!isDone && isRequired ? <span className="text-sm text-stone"> · {t('setup.required')}</span> : null}
      </span>
    </li>
  )
}
