import type { ReaderOptions } from 'zxing-wasm/reader'

/** The codes in what the camera shows now. */
export type ReadCodes = (video: HTMLVideoElement) => Promise<string[]>

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
declare global {
  interface Window {
    /** Chrome on Android and macOS, Safari some day. */
    BarcodeDetector?: { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> }
  }
}

/** What stands on goods, by the browser's names and by the library's. */
const NATIVE = ['ean_13', 'ean_8', 'upc_a', 'code_128', 'code_39', 'itf']
const OWN: ReaderOptions['formats'] = ['EAN13', 'EAN8', 'UPCA', 'Code128', 'Code39', 'ITF']
const WIDEST = 1280

/** The browser's own reader where it reads what stands on goods, else one that is fetched from the shop now. Throws when it cannot be. */
export async function barcodeReader(): Promise<ReadCodes> {
  return (await nativeReader()) ?? ownReader()
}

async function nativeReader(): Promise<ReadCodes | null> {
  const formats = await window.BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (!window.BarcodeDetector || !formats || !['ean_13', 'code_128'].every((one) => formats.includes(one))) return null
  const detector = new window.BarcodeDetector({ formats: NATIVE.filter((one) => formats.includes(one)) })
  return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue)
}

async function ownReader(): Promise<ReadCodes> {
  const [{ prepareZXingModule, readBarcodes }, { default: address }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  await prepareZXingModule({ overrides: { locateFile: () => address }, fireImmediately: true })
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('no canvas')
  return async (video) => {
    const scale = Math.min(1, WIDEST / video.videoWidth)
    const [width, height] = [video.videoWidth, video.videoHeight].map((side) => Math.round(side * scale))
    if (!width || !height) return []
    Object.assign(pen.canvas, { width, height })
    pen.drawImage(video, 0, 0, width, height)
    const found = await readBarcodes(pen.getImageData(0, 0, width, height), { formats: OWN, maxNumberOfSymbols: 2 })
    return found.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
