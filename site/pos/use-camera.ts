import { type RefObject, useEffect, useRef, useState } from 'react'
import { cameraTakes, type Sight } from '#features/pos/camera-rules.ts'

export type CameraProblem = 'insecure' | 'denied' | 'none' | 'busy' | 'reader'

const BETWEEN_PICTURES = 80
const PROBLEM_OF: Record<string, CameraProblem> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
}
const BACK = { video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } } }

type Torch = { torch?: boolean }

/** Shows the camera behind the phone in the video, and tells each code once; all is let go when it unmounts or the page is left. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onCode: (code: string) => void, onHidden: () => void) {
  const [problem, setProblem] = useState<CameraProblem | null>(null)
  const [isReady, setReady] = useState(false)
  const [light, setLight] = useState<{ isOn: boolean } | null>(null)
  const track = useRef<MediaStreamTrack>(undefined)
  const latest = useRef({ onCode, onHidden })
  useEffect(() => void (latest.current = { onCode, onHidden }))

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    void watch(video, signal, {
      opened(own) {
        track.current = own
        if ((own.getCapabilities?.() as Torch | undefined)?.torch) setLight({ isOn: false })
      },
      ready: () => setReady(true),
      saw: (code) => latest.current.onCode(code),
    }).then((found) => !signal.aborted && found && setProblem(found))
    document.addEventListener('visibilitychange', () => document.hidden && latest.current.onHidden(), { signal })
    return () => stop.abort()
  }, [video])

  async function turnLight() {
    const isOn = !light?.isOn
    await track.current?.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] }).catch(() => undefined)
    setLight({ isOn })
  }
  return { problem, isReady, light, turnLight }
}

interface ScanFeedback {
  opened(track: MediaStreamTrack): void
  ready(): void
  saw(code: string): void
}

/** Watches until it is stopped; the problem that keeps it from doing so. */
async function watch(box: RefObject<HTMLVideoElement | null>, signal: AbortSignal, told: ScanFeedback): Promise<CameraProblem | null> {
  // Only pages that came safely may see.
  if (!navigator.mediaDevices) return 'insecure'
  const loading = import('./barcode-reader.ts').then(({ barcodeReader }) => barcodeReader()).catch(() => null)
  const stream = await navigator.mediaDevices.getUserMedia(BACK).catch((error: unknown) => PROBLEM_OF[(error as Error).name] ?? 'busy')
  if (typeof stream === 'string') return stream
  const letGo = () => stream.getTracks().forEach((track) => track.stop())
  signal.addEventListener('abort', letGo)
  const video = box.current
  const [track] = stream.getVideoTracks()
  if (signal.aborted || !video || !track) return (letGo(), null)
  told.opened(track)
  video.srcObject = stream
  await video.play().catch(() => undefined)
  const read = await loading
  if (!read) return (letGo(), 'reader')
  told.ready()
  let sight: Sight | null = null
  while (!signal.aborted) {
    const codes = await read(video).catch(() => [])
    if (signal.aborted) break
    const next = cameraTakes(sight, codes, performance.now())
    sight = next.sight
    if (next.taken !== null) told.saw(next.taken)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_PICTURES))
  }
  return null
}
