import { LeftIcon, PhoneIcon } from '#components/icons.tsx'
import { LanguageSwitch } from '#components/language-switch.tsx'
import { ShopBrand } from '#components/logo.tsx'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'

const LINK = 'flex min-h-11 items-center gap-1.5 rounded-card px-1 font-semibold text-leaf-800 underline-offset-4 hover:underline'

/** The header of the checkout: nothing that leads away but the way back, and the phone for help. */
export function CheckoutHeader() {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <header className="border-b border-line bg-milk">
      <div className="mx-auto flex min-h-14 max-w-6xl flex-wrap items-center gap-x-3 px-4">
        <a href="/" aria-label={shop.name} className={`${LINK} text-xl`}>
          <ShopBrand nameClass="pt-1 max-sm:hidden" />
        </a>
        <a href="/" className={`${LINK} way-back`}>
          <LeftIcon size={18} />
          {t('cart.back-to-shop')}
        </a>
        {shop.phone ? (
          <a
            href={callLink(shop.phone)}
            aria-label={`${t('cart.help')}: ${localizeDigits(lang, shop.phone)}`}
            className={`${LINK} ms-auto`}
          >
            <PhoneIcon size={20} />
            <span className="tabular-nums max-sm:hidden">{localizeDigits(lang, shop.phone)}</span>
          </a>
        ) : null}
        <div className={shop.phone ? '' : 'ms-auto'}>
          <LanguageSwitch />
        </div>
      </div>
    </header>
  )
}
