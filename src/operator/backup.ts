// Backups: `kenning backup`, `kenning restore`, `kenning verify`.

export { BACKUP_USAGE, backUp } from './backup/backup.ts'
export { RESTORE_USAGE, restore } from './backup/restore.ts'
export { VERIFY_USAGE, verify } from './backup/verify.ts'
