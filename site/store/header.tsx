import { type ReactNode, useState } from 'react'
import { MAX_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { CartBadge } from '#features/cart/ui/cart-badge.tsx'
import { SearchIcon, TruckIcon, UserIcon } from '#components/icons.tsx'
import { LanguageSwitch } from '#components/language-switch.tsx'
import { ShopBrand } from '#components/logo.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { SECTIONS, useSection } from './sections.ts'

/** As many as stand beside the sections and a search box of use. */
const HEADER_CATEGORIES = 1

/** Logo, sections, search, and links to tracking, language, account and cart. */
export function Header() {
  const { t } = useI18n()
  const { categories } = usePageContext()
  const here = useSection()
  return (
    <header className="z-20 border-b border-line bg-milk lg:sticky lg:top-0">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-2 px-4 pb-1.5 sm:flex-nowrap sm:py-2 lg:gap-x-4 lg:py-3">
        <a
          href="/"
          className="-ms-1 flex min-h-11 min-w-0 head-brand items-center gap-2 rounded-card px-1 text-xl leading-none min-[22rem]:text-2xl font-semibold text-leaf-800 sm:flex-none"
        >
          <ShopBrand nameClass="line-clamp-2 pt-1" />
        </a>
        <nav aria-label={t('shell.main-nav')} className="hidden gap-1 lg:flex">
          {[
            ...SECTIONS.map(({ href, key }) => ({ href, label: t(key), look: '' })),
            ...categories.slice(0, HEADER_CATEGORIES).map((category) => ({ ...category, look: 'max-xl:hidden' })),
          ].map(({ href, label, look }) => (
            <a
              key={href}
              href={href}
              aria-current={here === href ? 'page' : undefined}
              className={`${look} rounded-card px-2 py-2 font-semibold whitespace-nowrap hover:bg-leaf-100 aria-[current]:text-leaf-600 aria-[current]:underline aria-[current]:decoration-tag aria-[current]:decoration-[3px] aria-[current]:underline-offset-8`}
            >
              {label}
            </a>
          ))}
        </nav>
        <SearchBox />
        <div className="ms-auto flex flex-wrap items-center gap-[4px] sm:ms-0">
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
  const [suggestions, setSuggestions] = useState<ReactNode>()
  // Without its code the box is a plain form.
  const load = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    void import('./search/suggestions.tsx').then(
      ({ Suggestions }) => setSuggestions(<Suggestions input={currentTarget} />),
      () => {},
    )
  const { path } = usePageContext()
  const query = path.startsWith('/search') ? (new URLSearchParams(path.split('?')[1]).get('q') ?? '') : ''
  return (
    <form
      action="/search"
      method="get"
      role="search"
      noValidate
      className="relative order-last flex w-full min-w-0 sm:order-none sm:w-auto sm:grow sm:basis-32"
    >
      <label htmlFor="search-box" className="sr-only">
        {t('shell.search-label')}
      </label>
      <input
        onFocus={load}
        // The box may have been focused before hydration.
        onInput={load}
        id="search-box"
        type="search"
        name="q"
        required
        minLength={2}
        maxLength={MAX_SEARCH_LENGTH}
        defaultValue={query}
        placeholder={t('shell.search-hint')}
        enterKeyHint="search"
        autoComplete="off"
        className="min-h-11 min-w-0 grow rounded-s-card border border-e-0 border-stone/80 bg-white px-3.5 placeholder:text-stone"
      />
      <button
        type="submit"
        aria-label={t('shell.search')}
        className="grid w-12 shrink-0 place-items-center rounded-e-card bg-leaf-600 text-white hover:bg-leaf-700"
      >
        <SearchIcon />
      </button>
      {suggestions}
    </form>
  )
}

/** Whether signing in returns to this page: not for sign-in pages, and the home page is the default. */
const isReturnable = (path: string) => path !== '/' && !/^\/(login|register|code|forgot-password|logout)(?:[/?#]|$)/.test(path)

function AccountLink() {
  const { t } = useI18n()
  const { user, path } = usePageContext()
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
      <span className="font-semibold whitespace-nowrap max-xl:sr-only">{label}</span>
    </a>
  )
}
