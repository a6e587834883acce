import { InvalidInput } from '../../errors/errors.ts';
import type { Visibility } from '../schema/collection-definition.ts';
import {
  date,
  dateNow,
  enumeration,
  group,
  identifier,
  json,
  keyword,
  mapping,
  text,
} from '../schema/field-builders.ts';
import type { GroupRule } from '../schema/field-spec.ts';

/** Judgements that end the triage of an alert, harmless ones first. */
export const ASSESSMENTS = [
  'ambiguous',
  'security',
  'development',
  'false-positive',
  'legitimate',
  'trivial',
  'recon',
  'attempt',
  'compromise',
  'mitigated',
] as const;
export type Assessment = (typeof ASSESSMENTS)[number];

/** States of an alert or a case. */
export const STATUSES = ['open', 'in-progress', 'on-hold', 'resolved'] as const;
export type Status = (typeof STATUSES)[number];

/** Kinds of change in a log entry. */
export const LOG_TYPES = ['appended', 'removed', 'set'] as const;

export const comment = group('Comment', 'Remark of a person.', {
  id: identifier('Identifier of the comment.'),
  timestamp: dateNow('When it was written.'),
  modified: dateNow('When it was last changed.'),
  value: text('What it says.'),
  user: keyword('User name of the author.'),
  reactions: mapping('Reaction of each user, by user name.', keyword('Name of the reaction.')).default({}),
});

/** Without words, an entry of a log has to say what changed. */
export function logRule(...needed: readonly string[]): GroupRule {
  const message = `If no explanation provided, you must provide the following values: ${needed.join(',')}`;
  return (entry, path) => {
    if (Object.hasOwn(entry, 'explanation') || needed.every((key) => Object.hasOwn(entry, key))) return entry;
    throw new InvalidInput('invalid_document', message, { at: path });
  };
}

export const log = group('Log', 'Change of the record.', {
  timestamp: date('When it was changed.'),
  key: keyword('Field that was changed.').optional(),
  explanation: text('What was done, in words.').optional(),
  previous_version: keyword('Version of the record that the change was made to.').optional(),
  new_value: keyword('Value after.').optional(),
  type: enumeration('What was done to the value.', LOG_TYPES).optional(),
  previous_value: keyword('Value before.').optional(),
  user: keyword('User name of who changed it.'),
}).withRule(logRule('key', 'new_value', 'previous_value'));

export const outline = group('Header', 'What the record is about, at a glance.', {
  threat: keyword('Who or what attacks.').optionalNotEmpty(),
  target: keyword('Who or what is attacked.').optionalNotEmpty(),
  indicators: keyword('Indicators that give it away.').list().default([]),
  summary: keyword('What happened, in a sentence.').optionalNotEmpty(),
});

export const localizedLabel = group('LocalizedLabel', 'Name in both languages.', {
  en: text('Name in English.'),
  fr: text('Name in French.'),
});

/** A tab beside an alert: prose, a link, or what a plugin shows. */
export const lead = group('Lead', 'Tab that is shown beside an alert.', {
  icon: text('Icon of the tab.').optionalNotEmpty().notIndexed(),
  label: localizedLabel,
  format: keyword('What the content is: `markdown`, `link`, or a plugin’s name.').notIndexed(),
  content: text('The content itself, a link, or what the plugin needs.').notIndexed(),
  metadata: json('Further settings, as JSON text; their meaning depends on the format.').optional().notIndexed(),
});

/** Fields of records that only the program writes, in the name of the caller. */
export const HISTORY_FIELDS = ['howler.log', 'howler.comment'] as const;

/** The owner of an object, and who may change it. */
export const ownershipFields = {
  owner: keyword('User name of the owner.'),
  admins: keyword('Users who may change the object and its permissions.').list().default([]),
  members: keyword('Users who may change the object.').list().default([]),
};

/** Shows global objects and those without an owner to every user, others to the users that they name. */
export const SHARED_OBJECT: Visibility = {
  everyone: { type: 'global', owner: 'none' },
  users: ['owner', 'admins', 'members'],
};
