import { expect, test } from 'vitest'
import { mediaOf, videoOf } from './video.ts'

test.each([
  ['https://www.youtube.com/watch?v=abcdefghi12', 'abcdefghi12'],
  ['https://m.youtube.com/watch?app=m&v=abcdefghi12&t=3', 'abcdefghi12'],
  ['https://youtu.be/abcdefghi12?si=x', 'abcdefghi12'],
  ['https://www.youtube.com/shorts/abcdefghi12', 'abcdefghi12'],
  ['https://www.youtube-nocookie.com/embed/abcdefghi12', 'abcdefghi12'],
])('%s is a video on YouTube', (url, id) => {
  expect(videoOf(url)).toMatchObject({ kind: 'youtube', embed: expect.stringContaining(`youtube-nocookie.com/embed/${id}?`) })
})

test.each([
  ['javascript:alert(1)'],
  ['https://evil.example/watch?v=abcdefghi12'],
  ['https://youtube.com.evil.example/watch?v=abcdefghi12'],
  ['/uploads/"><script>'],
  ['//evil.example/x.mp4'],
  [''],
])('%j is no video', (url) => {
  expect(videoOf(url)).toBeNull()
})

test('pictures come before videos, and unsupported videos are skipped', () => {
  expect(mediaOf({ images: [{ url: '/uploads/a-800.webp' }], media: ['/uploads/a.mp4', 'ftp://x'] })).toEqual([
    { kind: 'image', url: '/uploads/a-800.webp' },
    { kind: 'video', url: '/uploads/a.mp4' },
  ])
})
