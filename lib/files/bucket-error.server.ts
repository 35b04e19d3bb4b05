export type BucketFailure =
  /** No answer, an answer that came too late, or a server error after all retries. */
  | 'away'
  /** The keys are wrong, or do not permit the operation. */
  | 'refused'
  /** The bucket is in another region. */
  | 'region'
  /** The clock of this machine is wrong by minutes. */
  | 'clock'
  | 'no-bucket'
  | 'missing'
  /** A list ends before its last object. */
  | 'cut-list'
  /** The caller ended the operation. */
  | 'aborted'
  | 'failed'

const MEANING: Record<BucketFailure, string> = {
  away: 'does not answer',
  refused: 'refuses the keys in S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or does not permit them this operation',
  region: 'is in another region than S3_REGION',
  clock: 'refuses the time of this machine: set its clock',
  'no-bucket': 'does not exist',
  missing: 'has no such object',
  'cut-list': 'lists a part of its objects only: it does not know ListObjectsV2',
  aborted: 'was left before the operation ended',
  failed: 'gave an unexpected answer',
}

/** What to do, where the meaning does not say it. */
const REMEDY: Partial<Record<BucketFailure, string>> = {
  away: ': check the network and S3_ENDPOINT',
  'no-bucket': ': check its name and S3_ENDPOINT',
}

/** An operation on a bucket failed. The message is for the log and for operators; it holds no keys and no URLs. */
export class BucketError extends Error {
  override name = 'BucketError'
  readonly reason: BucketFailure

  constructor(reason: BucketFailure, bucket: string, cause?: unknown) {
    const detail = reason === 'failed' || reason === 'away' ? codeOf(cause) : null
    super(`The bucket ${bucket} ${MEANING[reason]}${detail ? ` (${detail})` : ''}${REMEDY[reason] ?? ''}.`)
    this.reason = reason
  }
}

/** Whether an error means that the bucket cannot be used now: away, refused, missing. */
export function isBucketAway(error: unknown): boolean {
  return error instanceof Error && ((error instanceof BucketError && error.reason !== 'missing') || isBucketAway(error.cause))
}

/** Whether an error means that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof BucketError && error.reason === 'missing'
}

/** Error of the SDK: `name` is the code of S3, `code` one of Node's. */
interface SdkError {
  name?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}

const BY_NAME = new Map<string, BucketFailure>([
  ['AbortError', 'aborted'],
  ['NoSuchBucket', 'no-bucket'],
  // AWS names the right region in a redirect, or says that the signature is for another one.
  ['PermanentRedirect', 'region'],
  ['AuthorizationHeaderMalformed', 'region'],
  ['RequestTimeTooSkewed', 'clock'],
  ['NoSuchKey', 'missing'],
  ['NotFound', 'missing'],
  ['AccessDenied', 'refused'],
  ['InvalidAccessKeyId', 'refused'],
  ['SignatureDoesNotMatch', 'refused'],
  ['ExpiredToken', 'refused'],
  ['TimeoutError', 'away'],
])
const BY_STATUS = new Map<number, BucketFailure>([
  [301, 'region'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'missing'],
])
/** Node's codes of connections: ECONNREFUSED, ENOTFOUND, EPIPE, ERR_STREAM_PREMATURE_CLOSE. */
const NETWORK = /^E[A-Z_]+$/

/** Translates an error of the SDK or of a connection to the bucket. */
export function bucketErrorOf(error: unknown, bucket: string): BucketError {
  return error instanceof BucketError ? error : new BucketError(reasonOf(error as SdkError), bucket, error)
}

function reasonOf({ name = '', code = '', $metadata }: SdkError): BucketFailure {
  const status = $metadata?.httpStatusCode ?? 0
  const known = BY_NAME.get(name) ?? BY_STATUS.get(status)
  return known ?? (status >= 500 || NETWORK.test(code) ? 'away' : 'failed')
}

function codeOf(cause: unknown): string | null {
  const { name, code, $metadata } = (cause ?? {}) as SdkError
  return code ?? ($metadata?.httpStatusCode ? `HTTP ${$metadata.httpStatusCode}` : (name ?? null))
}
