declare module 's3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Options {
    directory: string
    silent?: boolean
    vhostBuckets?: boolean
    configureBuckets?: { name: string }[]
  }

  /** Both answer before the file is written. */
  export interface Store {
    putObject(object: { bucket: string; key: string }): Promise<{ size: number }>
    putPart(bucket: string, uploadId: string, part: number, content: unknown): Promise<{ size: number }>
    getResourcePath(bucket: string, key: string | undefined, resource: string): string
  }

  export default class S3rver {
    readonly store: Store

    constructor(options: Options)
    readonly logger: { exceptions: { unhandle(): void }; close(): void }
    configureBuckets(): Promise<unknown>
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
