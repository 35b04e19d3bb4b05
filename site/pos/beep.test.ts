import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('sounds again after the sound was suspended or interrupted', async () => {
  const resumed: string[] = []
  const node = { frequency: {}, gain: {}, connect: () => node, start() {}, stop() {} }
  const sounds = {
    state: 'suspended',
    currentTime: 0,
    createOscillator: () => node,
    createGain: () => node,
    resume: async () => void (resumed.push(sounds.state), (sounds.state = 'running')),
  }
  vi.stubGlobal('AudioContext', function AudioContext() {
    return sounds
  })
  const { beep } = await import('./beep.ts')
  beep('accepted')
  await vi.waitFor(() => expect(resumed).toEqual(['suspended']))
  beep('accepted')
  sounds.state = 'interrupted'
  beep('rejected')
  expect(resumed).toEqual(['suspended', 'interrupted'])
})
