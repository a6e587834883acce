import { integer, onOff, section } from './setting-kinds.ts';
import { crontab } from './system-settings.ts';

/** Settings of expiry; most names are those of contract/analysis.md section 10.1. */
export const expirySettings = section({
  enabled: onOff('Deletes documents and files of the analysis service whose time has come.', true),
  crontab: crontab('When they are deleted.', '*/5 * * * *'),
  cleanup_crontab: crontab('When content without a document is looked for.', '30 3 * * *'),
  batch_delete: onOff('Deletes whole days (UTC) alone.', false),
  delay: integer('Hours for which documents are kept after their time.', 0),
  delete_storage: onOff('Deletes the content of files with their documents.', true),
  delete_batch_size: integer('Documents that are deleted in one transaction.', 2000, { minimum: 1, maximum: 10_000 }),
  safelisted_tag_dtl: integer('Days until a tag on the safelist is deleted; 0 never.', 0),
  badlisted_tag_dtl: integer('Days until a tag on the badlist is deleted; 0 never.', 0),
});
