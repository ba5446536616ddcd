-- Moving documents (docs/decisions/0003-document-identity.md): which id is in the trash, and which document a later upload with on_conflict=replace went to, wherever that is now. Since documents can be moved, document.path says
-- where a document is and no longer identifies it, and document.uploaded_as is the name of its upload if it is not at that path:
-- because another document had the name, or because it was moved.
LOCK TABLE trashed_document, document_version IN SHARE MODE;
CREATE INDEX trashed_document_of ON trashed_document (workspace_id, document_id);
CREATE INDEX document_version_forced ON document_version (workspace_id, filename) WHERE forced;
