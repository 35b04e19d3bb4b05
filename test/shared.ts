import { inject } from 'vitest'

/** Asks the run for something its tests share (see setup-cluster.ts); the first to ask waits until it is made. */
export async function shared(thing: 'cluster' | 'pages' | 'demo'): Promise<string> {
  const response = await fetch(`${inject('shared')}/${thing}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`The tests' ${thing} could not be made: ${text}`)
  return text
}
