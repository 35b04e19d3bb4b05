// Backups of the shop.
export const backups = {
  'admin.nav.backups': 'Backups',
  'backups.hint': ({ hour }: { hour: string }) =>
    `A backup is made every night after ${hour}. It holds all data and pictures; keep downloaded files private. Keep copies on another computer.`,
  'backups.now': 'Back up now',
  'backups.started': 'Backup started',
  'backups.running': 'A backup is already running.',
  'backups.late': 'The latest backup is more than 26 hours old.',
  'backups.unchecked':
    'The last backup was not restored as a test; only its checksums were compared. On the server, give the database role the right CREATEDB, make room in the data folder, or correct DATA_DIR or UPLOADS when the log says that pictures are missing.',
  'backups.empty': 'No backups yet.',
  'backups.when': 'Started',
  'backups.state': 'Status',
  'backups.state-running': 'Running',
  'backups.state-done': 'Complete',
  'backups.state-verified': 'Complete, restore tested',
  'backups.state-failed': 'Failed',
  'backups.state-deleted': 'Deleted',
  'backups.by': 'Started by',
  'backups.by-schedule': 'Schedule',
  'backups.by-admin': 'Staff',
  'backups.by-command': 'Command line',
  'backups.size': 'Size',
  'backups.megabytes': ({ megabytes }: { megabytes: string }) => `${megabytes} MB`,
  'backups.seconds': ({ seconds }: { seconds: string }) => `in ${seconds} s`,
  'backups.place': 'File',
  'backups.download': 'Download',
}
