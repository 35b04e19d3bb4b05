// The Bengali texts of the shop window alone, for pages that need no others; importing this module makes them known.
import { registerMessages } from '#lib/i18n.ts'
import { catalog } from './bn/catalog.ts'
import { pages } from './bn/pages.ts'
import { shell } from './bn/shell.ts'

registerMessages('bn', { ...catalog, ...pages, ...shell })
