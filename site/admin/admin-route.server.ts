import type { Permission, StaffActor, StaffRole } from '#features/auth/permissions.ts'
import type { CsvFile } from '#lib/csv/csv.server.ts'
import type { NoPage, PageContext, PageData } from '../page-route.server.ts'
import type { PageName, PageProps } from '../pages.ts'

/** Input of an admin page's loader. The permission was checked before, so a staff member is always signed in. */
export interface AdminContext extends PageContext {
  staff: StaffActor & { name: string; role: StaffRole }
  /** Shares one read between concurrent requests. The name is the cache key. */
  shared<T>(name: string, read: () => Promise<T>): Promise<T>
}

/** A loader of the admin may also answer a file for a spreadsheet program. */
export type AdminLoaded<Props extends object> = PageData<Props> | NoPage | { csv: CsvFile }

/** One URL of the admin. */
interface AdminPageRoute<Name extends PageName> {
  /** Begins with /admin. */
  url: string
  /** Its component below site/ (`admin/areas/areas`, without `.page.tsx`). */
  page: Name
  /** The permission to open the page; one of several is enough. */
  permission: Permission | readonly Permission[]
  /** The list's name for saved filters: they come along as the prop `savedFilters`. */
  screen?: string
  /** The page may be a second old: its loader reads from a replica, if there is one. Never for stock, payments or forms. */
  readsReplica?: boolean
  load(context: AdminContext): Promise<AdminLoaded<Omit<PageProps<Name>, 'savedFilters'>>>
}

export type AdminRoute = { [Name in PageName]: AdminPageRoute<Name> }[PageName]
