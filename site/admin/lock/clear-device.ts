import { clearPosCache } from '#features/pos/page-cache.ts'

/** What a device gives up when its user logs out: the cached POS page, and the worker of the admin with its notifications (decision 64). */
export function clearDevice(): void {
  void clearPosCache()
  void navigator.serviceWorker?.getRegistration('/admin').then((found) => found?.scope.endsWith('/admin') && found.unregister())
}
