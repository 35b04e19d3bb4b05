import './store.css'
import { type ReactNode, useEffect } from 'react'
import { showToast, ToastRegion } from '#components/toast.tsx'
import { AddErrorDialog } from '#features/cart/ui/add-refusal.tsx'
import { usePendingProducts } from '#features/cart/ui/use-add-to-cart.ts'
import { CartBadge } from '#features/cart/ui/cart-badge.tsx'
import { WELCOME_COOKIE } from '#lib/http/welcome-cookie.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { ServerOnly } from '#components/server-only.tsx'
import { clearPosCache } from '#features/pos/page-cache.ts'
import { Footer, SlimFooter } from './footer.static.tsx'
import { Header } from './header.tsx'
import { Notices } from './notices.static.tsx'
import { SECTIONS, useSection } from './sections.ts'

interface StoreLayoutProps {
  children: ReactNode
  /** The main action of the page: on phones it is fixed at the bottom and replaces the sections. */
  bar?: ReactNode
  /** Replaces header, sections and tall footer where nothing should lead away. */
  header?: ReactNode
}

/** The frame of every storefront page: header, footer, phone navigation, messages. */
export function StoreLayout({ children, bar, header }: StoreLayoutProps) {
  const { t } = useI18n()
  usePendingProducts()
  useWelcome()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-card focus:bg-tag focus:px-4 focus:py-3 focus:font-semibold"
      >
        {t('shell.skip')}
      </a>
      {header ?? (
        <>
          <ServerOnly id="notices">{import.meta.env.SSR ? <Notices /> : null}</ServerOnly>
          <Header />
        </>
      )}
      <main id="content" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      {/* Before the footer: the keyboard reaches the page's action right after its content. */}
      {bar ? (
        <section
          aria-label={t('shell.next')}
          className="sticky bottom-0 z-30 border-t border-line bg-milk px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] lg:hidden"
        >
          {bar}
        </section>
      ) : null}
      <ServerOnly id="footer" onSubmit={clearPosCache}>
        {import.meta.env.SSR ? header ? <SlimFooter /> : <Footer /> : null}
      </ServerOnly>
      {bar || header ? null : <PhoneSections />}
      <AddErrorDialog />
      <ToastRegion closeLabel={t('shell.close')} />
    </div>
  )
}

/** Shows a message once, on the first page after signing in. */
function useWelcome(): void {
  const { t } = useI18n()
  const name = usePageContext().user?.name
  useEffect(() => {
    if (name === undefined || !document.cookie.split('; ').includes(`${WELCOME_COOKIE}=1`)) return
    document.cookie = `${WELCOME_COOKIE}=; path=/; max-age=0`
    showToast(t('shell.signed-in-as', { name }))
  }, [name, t])
}

/** The sections as a bar at the bottom of a phone. */
function PhoneSections() {
  const { t } = useI18n()
  const here = useSection()
  const link =
    'flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-card px-0.5 text-center text-xs leading-tight font-semibold wrap-anywhere text-stone aria-[current]:text-leaf-600'
  return (
    <nav
      aria-label={t('shell.phone-nav')}
      className="sticky bottom-0 z-30 border-t border-line bg-milk pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="mx-auto grid max-w-lg grid-cols-5">
        {SECTIONS.map(({ href, key, Icon }) => (
          <li key={href}>
            <a href={href} aria-current={here === href ? 'page' : undefined} className={link}>
              <Icon size={24} />
              {t(key)}
            </a>
          </li>
        ))}
        <li>
          <a href="/cart" aria-current={here === '/cart' ? 'page' : undefined} className={link}>
            <CartBadge />
            {t('shell.cart')}
          </a>
        </li>
      </ul>
    </nav>
  )
}
