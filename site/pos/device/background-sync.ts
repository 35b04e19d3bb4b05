interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> }
}

/** The tag that site/pos/worker/pos-worker.ts listens for. */
const TAG = 'khamar-unsent-sales'

/** Lets the service worker send unsent sales when the network returns, also after the POS was closed. Does nothing where unsupported. */
export function registerBackgroundSync(): void {
  void navigator.serviceWorker?.ready.then((registration: SyncRegistration) => registration.sync?.register(TAG)).catch(() => {})
}
