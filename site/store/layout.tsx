import './store.css'
import { type ReactNode, useEffect } from 'react'
import { TagMark } from '#components/logo.tsx'
import { CowIcon, FruitIcon, HomeIcon, MoonIcon, PhoneIcon, SearchIcon, TruckIcon, UserIcon } from '#components/icons.tsx'
import { showToast, ToastRegion } from '#components/toast.tsx'
import { AddRefusalDialog } from '#features/cart/ui/add-refusal.tsx'
import { usePendingProducts } from '#features/cart/ui/use-add-to-cart.ts'
import { CartBadge } from '#features/cart/ui/cart-badge.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { WELCOME_COOKIE } from '#lib/http/welcome-cookie.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { clearPosCache } from '#site/pos/clear-pos-cache.ts'
import { LanguageSwitch } from './language-switch.tsx'

interface StoreLayoutProps {
  children: ReactNode
  /** The one action of the page, at the thumb: stands at the bottom of a phone in place of the sections. */
  bar?: ReactNode
}

/** What is around every page of the shop: header, footer, sections at the thumb, messages. */
export function StoreLayout({ children, bar }: StoreLayoutProps) {
  const { t } = useI18n()
  const { demo, announcement } = usePageContext()
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
      {demo || announcement ? (
        <aside aria-label={t('shell.notices')}>
          {demo ? <p className="bg-ink px-4 py-1 text-center text-xs text-paper">{t('shell.demo')}</p> : null}
          {announcement ? <p className="bg-tag-100 px-4 py-1.5 text-center text-sm text-ink">{announcement}</p> : null}
        </aside>
      ) : null}
      <Header />
      <main id="content" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      {/* Before the footer: the keyboard reaches the page's action right after its content. */}
      {bar ? (
        <section
          aria-label={t('shell.next')}
          className="sticky bottom-0 z-30 border-t border-line bg-milk/95 px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] backdrop-blur lg:hidden"
        >
          {bar}
        </section>
      ) : null}
      <Footer />
      {bar ? null : <PhoneSections />}
      <AddRefusalDialog />
      <ToastRegion closeLabel={t('shell.close')} />
    </div>
  )
}

/** Says once, on the page that a login leads to, that it worked. */
function useWelcome(): void {
  const { t } = useI18n()
  const name = usePageContext().user?.name
  useEffect(() => {
    if (name === undefined || !document.cookie.split('; ').includes(`${WELCOME_COOKIE}=1`)) return
    document.cookie = `${WELCOME_COOKIE}=; path=/; max-age=0`
    showToast(t('shell.signed-in-as', { name }))
  }, [name, t])
}

const SECTIONS = [
  { href: '/', key: 'shell.home', Icon: HomeIcon },
  { href: '/beef', key: 'shell.beef', Icon: CowIcon },
  { href: '/kurbani', key: 'shell.kurbani', Icon: MoonIcon },
  { href: '/fruits', key: 'shell.fruits', Icon: FruitIcon },
] as const

function useSection(): string {
  return usePageContext().path.split('?')[0] ?? '/'
}

function Header() {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const here = useSection()
  return (
    <header className="z-20 border-b border-line bg-milk lg:sticky lg:top-0">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-2 gap-y-2 px-4 py-2 sm:flex-nowrap lg:gap-x-6 lg:py-3">
        <a
          href="/"
          className="-my-1 -ms-1 flex min-h-11 items-center gap-2 rounded-card px-1 text-xl leading-none min-[22rem]:text-2xl font-semibold text-leaf-800"
        >
          <TagMark />
          <span className="pt-1">{shop.name}</span>
        </a>
        <nav aria-label={t('shell.main-nav')} className="hidden gap-1 lg:flex">
          {SECTIONS.map(({ href, key }) => (
            <a
              key={href}
              href={href}
              aria-current={here === href ? 'page' : undefined}
              className="rounded-card px-3 py-2 font-semibold whitespace-nowrap hover:bg-leaf-100 aria-[current]:text-leaf-600 aria-[current]:underline aria-[current]:decoration-tag aria-[current]:decoration-[3px] aria-[current]:underline-offset-8"
            >
              {t(key)}
            </a>
          ))}
        </nav>
        <SearchBox />
        <div className="ms-auto flex items-center gap-1 sm:ms-0">
          <a
            href="/track"
            aria-current={here === '/track' ? 'page' : undefined}
            title={t('shell.track')}
            className="hidden size-11 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 lg:grid"
          >
            <TruckIcon size={23} />
            <span className="sr-only">{t('shell.track')}</span>
          </a>
          <LanguageSwitch />
          <AccountLink />
          <a
            href="/cart"
            aria-current={here === '/cart' ? 'page' : undefined}
            className="grid size-11 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100"
            data-lang={lang}
          >
            <span className="sr-only">{t('shell.cart')}</span>
            <CartBadge />
          </a>
        </div>
      </div>
    </header>
  )
}

