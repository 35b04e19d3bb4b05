// Names of what the POS stores and shares in a browser. They keep the word that earlier releases have for the POS: under another name the unsent
// sales of a device, its half-typed sale and its offline page would not be found, and two tabs of different releases would send a sale at the
// same time. The service worker imports nothing: server/page/assets.ts gives it these names.

/** IndexedDB: the catalog and the outbox with the unsent sales. */
export const POS_DATABASE = 'khamar-till'
/** Cache of the POS page of one cashier. */
export const PAGE_CACHE = 'khamar-till-page'
/** Begins the names of the caches of scripts and styles, one for each build. */
export const FILES_CACHE_PREFIX = 'khamar-till-files-'
/** localStorage: the user whose page `PAGE_CACHE` has. */
export const PAGE_OWNER_KEY = 'khamar.till.owner'
/** sessionStorage: the sale of a tab, and its cashier. */
export const SALE_KEY = 'khamar.till'
export const SALE_CASHIER_KEY = 'khamar.till.cashier'
/** Web Lock: one tab, or the service worker, sends the outbox. */
export const SEND_LOCK = 'khamar-till-send'
/** Web Lock and BroadcastChannel: one tab loads the catalog, and tells the others. */
export const CATALOG_LOCK = 'khamar-till-catalog'
/** BroadcastChannel: the outbox has changed. */
export const OUTBOX_CHANNEL = 'khamar-till-outbox'
/** BroadcastChannel: a shift was opened or closed. */
export const SHIFT_CHANNEL = 'khamar-till-shift'
/** Background sync: the network is back. */
export const SYNC_TAG = 'khamar-unsent-sales'
/** Cache with a path for each sale that was taken back and could not be deleted. */
export const WITHDRAWN_CACHE = 'khamar-withdrawn-sales'

/** The names that the service worker uses. */
export const WORKER_NAMES = {
  database: POS_DATABASE,
  pageCache: PAGE_CACHE,
  filesPrefix: FILES_CACHE_PREFIX,
  sendLock: SEND_LOCK,
  outboxChannel: OUTBOX_CHANNEL,
  syncTag: SYNC_TAG,
  withdrawnCache: WITHDRAWN_CACHE,
}
