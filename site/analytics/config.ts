import type { Settings } from '#features/settings/settings.ts'

export interface AnalyticsConfig {
  pixel_id: string
  ga4_id: string
  /** The server reports purchases to Meta too. */
  serverReports: boolean
}

/** The pages that may be measured. Invoices, accounts and forms with personal data never are: their addresses hold secrets. */
const MEASURED = /^store\/(home\/|listing\/|kurbani\/|product\/product$|product\/animal$|checkout\/checkout$|order\/confirmed$)/

/** The ids to measure a page with; null when the shop does not measure, or the page or its address is private. */
export function analyticsOf(
  settings: Pick<Settings, 'analytics'>,
  page: string,
  path: string,
  hasConversions: boolean,
): AnalyticsConfig | null {
  const { pixel_id, ga4_id } = settings.analytics
  if (pixel_id === '' && ga4_id === '') return null
  // The key of a signed link would reach the measuring companies with the address.
  return MEASURED.test(page) && !/[?&]key=/.test(path) ? { pixel_id, ga4_id, serverReports: hasConversions && pixel_id !== '' } : null
}
