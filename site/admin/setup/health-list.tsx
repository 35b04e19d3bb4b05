import type { Light, LightColor, LightKey } from '#features/setup/health-rules.ts'
import { type MessageKey, textByData } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { AlertIcon, CheckIcon, InfoIcon } from '../ui/icons.tsx'

/** Where a light is mended; null: on the server. */
const HREFS: Record<LightKey, string | null> = {
  https: null,
  production: null,
  backup: '/admin/backups',
  sms: '/admin/sms',
  factor: '/account/security',
  policies: '/admin/texts',
  product: '/admin/products',
  area: '/admin/areas',
  payment: '/admin/settings?part=payments',
  order: '/',
  disk: null,
  failedSms: '/admin/sms?state=problem&days=1',
  failedEmails: null,
  jobs: '/admin/health#jobs',
}

const LOOKS: Record<LightColor, { chip: string; icon: typeof CheckIcon }> = {
  green: { chip: 'chip-leaf', icon: CheckIcon },
  yellow: { chip: 'chip-mango', icon: InfoIcon },
  red: { chip: 'chip-terracotta', icon: AlertIcon },
}

/** Every light with a word and a sign besides its color. */
export function HealthList({ lights }: { lights: Light[] }) {
  const { t } = useI18n()
  const say = textByData(t)
  return (
    <ul className="divide-y divide-line">
      {lights.map(({ key, color, detail, count }) => {
        const { chip, icon: Icon } = LOOKS[color]
        const href = color === 'green' ? null : HREFS[key]
        const name = t(`setup.light.${key}`)
        return (
          <li key={key} className="flex items-start gap-3 py-2">
            <div className="min-w-0 grow">
              {href ? (
                <a href={href} className="inline-flex min-h-6 items-center font-semibold underline underline-offset-4">
                  {name}
                </a>
              ) : (
                <span className="font-semibold">{name}</span>
              )}
              <p className="text-sm text-stone">{say(`setup.light.${key}.${detail}` as MessageKey, { count })}</p>
            </div>
            <span className={`chip ${chip} shrink-0`}>
              <Icon size={16} />
              {t(`setup.color.${color}`)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
