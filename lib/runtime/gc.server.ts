import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'minor' | 'major'; execution: 'sync'; flavor?: 'last-resort' }) => void
let collect: Collect | undefined

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  return collect
}

/** Takes up what has only just been thrown away, in about a millisecond: then the process needs no more room for new objects. */
export function collectYoung(): void {
  collector()({ type: 'minor', execution: 'sync' })
}

/** Takes up everything that is not used any more, and gives the room for new objects back, which is most of it. */
export function collectAll(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
