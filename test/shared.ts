import { execFile } from 'node:child_process'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { inject } from 'vitest'

/** Returns something that all tests of the run share (see setup-cluster.ts). The first caller waits until it is made, without a timeout. */
export async function shared(thing: 'cluster' | 'pages' | 'demo' | 'data-folder'): Promise<string> {
  const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const request = get(
      `${inject('shared')}/${thing}`,
      // A connection of its own: the server may close an idle one just when it is used again.
      { agent: false },
      (response) => void text(response).then((all) => resolve([response.statusCode, all]), reject),
    )
    request.on('error', reject)
  })
  if (status !== 200) throw new Error(`The shared ${thing} of the tests could not be made: ${body}`)
  return body
}

/** Fills an empty folder with the data of a new shop, so that a test needs no first start: the database is there and migrated. */
export async function fillDataFolder(folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${await shared('data-folder')}/.`, folder])
}
