import { showToast } from '#components/toast.tsx'

/** Opens the device's own list of apps for the link of a `data-share` button. Copies the link where there is no such list. */
export async function shareProduct({ share: url, title, copied, failed }: DOMStringMap): Promise<void> {
  const data = { title, url }
  try {
    if (navigator.canShare?.(data)) return await navigator.share(data)
  } catch (error) {
    // The list was closed: nothing is to be done.
    if ((error as Error).name === 'AbortError') return
  }
  try {
    await navigator.clipboard.writeText(url ?? '')
    showToast(copied ?? '')
  } catch {
    showToast(failed ?? '', { kind: 'error', milliseconds: 12_000 })
  }
}
