// Where blobs are kept: in the data directory, or in a bucket.

import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import type { S3Place } from './s3.ts'

/** The server is not asked. @param place undefined: the data directory */
export const openBlobs = async (place: S3Place | undefined, dataDir: string): Promise<Blobs> =>
  place ? (await import('./s3.ts')).openS3Blobs(place, dataDir) : openDiskBlobs(dataDir)

/** Does once what Kenning does in a bucket. @throws Error; its cause is a BlobsAway where that may pass */
export async function checkBlobs(place: S3Place | undefined): Promise<void> {
  if (place) await (await import('./s3.ts')).checkS3(place)
}
