import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'

/** Returns something that all tests of the run share (see setup-cluster.ts). The first caller waits until it is made, without a timeout. */
export async function shared(thing: 'cluster' | 'pages' | 'demo'): Promise<string> {
  const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const request = get(
      `${inject('shared')}/${thing}`,
      (response) => void text(response).then((all) => resolve([response.statusCode, all]), reject),
    )
    request.on('error', reject)
  })
  if (status !== 200) throw new Error(`The shared ${thing} of the tests could not be made: ${body}`)
  return body
}
