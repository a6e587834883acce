import { choice, integer, onOff, optionalText, section } from './setting-kinds.ts';

/** The destination of security events, which docs/operating.md describes. */
export const auditSettings = section({
  to: choice(['stdout', 'stderr', 'file'], {
    description:
      'Where security events are written, one JSON object a line: standard output (between the lines of the log, each with `"log":"audit"`), standard error, or a file of their own.',
    default: 'stdout',
  }),
  file: optionalText({
    description:
      'That file. Every process needs one of its own. Default: `audit/audit.log` in the data folder. The folder is made when it is missing.',
  }),
  max_megabytes: integer({
    description: 'Size at which the file is put aside under the time of that moment, and a new one begun.',
    default: 100,
    minimum: 1,
  }),
  daily: onOff({
    description: 'Puts the file aside at midnight, too, in the time zone of the machine.',
    default: false,
  }),
  max_files: integer({
    description: 'Files put aside that are kept; the oldest goes first. 0: all.',
    default: 30,
    minimum: 0,
  }),
});
