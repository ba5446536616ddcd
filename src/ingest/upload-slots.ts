// Upload slots by their earlier path, for the archive.

export { makeUploadSlots as makeSlots, type UploadBody as Body } from '../ports/admission/upload-slots.ts'
