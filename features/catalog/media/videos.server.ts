// Uploaded videos: streamed to disk, checked, and stored without the metadata of the camera (location, owner).
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '#lib/db/db.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'

export const MAX_VIDEO_BYTES = 60 * 1024 * 1024

export type StoreVideoResult = { ok: true; url: string } | { ok: false; reason: 'not-a-video' | 'too-large' }

/** A stream with a flag that is set when it was cut at the size limit. */
export type LimitedStream = Readable & { truncated: boolean }

/**
 * Stores an MP4 as a row of `videos` and as `/uploads/{token}.mp4`. Throws when the stream fails. As of a picture, the row of a file that could
 * not be stored stays for `deleteOrphanedUploads`.
 */
export async function storeVideo(db: Db, uploads: Uploads, stream: LimitedStream): Promise<StoreVideoResult> {
  const token = randomBytes(16).toString('hex')
  const name = videoName(token)
  const draft = await uploads.draft(name)
  try {
    await pipeline(stream, createWriteStream(draft, { flags: 'wx' }))
    if (stream.truncated) return { ok: false, reason: 'too-large' }
    const bytes = await removeMetadata(draft)
    if (bytes === null) return { ok: false, reason: 'not-a-video' }
    await db.insertInto('videos').values({ token, bytes }).execute()
    await uploads.move(draft, name)
    return { ok: true, url: `/uploads/${name}` }
  } finally {
    await rm(draft, { force: true })
  }
}

/** The file name of a video. */
export function videoName(token: string): string {
  return `${token}.mp4`
}

/** MP4 brands that browsers play; `qt  ` (QuickTime) is not one. */
const BRANDS = new Set(['isom', 'iso2', 'iso3', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V ', 'MSNV', 'dash'])
const HEAD = 8
const LONG_HEAD = 16
/** Of a file, in all depths: a box within a box takes eight bytes, so that a small file may have millions, each within the one before. */
const MAX_BOXES = 10_000
/** In a `hdlr` box, after version, flags and a reserved field. */
const KIND_OFFSET = 8

interface Video {
  handle: FileHandle
  boxesRead: number
}

interface Box {
  type: string
  start: number
  /** The offset of its content. */
  inside: number
  end: number
}

/** Overwrites the metadata boxes of an MP4 and returns the size of the file; null when it is no MP4. */
async function removeMetadata(file: string): Promise<number | null> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const video = { handle, boxesRead: 0 }
    const boxes = await readBoxes(video, 0, size)
    const first = boxes?.[0]
    if (!boxes || first?.type !== 'ftyp' || !BRANDS.has(await readText(handle, first.inside, 4))) return null
    const movie = boxes.find((box) => box.type === 'moov')
    if (!movie || !boxes.some((box) => box.type === 'mdat' || box.type === 'moof')) return null
    const parts = (await readBoxes(video, movie.inside, movie.end)) ?? []
    if (!(await blankMetadata(video, [...boxes, ...parts]))) return null
    return (await hasPictures(video, parts)) ? size : null
  } finally {
    await handle.close()
  }
}

/** Overwrites `udta`, `meta` and `uuid` boxes with zeros and renames them to `free`, which players skip. */
async function blankMetadata(video: Video, boxes: Box[]): Promise<boolean> {
  for (const box of boxes) {
    if (box.type === 'trak') {
      const inner = await readBoxes(video, box.inside, box.end)
      if (!inner || !(await blankMetadata(video, inner))) return false
    }
    if (!['udta', 'meta', 'uuid'].includes(box.type)) continue
    if (box.end - box.inside > 4 * 1024 * 1024) return false
    await video.handle.write(Buffer.from('free'), 0, 4, box.start + 4)
    await video.handle.write(Buffer.alloc(box.end - box.inside), 0, box.end - box.inside, box.inside)
  }
  return true
}

/** Whether one of the tracks is of kind `vide`: a sound recording may be an MP4 too. */
async function hasPictures(video: Video, parts: Box[]): Promise<boolean> {
  for (const track of parts.filter(({ type }) => type === 'trak')) {
    const media = (await readBoxes(video, track.inside, track.end))?.find(({ type }) => type === 'mdia')
    const kind = media && (await readBoxes(video, media.inside, media.end))?.find(({ type }) => type === 'hdlr')
    if (kind && (await readText(video.handle, kind.inside + KIND_OFFSET, 4)) === 'vide') return true
  }
  return false
}

/** The boxes between two offsets; null when they do not fill the range exactly, or the file has too many. */
async function readBoxes(video: Video, from: number, to: number): Promise<Box[] | null> {
  const boxes: Box[] = []
  let at = from
  while (at < to) {
    video.boxesRead += 1
    if (at + HEAD > to || video.boxesRead > MAX_BOXES) return null
    const head = Buffer.alloc(LONG_HEAD)
    await video.handle.read(head, 0, LONG_HEAD, at)
    const short = head.readUInt32BE(0)
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short
    const inside = at + (short === 1 ? LONG_HEAD : HEAD)
    if (at + length < inside || at + length > to) return null
    boxes.push({ type: head.toString('latin1', 4, 8), start: at, inside, end: at + length })
    at += length
  }
  return boxes
}

async function readText(handle: FileHandle, at: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length)
  await handle.read(buffer, 0, length, at)
  return buffer.toString('latin1')
}
