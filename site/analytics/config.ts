import type { Settings } from '#features/settings/settings.ts'

export interface AnalyticsConfig {
  pixel_id: string
  ga4_id: string
  /** The server reports purchases to Meta too. */
  serverReports: boolean
}

/** The pages that may be measured. Invoices, accounts and forms with personal data never are: their addresses hold secrets. */
const MEASURED = /^store\/(home\/|listing\/|kurbani\/|product\/product$|product\/animal$|checkout\/checkout$|order\/confirmed$)/

/** One request for a page. `path`: with its query. */
interface Visit {
  page: string
  path: string
  /** Staff open orders of others: their visits are not those of buyers. */
  isStaff: boolean
}

/** The ids to measure a page with; null when the shop does not measure, the page or its address is private, or the visitor is staff. */
export function analyticsOf(
  settings: Pick<Settings, 'analytics'>,
  { page, path, isStaff }: Visit,
  hasConversions: boolean,
): AnalyticsConfig | null {
  const { pixel_id, ga4_id } = settings.analytics
  if (isStaff || (pixel_id === '' && ga4_id === '')) return null
  // The key of a signed link would reach the measuring companies with the address.
  return MEASURED.test(page) && !/[?&]key=/.test(path) ? { pixel_id, ga4_id, serverReports: hasConversions && pixel_id !== '' } : null
}
