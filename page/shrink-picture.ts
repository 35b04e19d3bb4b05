/** The largest width that is stored, and some more for cutting. */
const MAX_SIDE = 2400
const SMALL_BYTES = 700 * 1024

/**
 * Shrinks a photograph before the upload, which also removes its location and date. A file that the browser cannot read or shrink is
 * returned unchanged; the server checks it.
 */
export async function shrinkPicture(file: File): Promise<Blob> {
  if (file.size <= SMALL_BYTES || !['image/jpeg', 'image/png', 'image/webp'].includes(file.type)) return file
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    // A see-through PNG would turn black as a JPEG.
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp', 0.88),
    )
    return blob && blob.size < file.size ? blob : file
  } catch {
    return file
  }
}
