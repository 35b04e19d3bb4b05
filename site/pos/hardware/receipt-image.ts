/**
 * Dots of a picture on a printer that only prints black: Floyd–Steinberg dithering, so that the colours of a logo become shades. Changes
 * the RGBA bytes of a canvas; transparent dots become white.
 */
export function dither(rgba: Uint8ClampedArray, width: number, height: number): void {
  const grey = new Float32Array(width * height)
  for (let i = 0; i < grey.length; i++) {
    const [r, g, b, alpha] = [rgba[i * 4]!, rgba[i * 4 + 1]!, rgba[i * 4 + 2]!, rgba[i * 4 + 3]!]
    grey[i] = 255 - (255 - (0.299 * r + 0.587 * g + 0.114 * b)) * (alpha / 255)
  }
  const spread = (x: number, y: number, error: number) => {
    if (x >= 0 && x < width && y < height) grey[y * width + x]! += error
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const dot = grey[i]! < 128 ? 0 : 255
      const error = grey[i]! - dot
      spread(x + 1, y, (error * 7) / 16)
      spread(x - 1, y + 1, (error * 3) / 16)
      spread(x, y + 1, (error * 5) / 16)
      spread(x + 1, y + 1, error / 16)
      rgba[i * 4] = rgba[i * 4 + 1] = rgba[i * 4 + 2] = dot
      rgba[i * 4 + 3] = 255
    }
}
