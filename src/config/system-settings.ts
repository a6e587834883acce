import { Type } from 'typebox';
import { isCrontab, isTimeZone } from './crontab.ts';
import { checkedText, choice, integer, onOff, optionalText, section, sections, text } from './setting-kinds.ts';

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const;

/** A time at which a job runs. Default: midnight. */
export const crontab = (description: string, usual = '0 0 * * *') =>
  checkedText(`${description} Sunday is 0 or 7. In the time zone \`system.time_zone\`.`, usual, {
    allowed: 'a crontab of five fields (minute hour day month weekday) that names a time in the future',
    fits: isCrontab,
  });

const queueSettings = (description: string) =>
  section({
    enabled: onOff(description, true),
    batch_size: integer('Items that are worked on together, at most.', 100, { minimum: 1, maximum: 1000 }),
    batch_timeout: integer('Seconds for which a batch waits for further items while they keep arriving.', 1),
  });

export const systemSettings = section({
  type: choice(
    ['production', 'staging', 'development'],
    'What this installation is for; clients show it.',
    'development',
  ),
  branch: text(
    'Branch that the program was built from; clients show it (the variable `BRANCH` of the public systems).',
    '',
  ),
  commit: text('Commit that it was built from (the variable `COMMIT_HASH` of the public systems).', ''),
  time_zone: checkedText('Time zone of the crontabs.', 'UTC', {
    allowed: 'a name of the time zone database such as UTC or America/Toronto',
    fits: isTimeZone,
  }),
  retention: section({
    enabled: onOff('Deletes alerts by age, by their expiry and by the rules below (docs/operating.md#jobs).', true),
    limit_unit: choice(UNITS, 'Unit of the limit.', 'days'),
    limit_amount: integer(
      'Age of the oldest alert to keep: alerts whose `event.created` lies before the day (UTC) of that moment are deleted. Clients show it.',
      350,
      { minimum: 1 },
    ),
    crontab: crontab('When retention runs.'),
    rules: sections(
      section({
        name: Type.String({ description: 'Names the rule in the log.' }),
        enabled: onOff('Whether the rule applies.', true),
        query: Type.String({ description: 'Query of the alerts that the rule is about.' }),
        limit_unit: choice(UNITS, 'Unit of the limit.', 'days'),
        limit_amount: integer('Age, to the second, above which such an alert is deleted.', undefined, { minimum: 1 }),
      }),
      'Alerts with shorter limits. A rule whose query fails is reported and skipped.',
    ),
  }),
  action_queue: queueSettings(
    'Runs the actions of a trigger from a queue. Off: before the request that fires the trigger is answered.',
  ),
  correlation: queueSettings('Files new records into the cases whose rules match them. Off: no record is filed.'),
  view_cleanup: section({
    enabled: onOff('Removes entries of dashboards whose view was deleted.', true),
    crontab: crontab('When the cleanup runs.'),
  }),
});

/** The destination of security events, which docs/operating.md describes. */
export const auditSettings = section({
  to: choice(
    ['stdout', 'stderr', 'file'],
    'Where security events are written, one JSON object a line: standard output (between the lines of the log, each with `"log":"audit"`), standard error, or a file of their own.',
    'stdout',
  ),
  file: optionalText(
    'That file. Every process needs one of its own. Default: `audit/audit.log` in the data folder. The folder is made when it is missing.',
  ),
  max_megabytes: integer(
    'Size at which the file is put aside under the time of that moment, and a new one begun.',
    100,
    { minimum: 1 },
  ),
  daily: onOff('Puts the file aside at midnight, too, in the time zone of the machine.', false),
  max_files: integer('Files put aside that are kept; the oldest goes first. 0: all.', 30),
});