function SearchBox() {
  const { t } = useI18n()
  const { path } = usePageContext()
  const asked = path.startsWith('/search') ? (new URLSearchParams(path.split('?')[1]).get('q') ?? '') : ''
  return (
    <form
      action="/search"
      method="get"
      role="search"
      noValidate
      className="order-last flex w-full sm:order-none sm:w-auto sm:grow sm:basis-56"
    >
      <label htmlFor="search-box" className="sr-only">
        {t('shell.search-label')}
      </label>
      <input
        id="search-box"
        type="search"
        name="q"
        required
        minLength={2}
        maxLength={100}
        defaultValue={asked}
        placeholder={t('shell.search-hint')}
        enterKeyHint="search"
        autoComplete="off"
        className="min-h-11 min-w-0 grow rounded-s-card border border-e-0 border-stone/55 bg-white px-3.5 placeholder:text-stone"
      />
      <button
        type="submit"
        aria-label={t('shell.search')}
        className="grid w-12 shrink-0 place-items-center rounded-e-card bg-leaf-600 text-white hover:bg-leaf-700"
      >
        <SearchIcon />
      </button>
    </form>
  )
}

/** PageRenderer that a login leads back to. The pages of logging in are none, and the home page is where it leads anyway. */
const isReturnable = (path: string) => path !== '/' && !/^\/(login|register|code|forgot-password|logout)(?:[/?#]|$)/.test(path)

function AccountLink() {
  const { t } = useI18n()
  const { user } = usePageContext()
  const { path } = usePageContext()
  const login = isReturnable(path) ? `/login?next=${encodeURIComponent(path)}` : '/login'
  const href = !user ? login : user.role === 'customer' ? '/account' : '/admin'
  const label = !user ? t('shell.login') : user.role === 'customer' ? t('shell.account') : t('shell.admin')
  return (
    <a
      href={href}
      className="flex h-11 min-w-11 items-center justify-center gap-1.5 rounded-card px-2 text-leaf-800 hover:bg-leaf-100"
      title={user ? t('shell.signed-in-as', { name: user.name }) : undefined}
    >
      <UserIcon size={23} />
      <span className="font-semibold max-xl:sr-only">{label}</span>
    </a>
  )
}

function PhoneSections() {
  const { t } = useI18n()
  const here = useSection()
  const link =
    'flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-card text-xs leading-tight font-semibold text-stone aria-[current]:text-leaf-600'
  return (
    <nav
      aria-label={t('shell.phone-nav')}
      className="sticky bottom-0 z-30 border-t border-line bg-milk/95 pb-[env(safe-area-inset-bottom)] backdrop-blur lg:hidden"
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

const HELP = [
  { href: '/track', key: 'shell.track' },
  { href: '/terms-condition', key: 'shell.terms' },
  { href: '/privacy-policy', key: 'shell.privacy' },
  { href: '/return-refund', key: 'shell.returns' },
  { href: '/shipping-info', key: 'shell.shipping' },
] as const

function Footer() {
  const { t } = useI18n()
  const { shop } = usePageContext()
  return (
    <footer className="shown-when-near mt-12 bg-leaf-800 text-paper [contain-intrinsic-block-size:auto_640px]">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:grid-cols-2 lg:grid-cols-[1.6fr_1fr_1fr]">
        <div>
          <p className="flex items-center gap-2 text-xl font-semibold">
            <TagMark size={30} />
            {shop.name}
          </p>
          {shop.motto ? <p className="mt-2 max-w-[40ch] text-paper/90">{shop.motto}</p> : null}
          {shop.address ? <p className="mt-2 text-paper/90">{shop.address}</p> : null}
          <HelpLines />
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
          </ul>
        </nav>
        <nav aria-label={t('shell.paper-nav')}>
          <p className="font-semibold">{t('shell.papers')}</p>
          <ul className="mt-1">
            {HELP.map(({ href, key }) => (
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

/** Who is signed in, and the way out. */
function SignedIn() {
  const { t } = useI18n()
  const { user, csrfToken } = usePageContext()
  if (!user) return null
  return (
    <form method="post" action="/logout" onSubmit={clearPosCache} className="mt-2 flex flex-wrap items-center gap-x-4">
      <input type="hidden" name="_token" value={csrfToken} />
      <span className="text-paper/90">{t('shell.signed-in-as', { name: user.name })}</span>
      <button type="submit" className="min-h-11 font-semibold underline underline-offset-4">
        {t('shell.logout')}
      </button>
    </form>
  )
}

/** Help stands in the same place on every page. */
function HelpLines() {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1">
      {shop.phone ? (
        <a
          href={`tel:+88${shop.phone}`}
          className="inline-flex min-h-11 items-center gap-2 font-semibold underline decoration-tag decoration-2 underline-offset-4"
        >
          <PhoneIcon size={18} />
          <span className="figures">{localizeDigits(lang, shop.phone)}</span>
        </a>
      ) : null}
      {shop.whatsapp ? (
        <a
          href={`https://wa.me/88${shop.whatsapp}`}
          rel="noreferrer"
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
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
