import './store.css'
import { Alpona } from '#components/alpona.tsx'
import { ButtonLink } from '#components/button.tsx'
import { LanguageSwitch } from '#components/language-switch.tsx'
import { ShopBrand } from '#components/logo.tsx'
import { callLink, whatsappLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'

export interface Props {
  /** The day on which the shop opens; empty: not known yet. */
  opensOn: string
}

/** What visitors see until the owner opens the shop: name, day, phone. It has no links into the shop. */
export function Page({ opensOn }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center gap-2 border-b border-line bg-milk px-4 py-2">
        <ShopBrand nameClass="pt-1 text-2xl leading-none font-semibold text-leaf-800" />
        <span className="me-auto" />
        <LanguageSwitch />
      </header>
      <main id="content" className="relative mx-auto grid max-w-xl grow place-items-center overflow-hidden px-4 py-12 text-center">
        <Alpona className="absolute size-80 max-w-full text-leaf-600/15" />
        <div className="relative">
          <span className="ear-tag -rotate-6 px-4 py-2 text-2xl">{t('closed.tag')}</span>
          <h1 className="mt-6 text-3xl wrap-anywhere">
            {opensOn ? t('closed.title-day', { day: formatFullDay(opensOn, lang) }) : t('closed.title', { shop: shop.name })}
          </h1>
          <p className="mt-2">{shop.motto}</p>
          <p className="mt-4">{t(shop.phone ? 'closed.text-phone' : 'closed.text')}</p>
          {shop.phone ? (
            <div className="mt-5 flex flex-wrap justify-center gap-2">
              <ButtonLink href={callLink(shop.phone)}>{t('closed.call', { phone: localizeDigits(lang, shop.phone) })}</ButtonLink>
              {shop.whatsapp ? (
                <ButtonLink kind="secondary" href={whatsappLink(shop.whatsapp)}>
                  {t('shell.whatsapp')}
                </ButtonLink>
              ) : null}
            </div>
          ) : null}
          {shop.address ? <address className="mt-5 text-sm text-stone not-italic">{shop.address}</address> : null}
        </div>
      </main>
      <footer className="px-4 py-4 text-center text-sm text-stone">
        <a href="/login" className="inline-flex min-h-11 items-center underline underline-offset-4">
          {t('closed.login')}
        </a>
      </footer>
    </div>
  )
}
