// The uploads of the page that have not arrived. A form waits for those that run, and is not saved while a failed one is in its list.

interface Unfinished {
  done: Promise<boolean>
  hasFailed: boolean
}

const unfinished = new Map<number, Unfinished>()

/** `done` resolves to whether the file arrived. A key that is tracked again is another attempt. */
export function trackUpload(key: number, done: Promise<boolean>): void {
  const upload: Unfinished = { done, hasFailed: false }
  unfinished.set(key, upload)
  void done.then((hasArrived) => {
    upload.hasFailed = !hasArrived
    if (hasArrived && unfinished.get(key) === upload) unfinished.delete(key)
  })
}

/** The user has dismissed the upload, or its list is gone. */
export function removeUpload(key: number): void {
  unfinished.delete(key)
}

export const hasUnfinishedUploads = (): boolean => unfinished.size > 0

/** Waits until no upload runs. False when one of them has failed and is still in its list. */
export async function finishUploads(): Promise<boolean> {
  for (let running = pending(); running.length > 0; running = pending()) await Promise.all(running.map(({ done }) => done))
  return unfinished.size === 0
}

const pending = () => [...unfinished.values()].filter(({ hasFailed }) => !hasFailed)
