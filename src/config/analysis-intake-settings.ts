import { Type } from 'typebox';
import {
  ADDRESS,
  choice,
  integer,
  mapOf,
  number,
  onOff,
  optionalText,
  section,
  sections,
  textList,
} from './setting-kinds.ts';

/** Kinds of values of metadata, as the schemes of `submission.metadata` name them. */
export const METADATA_VALIDATORS = [
  'boolean',
  'date',
  'domain',
  'email',
  'enum',
  'float',
  'integer',
  'ip',
  'keyword',
  'list',
  'regex',
  'text',
  'uri',
] as const;

/** Any JSON, which its reader checks. */
const anyJson = Type.Unsafe<unknown>({});

const metadataField = section({
  validator_type: choice(METADATA_VALIDATORS, 'Kind of the value.', 'text'),
  validator_params: mapOf(
    anyJson,
    'Options of the kind: `validation_regex` of regex, `values` of enum, `child_type` of list, `allow_empty` of all.',
  ),
  suggestions: textList('Values that the web interface offers.'),
  suggestion_key: optionalText('Entry of the suggestions that administrators keep; with `enum` they are allowed, too.'),
  default: optionalText('Value of a required field that is missing.'),
  required: onOff('Submissions without it are refused.', false),
  aliases: textList('Other names that submitters use for it.'),
});

const fileSource = section({
  name: Type.String({ description: 'Name that submitters choose it by.' }),
  url: Type.String({ description: 'Address of a file, with the text of `replace_pattern` in it.', ...ADDRESS }),
  replace_pattern: Type.String({
    description: 'Text in `url` and `data` that the hash or other value replaces.',
    pattern: '^.+$',
    allowed: 'a string, not empty',
  }),
  hash_types: textList('What files are asked for by: `sha256`, `md5`, or any other key of submissions.', 'sha256'),
  hash_patterns: mapOf(Type.String(), 'Regular expressions of the values of other keys, for the web interface.'),
  auto_select: onOff('Selected in the web interface from the start.', false),
  download_from_url: onOff('False: the address itself is submitted, as an AL-URI file.', true),
  classification: optionalText('Lowest classification of its files, and of users who may know of it.'),
  method: choice(['GET', 'POST'], 'Method of the request.', 'GET'),
  data: optionalText('Body of the request.'),
  headers: mapOf(Type.String(), 'Headers of the request.'),
  failure_pattern: optionalText('Text in an answer that means that the file is not there.'),
  password: optionalText('Password of the archives that it answers with.'),
  proxies: mapOf(Type.String(), 'Addresses of proxies by `http` and `https`.'),
  verify: onOff('The certificate of the server is verified.', true),
  select_services: textList('Services that are selected for its files.'),
  metadata: mapOf(Type.String(), 'Metadata of its submissions. Default: `original_source` with its name.'),
});

const profile = section({
  name: Type.String({ description: 'Name in requests.', pattern: '^[\\w.-]+$', allowed: 'letters, digits, `_.-`' }),
  display_name: Type.String({ description: 'Name that people see.' }),
  classification: optionalText('Who may use it. Default: unrestricted.'),
  params: mapOf(anyJson, 'Parameters of its submissions, as requests have them.'),
  restricted_params: mapOf(
    textList('Names of parameters.'),
    'Parameters that only users with the role `submission_customize` may change: lists by service, `submission` for those of the submission itself.',
  ),
  summary: optionalText('A few words for the list of profiles.'),
  description: optionalText('Its use in Markdown.'),
});

/** Settings of `analysis.submission` that decide about files that come in. */
export const submissionIntakeSettings = {
  file_sources: sections(fileSource, 'Servers that files are fetched from by a hash or another value.'),
  metadata: section({
    submit: mapOf(metadataField, 'Metadata of submissions, by name.'),
    archive: mapOf(metadataField, 'Metadata of submissions that go into the archive, by name.'),
    ingest: mapOf(
      mapOf(metadataField, 'Metadata by name.'),
      'Metadata of files that come in bulk, by the type of the submission; `_default` counts for every type.',
    ),
    strict_schemes: textList(
      'Schemes that allow no other metadata: `submit`, `archive` and types of bulk submissions.',
    ),
  }),
  profiles: sections(
    profile,
    'Profiles that submitters choose from. Default: static and dynamic analysis, each with and without the internet.',
  ),
};

/** Settings of `analysis.core.ingester`: files that come in bulk. */
export const ingesterSettings = section({
  always_create_submission: onOff('Also a file that was analysed before gets a submission of its own.', false),
  cache_dtl: integer('Days until the score of a file is forgotten.', 2, { minimum: 1 }),
  default_max_extracted: integer('Files that are taken out of a file that came in bulk, at most.', 100),
  default_max_supplementary: integer('Files that are added to such a file, at most.', 100),
  stale_after_seconds: number('Seconds after which a file is analysed again.', 86_400),
  incomplete_stale_after_seconds: number('The same where analyzers failed.', 1800),
  expire_after: number('Seconds after which the score of a file counts no longer.', 1_296_000),
  incomplete_expire_after_seconds: number('The same where analyzers failed.', 3600),
  max_inflight: integer('Submissions from bulk that are analysed at the same time.', 500, { minimum: 1 }),
  sampling_at: section({
    low: integer('Waiting files of priority 1 to 100 from which on some are dropped.', 10_000_000, { minimum: 1 }),
    medium: integer('The same for priorities 101 to 200.', 2_000_000, { minimum: 1 }),
    high: integer('The same for priorities 201 to 300.', 1_000_000, { minimum: 1 }),
    critical: integer('The same for priorities 301 to 400.', 500_000, { minimum: 1 }),
  }),
});

/** Settings of `analysis.core.plumber`: queues of notifications without a reader. */
export const plumberSettings = section({
  notification_queue_interval: number('Seconds between two looks for old notifications.', 1800, { minimum: 1 }),
  notification_queue_max_age: number('Seconds after which a queue with an older notification is removed.', 86_400, {
    minimum: 1,
  }),
});

/** Settings of requests that the service itself sends to other servers. */
export const outboundSettings = section({
  allowed_networks: textList(
    'Networks (CIDR) that the service may send requests to although they are private, link-local or otherwise not public: addresses of file sources, webhooks, sources of signatures and external lookups. Default: none.',
  ),
});
