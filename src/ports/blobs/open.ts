// Opens the store of blobs: the data directory or a bucket.

import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import type { S3Place } from './s3.ts'

/** Opens the store without a request to the server. @param location undefined: the data directory */
export const openBlobs = async (location: S3Place | undefined, dataDir: string): Promise<Blobs> =>
  location ? (await import('./s3.ts')).openS3Blobs(location, dataDir) : openDiskBlobs(dataDir)

/**
 * Tries every operation that Kenning uses on the bucket. @throws Error; its cause is a BlobsAway if a later try may
 * succeed
 */
export async function checkBlobs(location: S3Place | undefined): Promise<void> {
  if (location) await (await import('./s3.ts')).checkS3(location)
}
