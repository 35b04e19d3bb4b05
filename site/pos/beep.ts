let sounds: AudioContext | undefined

type Kind = 'accepted' | 'rejected'

/** Plays a short tone and vibrates: high and once for `accepted`, low and twice for `rejected`. Does nothing where neither is supported. */
export function beep(kind: Kind): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(kind === 'accepted' ? 60 : [80, 60, 80])
  if (sounds) play(kind)
  // A browser takes up to half a second to open its sound: the scanned line is shown first.
  else setTimeout(play, 0, kind)
}

function play(kind: Kind): void {
  try {
    sounds ??= new AudioContext()
    // Suspended before the first press, and on iPhones interrupted by a call or the locked screen.
    if (sounds.state !== 'running') void sounds.resume().catch(() => {})
    const [tone, loudness] = [sounds.createOscillator(), sounds.createGain()]
    tone.frequency.value = kind === 'accepted' ? 1320 : 220
    loudness.gain.value = 0.08
    tone.connect(loudness).connect(sounds.destination)
    tone.start()
    tone.stop(sounds.currentTime + (kind === 'accepted' ? 0.07 : 0.22))
  } catch {
    // No sound card, or no permission.
  }
}
