// Limits of reports and the dashboard, for the server and its pages.

/** The first day of a period in reports. */
export const FIRST_DAY = '2000-01-01'
/** Counts of the dashboard stop here: the page shows "999+". */
export const MAX_TASK_COUNT = 999
