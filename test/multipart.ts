import type { Answer, Visitor } from './visitor.ts'

export interface SentFile {
  bytes: Buffer | string
  name?: string
  type?: string
  /** The field's name. */
  field?: string
}

/** A form with files as a browser sends it. */
export async function postFiles(who: Visitor, path: string, files: SentFile[], headers: Record<string, string> = {}): Promise<Answer> {
  return who.send('POST', path, multipartBody(files), {
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      accept: 'application/json',
      'x-csrf-token': await who.token(),
      ...headers,
    },
  })
}

const BOUNDARY = 'boundary-of-a-test'

export function multipartBody(files: SentFile[]): Buffer {
  return Buffer.concat([
    ...files.flatMap(({ bytes, name = 'cow.jpg', type = 'image/jpeg', field = 'file' }) => [
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`),
      Buffer.from(bytes as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
}
