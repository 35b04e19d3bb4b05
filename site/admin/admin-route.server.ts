import type { Permission, StaffRole } from '#features/auth/permissions.ts'
import type { CsvFile } from '#lib/csv/csv.server.ts'
import type { Loaded, PageContext } from '../page-route.server.ts'

/** What a loader of the admin is given: who asks stands behind the right, so there is always somebody. */
export interface AdminContext extends PageContext {
  staff: { id: number; name: string; role: StaffRole; ip: string; can(right: Permission): boolean }
  /** What others look at in the same moment too, read once for all; the name says all that it depends on. */
  together<T>(name: string, read: () => Promise<T>): Promise<T>
}

/** A loader of the admin may also answer a file for a spreadsheet program. */
export type AdminLoaded<Props extends object = object> = Loaded<Props> | { csv: CsvFile }

/** One address of the admin. */
export interface AdminRoute {
  /** Begins with /admin. */
  url: string
  /** Its component below site/ (`admin/areas/areas`, without `.page.tsx`). */
  page: string
  /** What it takes to see it; of several rights one is enough. */
  right: Permission | readonly Permission[]
  /** The list's name for saved filters: they come along as the prop `savedFilters`. */
  screen?: string
  load(context: AdminContext): Promise<AdminLoaded>
}
