import { defineDocument } from '../../schema/document-definition.ts';
import {
  anyJson,
  boolean,
  classification,
  date,
  dateNow,
  enumeration,
  group,
  integer,
  keyword,
  long,
  mapping,
  sha256,
  text,
} from '../../schema/field-builders.ts';
import { ANY_KEY } from '../../schema/field-spec.ts';
import { archiveTime, expiry, internal, notStored, verdict } from './parts.ts';

export const SUBMISSION_STATES = ['failed', 'submitted', 'completed'] as const;

/** Categories of services that a submission selects when it names none. */
export const DEFAULT_SELECTED_SERVICES = ['Filtering', 'Antivirus', 'Static Analysis', 'Extraction', 'Networking'];

/** Highest priority of a submission. */
export const MAX_PRIORITY = 1500;

const submittedFile = group(
  'SubmittedFile',
  'A file that was submitted.',
  notStored({
    name: keyword('Name of a submitted file.').copyToText(),
    size: long('Size of a submitted file in bytes.').optional(),
    sha256: sha256('SHA-256 of a submitted file.').copyToText(),
  }),
);

const serviceSelection = group(
  'ServiceSelection',
  'Services of a submission.',
  internal({
    selected: keyword('Services and categories that were chosen.').list().default(DEFAULT_SELECTED_SERVICES),
    excluded: keyword('Services that are left out.').list().default([]).leftOut(),
    rescan: keyword('Services that run again.').list().default([]).leftOut(),
    resubmit: keyword('Services of a second submission.').list().default([]).leftOut(),
  }),
);

/** The parameters of a submission. */
export const submissionParams = group('SubmissionParams', 'Parameters of a submission.', {
  description: text('What it is, for people.').copyToText(),
  submitter: keyword('User who submitted it.').copyToText(),
  ...notStored({
    classification: classification('Who may see the submission.'),
    deep_scan: boolean('Let services take their time.').default(false),
    filetype_override: keyword('Type that the file is taken for.').optional().leftOut(),
    generate_alert: boolean('Make an alert when the score is high.').default(false),
    groups: keyword('Groups of the submitter.').list().default([]),
    ignore_cache: boolean('Do not reuse earlier results.').default(false),
    ignore_recursion_prevention: boolean('Let services get their own files again.').default(false),
    ignore_filtering: boolean('Let no service cut the analysis short.').default(false),
    ignore_size: boolean('Take files of any size.').default(false),
    never_drop: boolean('Do not drop it when there is too much to do.').default(false),
    malicious: boolean('The submitter calls it malicious.').default(false),
    max_extracted: integer('Extracted files a service may give for one file.').default(500),
    max_supplementary: integer('Supplementary files a service may give for one file.').default(500),
    priority: integer('Higher is earlier, 1 to 1500.', { minimum: 1 }).default(1000),
    psid: keyword('Submission that this one continues.').optional(),
    quota_item: boolean('Counts against the quota of the submitter.').default(false),
    trace: boolean('Keep what happened to it.').default(false),
    ttl: integer('Days until it is deleted; 0 never.').default(0),
    type: keyword('Kind of submission.').default('USER'),
    auto_archive: boolean('Archive it when it is completed.').default(false),
    delete_after_archive: boolean('Delete it once it is archived.').default(false),
    use_archive_alternate_dtl: boolean('Use the other lifetime of the archive.').default(false),
  }),
  ...internal({
    service_spec: mapping('Parameters of services.', anyJson('Parameters of a service.'), { keys: ANY_KEY }).default(
      {},
    ),
    initial_data: text('Data that services share from the start, as JSON text.').optional().leftOut(),
  }),
  services: serviceSelection.default({}),
});

const traceEvent = group(
  'TraceEvent',
  'Something that happened during the analysis.',
  internal({
    timestamp: dateNow('When it happened.'),
    event_type: keyword('What happened.'),
    service: keyword('Service that it happened at.').optional(),
    file: sha256('SHA-256 of the file that it happened to.').optional(),
    message: keyword('Details.').optional(),
  }),
);

const times = group('SubmissionTimes', 'When it was submitted and completed.', {
  completed: date('When it was completed.').optional().notStored(),
  submitted: dateNow('When it was submitted.'),
});

export const submissionDocument = defineDocument({
  name: 'submission',
  title: 'Submission',
  description: 'Files that were sent in, and their analysis.',
  idField: 'sid',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'times.submitted', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    archive_ts: archiveTime,
    archived: boolean('Whether it is in the archive.').default(false),
    classification: classification('Who may see it.'),
    tracing_events: traceEvent.list().default([]),
    error_count: integer('Number of errors.'),
    errors: keyword('Keys of the errors.').list().notStored(),
    expiry_ts: expiry,
    file_count: integer('Number of files.'),
    files: submittedFile.list(),
    max_score: integer('Highest score of a file.'),
    metadata: mapping('Metadata by name.', keyword('A value.'), { keys: ANY_KEY }).default({}).notStored().copyToText(),
    params: submissionParams,
    results: keyword('Keys of the results.').list().notStored(),
    sid: keyword('Identifier of the submission.').copyToText(),
    state: enumeration('Whether it is under way, completed or failed.', SUBMISSION_STATES),
    to_be_deleted: boolean('Whether it is about to be deleted.').default(false),
    times: times.default({}),
    verdict: verdict.default({}),
    from_archive: boolean('Whether it came from the archive.').default(false).notIndexed(),
    scan_key: keyword('Key that equal submissions share.').optional().internal(),
  },
});

export type Submission = typeof submissionDocument.Type;
export type SubmissionParams = Submission['params'];
