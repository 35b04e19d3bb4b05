import { type RefObject, useEffect, useRef, useState } from 'react'
import { acceptCode, type LastScan } from '#features/pos/camera-rules.ts'

export type CameraProblem = 'denied' | 'none' | 'busy' | 'reader'

const BETWEEN_PICTURES = 80
const PROBLEM_OF: Record<string, CameraProblem> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
}
const BACK = { video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } } }

type Torch = { torch?: boolean }

/** Shows the back camera in the video and reports each code once. Stops when it unmounts or the page is left. */
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
      opened(opened) {
        track.current = opened
        if ((opened.getCapabilities?.() as Torch | undefined)?.torch) setLight({ isOn: false })
      },
      ready: () => setReady(true),
      found: (code) => latest.current.onCode(code),
    }).then((result) => !signal.aborted && result && setProblem(result))
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

interface CameraCallbacks {
  opened(track: MediaStreamTrack): void
  ready(): void
  found(code: string): void
}

/** Reads codes until aborted; resolves to the problem that prevents it, or null. */
async function watch(
  box: RefObject<HTMLVideoElement | null>,
  signal: AbortSignal,
  callbacks: CameraCallbacks,
): Promise<CameraProblem | null> {
  const loading = import('./barcode-reader.ts').then(({ barcodeReader }) => barcodeReader()).catch(() => null)
  const stream = await navigator.mediaDevices.getUserMedia(BACK).catch((error: unknown) => PROBLEM_OF[(error as Error).name] ?? 'busy')
  if (typeof stream === 'string') return stream
  const release = () => stream.getTracks().forEach((track) => track.stop())
  signal.addEventListener('abort', release)
  const video = box.current
  const [track] = stream.getVideoTracks()
  if (signal.aborted || !video || !track) return (release(), null)
  callbacks.opened(track)
  // Unplugged, or taken by a call or another program: the picture stands still from now on.
  let hasEnded = false
  track.addEventListener('ended', () => (hasEnded = true))
  video.srcObject = stream
  await video.play().catch(() => undefined)
  const read = await loading
  if (!read) return (release(), 'reader')
  callbacks.ready()
  let last: LastScan | null = null
  while (!signal.aborted) {
    const codes = await read(video).catch(() => [])
    if (hasEnded) return 'busy'
    if (signal.aborted) break
    const next = acceptCode(last, codes, performance.now())
    last = next.last
    if (next.accepted !== null) callbacks.found(next.accepted)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_PICTURES))
  }
  return null
}
