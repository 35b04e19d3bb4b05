let sounds: AudioContext | undefined

/** A short tone, and a phone trembles: high and once for taken, low and twice for refused. A device that can do neither stays silent. */
export function beep(kind: 'taken' | 'refused'): void {
  try {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(kind === 'taken' ? 60 : [80, 60, 80])
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
