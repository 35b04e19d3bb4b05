import { type Revision, RevisionCache } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { readSettings } from './settings.server.ts'
import type { Settings } from './settings.ts'

/** The settings, read once per revision of the catalog. */
export class SettingsCache extends RevisionCache<Settings> {
  constructor(db: Db, revision: Revision) {
    super(revision, () => readSettings(db))
  }
}
