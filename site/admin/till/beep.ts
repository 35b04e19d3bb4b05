let sounds: AudioContext | undefined

/** A short tone: high for taken, low for refused. A device without sound stays silent. */
export function beep(kind: 'taken' | 'refused'): void {
  try {
    sounds ??= new AudioContext()
    const [tone, loudness] = [sounds.createOscillator(), sounds.createGain()]
    tone.frequency.value = kind === 'taken' ? 1320 : 220
    loudness.gain.value = 0.08
    tone.connect(loudness).connect(sounds.destination)
    tone.start()
    tone.stop(sounds.currentTime + (kind === 'taken' ? 0.07 : 0.22))
  } catch {
    // No sound card, or no permission.
  }
}
