import { SYNC_TAG } from '#features/pos/storage-names.ts'

interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> }
}

/** Lets the service worker send unsent sales when the network returns, also after the POS was closed. Does nothing where unsupported. */
export function registerBackgroundSync(): void {
  void navigator.serviceWorker?.ready.then((registration: SyncRegistration) => registration.sync?.register(SYNC_TAG)).catch(() => {})
}
