// The English texts of the shop window alone, for pages that need no others; importing this module makes them known.
import { registerMessages } from '#lib/i18n.ts'
import { catalog } from './en/catalog.ts'
import { pages } from './en/pages.ts'
import { shell } from './en/shell.ts'

registerMessages('en', { ...catalog, ...pages, ...shell })
