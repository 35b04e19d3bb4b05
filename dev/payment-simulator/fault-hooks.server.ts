import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SimState } from './state.ts'

/** Waits, or until the server closes. */
function pause(ms: number, state: SimState): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      state.waiting.delete(end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    state.waiting.add(end)
  })
}

/** Answers a call wrongly on purpose. True when it did, and the caller has nothing more to do. */
export async function goWrong(kind: string | undefined, state: SimState, reply: FastifyReply): Promise<boolean> {
  if (kind === 'error') await reply.code(500).type('text/plain').send('Internal error')
  else if (kind === 'html') await reply.code(200).type('text/html').send('<!doctype html><title>Maintenance</title>')
  else if (kind === 'hang') {
    await pause(state.faults.hangMs ?? 31_000, state)
    await reply.code(200).send({})
  } else return false
  return true
}

/** Counts the call, and cuts the connection when the gateway is to be down. True when it is. */
export function cutOff(name: string, state: SimState, request: FastifyRequest, reply: FastifyReply): boolean {
  state.calls[name] = (state.calls[name] ?? 0) + 1
  if (!state.faults.down) return false
  reply.hijack()
  request.raw.socket.destroy()
  return true
}
