import path from 'node:path'
import { z } from 'zod'
import { parseBucketUrl, type S3Settings } from '../files/bucket.server.ts'
import { uploadsFolder, type UploadsPlace } from '../files/uploads.server.ts'
import { httpUrl } from './parse-settings.ts'
import { SettingsError } from './settings-error.ts'

/** Settings of the places of uploads and backups. */
export interface StorageSettings {
  /** Access to S3-compatible buckets; null when the shop uses none. */
  s3: S3Settings | null
  /** Where backups are stored: an absolute folder, or `s3://bucket/prefix`. */
  backupTo: string
  uploads: UploadsPlace
  /** The URL from which browsers load uploads from a bucket, without a trailing slash; null: from the shop. */
  uploadsPublicUrl: string | null
}

/** The schema's part of the environment variables. */
export const storageVariables = {
  S3_ENDPOINT: httpUrl('S3_ENDPOINT', 'https://s3.example, without the name of a bucket').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_TO: z
    .string()
    .refine((text) => !text.includes(':') || parseBucketUrl(text) !== null, {
      error: (issue) => `BACKUP_TO must be a folder, or look like s3://bucket/prefix, not "${String(issue.input)}".`,
    })
    .optional(),
  UPLOADS: z
    .string()
    .refine((text) => parseBucketUrl(text) !== null, {
      error: (issue) => `UPLOADS must look like s3://bucket/prefix, not "${String(issue.input)}".`,
    })
    .optional(),
  UPLOADS_PUBLIC_URL: z
    .string()
    .refine((text) => URL.parse(text)?.protocol === 'https:', { error: 'UPLOADS_PUBLIC_URL must look like https://pictures.shop.example.' })
    .optional(),
}

const variablesSchema = z.object(storageVariables)
type Variables = z.infer<typeof variablesSchema>

/** Throws a `SettingsError` when a bucket is named without its keys. */
export function storageSettings(settings: Variables, dataDir: string): StorageSettings {
  return {
    s3: s3Of(settings),
    backupTo: backupTargetOf(settings, dataDir),
    uploads: uploadsOf(settings, dataDir),
    uploadsPublicUrl: settings.UPLOADS_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
  }
}

/** A bucket's files are cached in `uploads-cache`. */
function uploadsOf(settings: Variables, dataDir: string): UploadsPlace {
  const url = settings.UPLOADS ? parseBucketUrl(settings.UPLOADS) : null
  if (!url && settings.UPLOADS_PUBLIC_URL) throw new SettingsError('UPLOADS_PUBLIC_URL needs UPLOADS=s3://bucket/prefix.')
  if (!url) return uploadsFolder(dataDir)
  const s3 = s3Of(settings)
  if (!s3) throw new SettingsError('UPLOADS in a bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  return { folder: path.join(dataDir, 'uploads-cache'), bucket: { url, settings: s3 } }
}

function s3Of(settings: Variables): S3Settings | null {
  const { S3_ENDPOINT: endpoint = null, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (accessKeyId && secretAccessKey) return { endpoint, region, accessKeyId, secretAccessKey }
  if (accessKeyId || secretAccessKey || endpoint)
    throw new SettingsError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are needed for a bucket.')
  return null
}

function backupTargetOf(settings: Variables, dataDir: string): string {
  const target = settings.BACKUP_TO ?? path.join(dataDir, 'backups')
  if (parseBucketUrl(target) === null) return path.resolve(target)
  if (s3Of(settings) === null) throw new SettingsError('BACKUP_TO names a bucket: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too.')
  return target
}
