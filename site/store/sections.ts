import { CowIcon, FruitIcon, HomeIcon, MoonIcon } from '#components/icons.tsx'
import { usePageContext } from '#page/page-context.tsx'

/** The main sections of the storefront, in header, footer and phone navigation. */
export const SECTIONS = [
  { href: '/', key: 'shell.home', Icon: HomeIcon },
  { href: '/beef', key: 'shell.beef', Icon: CowIcon },
  { href: '/kurbani', key: 'shell.kurbani', Icon: MoonIcon },
  { href: '/fruits', key: 'shell.fruits', Icon: FruitIcon },
] as const

/** The path of the current page, to mark its section. */
export function useSection(): string {
  return usePageContext().path.split('?')[0] ?? '/'
}
