import type { ReaderOptions } from 'zxing-wasm/reader'

/** Reads the codes in the current camera picture. */
export type ReadCodes = (video: HTMLVideoElement) => Promise<string[]>

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
declare global {
  interface Window {
    /** Chrome on Android and macOS. */
    BarcodeDetector?: { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> }
  }
}

/** Formats of product barcodes, by the browser's and by the library's names. */
const NATIVE = ['ean_13', 'ean_8', 'upc_a', 'code_128', 'code_39', 'itf']
const LIBRARY: ReaderOptions['formats'] = ['EAN13', 'EAN8', 'UPCA', 'Code128', 'Code39', 'ITF']
const MAX_WIDTH = 1280

/** The browser's own reader where it supports product barcodes, else a reader loaded from the server. Throws when loading fails. */
export async function barcodeReader(): Promise<ReadCodes> {
  return (await nativeReader()) ?? libraryReader()
}

async function nativeReader(): Promise<ReadCodes | null> {
  const formats = await window.BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
  if (!window.BarcodeDetector || !formats || !['ean_13', 'code_128'].every((one) => formats.includes(one))) return null
  const detector = new window.BarcodeDetector({ formats: NATIVE.filter((one) => formats.includes(one)) })
  return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue)
}

async function libraryReader(): Promise<ReadCodes> {
  const [{ prepareZXingModule, readBarcodes }, { default: address }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  await prepareZXingModule({ overrides: { locateFile: () => address }, fireImmediately: true })
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  return async (video) => {
    const scale = Math.min(1, MAX_WIDTH / video.videoWidth)
    const [width, height] = [video.videoWidth, video.videoHeight].map((side) => Math.round(side * scale))
    if (!width || !height) return []
    Object.assign(context.canvas, { width, height })
    context.drawImage(video, 0, 0, width, height)
    const found = await readBarcodes(context.getImageData(0, 0, width, height), { formats: LIBRARY, maxNumberOfSymbols: 2 })
    return found.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
