export interface Command {
  name: string
  /** One line for the overview. */
  summary: string
  /** The arguments after the name. */
  usage: string
  /** What it does, needs, prints and never does. */
  help: string
  /** Returns the exit code. */
  run(args: string[]): Promise<number>
}

/** Loads a command's file when it runs, so that the overview loads nothing. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'owner',
    summary: 'Create the first owner, or restore the access of one.',
    usage: '--phone 01712345678 --name "Abdul Karim" [--password-stdin]',
    help: `Prints a one-time password. --password-stdin reads a lasting password from the standard input instead.
An account that exists is logged out everywhere and loses its PIN, approval code and two-step verification. The shop may run.`,
    run: async (args) => (await import('./owner.ts')).owner(args),
  },
  {
    name: 'backup',
    summary: 'Write one file with the database and the uploads.',
    usage: '[--to FOLDER|s3://BUCKET/PREFIX] [--verify]',
    help: `The shop may run: the file is the state of one moment. It is written under a temporary name and renamed when it is complete and all
its checksums were read back. --verify also restores it into a database of its own and compares rows and sums.
Without --to it goes where BACKUP_TO says, and the retention of the settings applies; with --to nothing is deleted.
Not in the file: SESSION_SECRET and the other environment variables. Store them elsewhere: without the same SESSION_SECRET, two-step
verification cannot be read. The file holds customers' data and password hashes: store it where only owners can read it.`,
    run: async (args) => (await import('./backup.ts')).backup(args),
  },
  {
    name: 'restore',
    summary: 'Restore a backup into an empty database and data folder.',
    usage: 'FILE [--replace] [--yes]',
    help: `FILE is a path, or the name of a backup in BACKUP_TO. Stop the shop first.
The whole file is read before anything changes: a damaged or incomplete file and one of a newer Khamar are refused. The data is loaded into
the schema of its release in one transaction, which is committed when rows and sums equal those of the backup: a killed or failed restore
leaves the database as it was. An older backup is then brought up to date.
--replace deletes everything in a database that is not empty, after a confirmation (--yes skips it). Uploads are added to DATA_DIR/uploads,
or to the bucket that UPLOADS names.`,
    run: async (args) => (await import('./restore.ts')).restore(args),
  },
  {
    name: 'check',
    summary: 'Check stock, ledger, orders, POS shifts, accounts and store credit against each other.',
    usage: '',
    help: `Changes nothing, and reads one moment of a running shop. Prints the rows that break a rule, up to ten of each.
Exit code 0: all rules hold; 1: some do not, or the database cannot be read. Report broken rules: the shop itself never breaks them.
Also names pictures and videos without a file, and files without a picture or video; these do not change the exit code.`,
    run: async (args) => (await import('./check.ts')).check(args),
  },
  {
    name: 'export',
    summary: 'Write all data as CSV files, with the pictures.',
    usage: 'NEW_FOLDER',
    help: `One CSV file (UTF-8, with a header) for each table, all of one moment, and a folder uploads/. Amounts are poisha, weights grams,
quantities thousandths, times UTC. Left out: passwords, codes, sessions, keys and search indexes. For other programs and for your archive;
to bring a shop back, use backup and restore. The shop may run.`,
    run: async (args) => (await import('./export.ts')).exportData(args),
  },
  {
    name: 'customer-data',
    summary: "Print one customer's data as JSON, or erase it.",
    usage: 'PHONE [--erase] [--yes]',
    help: `Without --erase it prints everything that is stored about the customer, without passwords and keys. It changes nothing.
--erase deletes addresses, notes, sessions, bookings and the texts of messages, closes the account, and replaces name, phone and address in
orders, events and the audit log. Orders, their products, amounts, payments with references, returns and the ledger stay: tax law asks for
accounts (see docs/operations.md). Refused while an order is open, money is due to or from the customer, or a payment may still come.
The shop may run.`,
    run: async (args) => (await import('./customer-data.ts')).customerData(args),
  },
  {
    name: 'move-uploads',
    summary: 'Copy the pictures and videos of DATA_DIR/uploads to the bucket that UPLOADS names.',
    usage: '',
    help: `Nothing is deleted, and files that the bucket has are left out, so it can be run again. The shop may run.`,
    run: async (args) => (await import('./move-uploads.ts')).moveUploads(args),
  },
  {
    name: 'demo-clear',
    summary: 'Remove the demo shop from the database.',
    usage: '[--all-orders] [--yes]',
    help: `Lists what goes and what stays, and asks. --all-orders also removes orders placed after the demo was set up. Stop the shop first.`,
    run: async (args) => (await import('./demo-clear.ts')).demoClear(args),
  },
]
