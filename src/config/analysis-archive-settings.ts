import { integer, onOff, section, textList } from './setting-kinds.ts';

/** Settings of `analysis.datastore.archive`: the archive as a whole. */
export const archiveSettings = section({
  enabled: onOff('Submissions can be copied into an archive, where they stay when the others are deleted.', false),
});

/** Settings of `analysis.core.archiver`: what is copied into the archive. */
export const archiverSettings = section({
  alternate_dtl: integer(
    'Days until a submission in the archive is deleted for which this other lifetime was chosen; 0: never, as all others.',
    0,
    { minimum: 0 },
  ),
  minimum_required_services: textList(
    'Services and categories that must have analysed what is archived. A submission without them is analysed again, and the new one is archived.',
  ),
});
