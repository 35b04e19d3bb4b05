import { PhoneIcon } from '#components/icons.tsx'
import { ShopBrand } from '#components/logo.tsx'
import { callLink, whatsappLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { PaymentMarks } from './payment-marks.static.tsx'
import { MARKS_ID } from './checkout/marks-id.ts'
import { SECTIONS } from './sections.ts'

const ABOUT = [
  { href: '/about', key: 'shell.about' },
  { href: '/contact', key: 'shell.contact' },
] as const

const HELP = [
  { href: '/track', key: 'shell.track' },
  { href: '/terms-condition', key: 'shell.terms' },
  { href: '/privacy-policy', key: 'shell.privacy' },
  { href: '/return-refund', key: 'shell.returns' },
  { href: '/shipping-info', key: 'shell.shipping' },
] as const

/** The footer of the checkout: the policies, the phone, and the seller. */
export function SlimFooter() {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <footer className="mt-10 border-t border-line bg-milk text-sm text-stone">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3">
        <p>{shop.address ? `${shop.name}, ${shop.address}` : shop.name}</p>
        <div id={MARKS_ID} hidden>
          <PaymentMarks />
          {shop.phone ? (
            <p className="mt-2 text-sm">
              <a href={callLink(shop.phone)} className="underline underline-offset-4">
                {t('payment.call', { phone: localizeDigits(lang, shop.phone) })}
              </a>
            </p>
          ) : null}
        </div>
        <nav aria-label={t('shell.shop-nav')}>
          <ul className="flex flex-wrap gap-x-4">
            {HELP.map(({ href, key }) => (
              <li key={href}>
                <a href={href} target="_blank" rel="noopener" className="inline-flex min-h-11 items-center underline underline-offset-4">
                  {t(key)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  )
}

/** Shop, contacts, sign-out, sections and policies. */
export function Footer() {
  const { t, lang } = useI18n()
  const { shop, categories } = usePageContext()
  return (
    <footer className="lazy-section mt-12 bg-leaf-800 text-paper [contain-intrinsic-block-size:auto_780px]">
      <div className="mx-auto grid max-w-6xl grid-cols-2 gap-x-4 gap-y-8 px-4 py-10 lg:grid-cols-[1.6fr_1fr_1fr]">
        <div className="max-lg:col-span-2">
          <p className="flex items-center gap-2 text-xl font-semibold">
            <ShopBrand size={30} nameClass="" />
          </p>
          {shop.motto ? <p className="mt-2 max-w-[40ch] text-paper/90">{shop.motto}</p> : null}
          {shop.address ? <p className="mt-2 text-paper/90">{shop.address}</p> : null}
          {shop.licence ? (
            <p className="mt-1 text-sm wrap-anywhere text-paper/90">{t('shell.licence', { number: localizeDigits(lang, shop.licence) })}</p>
          ) : null}
          <HelpLines />
          <div className="mt-4">
            <PaymentMarks />
          </div>
          <SignedIn />
        </div>
        <nav aria-label={t('shell.shop')}>
          <p className="font-semibold">{t('shell.shop')}</p>
          <ul className="mt-1">
            {SECTIONS.map(({ href, key }) => (
              <li key={href}>
                <a href={href} className="inline-flex min-h-11 items-center underline-offset-4 hover:underline lg:min-h-9">
                  {t(key)}
                </a>
              </li>
            ))}
            {categories.map(({ href, label }) => (
              <li key={href}>
                <a href={href} className="inline-flex min-h-11 items-center underline-offset-4 hover:underline lg:min-h-9">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label={t('shell.shop-nav')}>
          <p className="font-semibold">{t('shell.policies')}</p>
          <ul className="mt-1">
            {[...ABOUT, ...HELP].map(({ href, key }) => (
              <li key={href}>
                <a href={href} className="inline-flex min-h-11 items-center underline-offset-4 hover:underline lg:min-h-9">
                  {t(key)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  )
}

/** The signed-in user, with sign-out. */
function SignedIn() {
  const { t } = useI18n()
  const { user, csrfToken } = usePageContext()
  if (!user) return null
  return (
    <form method="post" action="/logout" className="mt-2 flex flex-wrap items-center gap-x-4">
      <input type="hidden" name="_token" value={csrfToken} />
      <span className="text-paper/90">{t('shell.signed-in-as', { name: user.name })}</span>
      <button type="submit" className="min-h-11 font-semibold underline underline-offset-4">
        {t('shell.logout')}
      </button>
    </form>
  )
}

/** Contacts, on every page. */
function HelpLines() {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1">
      {shop.phone ? (
        <a
          href={callLink(shop.phone)}
          className="inline-flex min-h-11 items-center gap-2 font-semibold underline decoration-tag decoration-2 underline-offset-4"
        >
          <PhoneIcon size={18} />
          <span className="tabular-nums">{localizeDigits(lang, shop.phone)}</span>
        </a>
      ) : null}
      {shop.whatsapp ? (
        <a href={whatsappLink(shop.whatsapp)} rel="noreferrer" className="inline-flex min-h-11 items-center underline underline-offset-4">
          {t('shell.whatsapp')}
        </a>
      ) : null}
      {shop.email ? (
        <a href={`mailto:${shop.email}`} className="inline-flex min-h-11 items-center underline underline-offset-4">
          {shop.email}
        </a>
      ) : null}
      {shop.hours ? <span className="text-paper/90">{shop.hours}</span> : null}
    </div>
  )
}
