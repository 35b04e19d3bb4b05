import type { ReactNode } from 'react'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

const SECTIONS = [
  { href: '/account', key: 'account.orders' },
  { href: '/account/addresses', key: 'account.addresses' },
  { href: '/account/profile', key: 'account.profile' },
] as const

/** The frame of account pages: the account's name and its sections. */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  const { user, path } = usePageContext()
  const here = path.split('?')[0]
  return (
    <StoreLayout>
      <div className="mx-auto max-w-3xl px-4 pt-6">
        <h1 className="text-2xl sm:text-3xl">{t('account.title')}</h1>
        <p className="text-stone">{t('account.hello', { name: user?.name ?? '' })}</p>
        <nav aria-label={t('account.sections')} className="mt-4 border-b border-line">
          <ul className="-mb-px flex flex-wrap gap-1">
            {SECTIONS.map(({ href, key }) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={here === href ? 'page' : undefined}
                  className="inline-flex min-h-12 items-center border-b-[3px] border-transparent px-3 font-semibold text-stone hover:text-ink aria-[current]:border-tag aria-[current]:text-leaf-800"
                >
                  {t(key)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="mt-5">{children}</div>
      </div>
    </StoreLayout>
  )
}
