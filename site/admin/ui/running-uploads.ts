/** The uploads of the page that have not ended; each resolves to whether its file arrived. */
const running = new Set<Promise<boolean>>()

export function trackUpload(upload: Promise<boolean>): void {
  running.add(upload)
  void upload.finally(() => running.delete(upload))
}

export const hasRunningUploads = (): boolean => running.size > 0

/** Waits until no upload runs. False when one of those that ran has failed. */
export async function finishUploads(): Promise<boolean> {
  let isComplete = true
  while (running.size > 0) isComplete = (await Promise.all(running)).every(Boolean) && isComplete
  return isComplete
}
