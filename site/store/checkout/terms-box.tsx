import { useI18n } from '#page/page-context.tsx'

const POLICY_PAGES = [
  { href: '/terms-condition', key: 'terms.terms' },
  { href: '/privacy-policy', key: 'terms.privacy' },
  { href: '/return-refund', key: 'terms.returns' },
  { href: '/shipping-info', key: 'terms.shipping' },
] as const

/** Consent to the shop's four policies; each opens in a new tab beside the order. */
export function TermsBox({ agreed, onAgree }: { agreed: boolean; onAgree: (agreed: boolean) => void }) {
  const { t } = useI18n()
  return (
    <div className="flex items-start gap-3 rounded-card border border-line bg-milk p-4">
      <input
        id="terms"
        type="checkbox"
        // The links are outside the label: its sentence is the accessible name.
        aria-labelledby="terms-sentence"
        checked={agreed}
        onChange={(event) => onAgree(event.target.checked)}
        className="mt-1 size-5 shrink-0 accent-leaf-600"
      />
      <span id="terms-sentence">
        <label htmlFor="terms">{t('terms.agree')}</label>{' '}
        {POLICY_PAGES.map(({ href, key }, index) => (
          <span key={href}>
            {index === 0 ? '' : index === POLICY_PAGES.length - 1 ? ` ${t('terms.and')} ` : ', '}
            <a href={href} target="_blank" rel="noopener" className="font-semibold text-leaf-600 underline underline-offset-4">
              {t(key)}
            </a>
          </span>
        ))}
      </span>
    </div>
  )
}
