import { PhoneIcon } from '#components/icons.tsx'
import { Picture } from '#components/picture.tsx'
import { PlainText } from '#components/plain-text.tsx'
import type { Picture as StoredPicture } from '#lib/files/picture.ts'
import { callLink, whatsappLink } from '#lib/format/contact-links.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'

export interface AboutProps {
  /** The owner's text; null when none is written. */
  text: { title: string; body: string } | null
  /** The number of the trade licence; empty for none. */
  licence: string
  certificates: { text: string; pictures: StoredPicture[] }
}

export interface ContactProps {
  text: { title: string; body: string } | null
  /** A page of a map; empty for none. */
  mapUrl: string
}

const LINK = 'inline-flex min-h-11 items-center gap-2 font-semibold text-leaf-800 underline underline-offset-4'

/** About the shop: its text, trade licence and certificates. */
export function About({ text, licence, certificates }: AboutProps) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const hasCertificates = licence !== '' || certificates.text !== '' || certificates.pictures.length > 0
  return (
    <article className="mx-auto max-w-3xl px-4 pt-8">
      <h1 className="text-3xl">{text?.title ?? t('about.title', { shop: shop.name })}</h1>
      {text ? <PlainText text={text.body} className="mt-6" /> : shop.motto ? <p className="mt-4">{shop.motto}</p> : null}
      {hasCertificates ? (
        <section aria-labelledby="certificates" className="mt-8">
          <h2 id="certificates" className="text-xl">
            {t('about.certificates')}
          </h2>
          {licence ? <p className="mt-2 wrap-anywhere">{t('shell.licence', { number: localizeDigits(lang, licence) })}</p> : null}
          {certificates.text ? <PlainText text={certificates.text} className="mt-2" /> : null}
          <ul className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-3">
            {certificates.pictures.map((picture, index) => (
              <li key={picture.token} className="aspect-3/4 overflow-hidden rounded-card border border-line bg-white">
                <a href={`/uploads/${picture.token}-${picture.widths.at(-1)}.webp`} target="_blank" rel="noopener" className="block h-full">
                  <Picture
                    picture={picture}
                    alt={t('about.certificate', { number: formatNumber(index + 1, lang) })}
                    sizes="(min-width: 40rem) 15rem, 50vw"
                    className="object-contain"
                  />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <Contacts className="mt-8" />
      <p className="mt-2">
        <a href="/contact" className={LINK}>
          {t('shell.contact')}
        </a>
      </p>
    </article>
  )
}

/** How to reach the shop: address, phone, WhatsApp, email, hours, a link to a map. */
export function Contact({ text, mapUrl }: ContactProps) {
  const { t } = useI18n()
  return (
    <article className="mx-auto max-w-3xl px-4 pt-8">
      <h1 className="text-3xl">{text?.title ?? t('shell.contact')}</h1>
      <Contacts className="mt-5" mapUrl={mapUrl} />
      {text ? <PlainText text={text.body} className="mt-6" /> : null}
      <p className="mt-4">
        <a href="/track" className={LINK}>
          {t('shell.track')}
        </a>
      </p>
    </article>
  )
}

function Contacts({ className, mapUrl = '' }: { className: string; mapUrl?: string }) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const rows = [
    {
      name: t('about.phone'),
      value: shop.phone ? (
        <a href={callLink(shop.phone)} className={LINK}>
          <PhoneIcon size={18} />
          <span className="tabular-nums">{localizeDigits(lang, shop.phone)}</span>
        </a>
      ) : null,
    },
    {
      name: t('shell.whatsapp'),
      value: shop.whatsapp ? (
        <a href={whatsappLink(shop.whatsapp)} rel="noreferrer" className={LINK}>
          <span className="tabular-nums">{localizeDigits(lang, shop.whatsapp)}</span>
        </a>
      ) : null,
    },
    {
      name: t('about.email'),
      value: shop.email ? (
        <a href={`mailto:${shop.email}`} className={`${LINK} wrap-anywhere`}>
          {shop.email}
        </a>
      ) : null,
    },
    { name: t('about.address'), value: shop.address || null },
    { name: t('about.hours'), value: shop.hours || null },
    {
      name: t('about.map'),
      value: mapUrl ? (
        <a href={mapUrl} target="_blank" rel="noopener noreferrer" className={LINK}>
          {t('about.open-map')}
        </a>
      ) : null,
    },
  ].filter(({ value }) => value !== null)
  if (rows.length === 0) return null
  return (
    <dl className={`border-t border-line ${className}`}>
      {rows.map(({ name, value }) => (
        <div key={name} className="grid items-center gap-x-6 border-b border-line py-2 sm:grid-cols-[10rem_1fr]">
          <dt className="text-stone">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
