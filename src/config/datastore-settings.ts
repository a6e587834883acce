import {
  AGE,
  choice,
  integer,
  mapOf,
  number,
  onOff,
  optionalInteger,
  optionalText,
  section,
  sections,
  text,
} from './setting-kinds.ts';

const hostSettings = section({
  name: text(
    'Names the variables of the credentials: `<NAME>_HOST_APIKEY_ID`, `_APIKEY_SECRET`, `_USERNAME`, `_PASSWORD`.',
    'elastic',
    { pattern: '^[A-Za-z0-9_-]+$', allowed: 'a word of letters, digits, - and _' },
  ),
  url: text('Address of the server.', 'http://127.0.0.1:9200', {
    pattern: '^https?://',
    allowed: 'an address that starts with http:// or https://',
  }),
  username: optionalText('User of basic authentication.'),
  password: optionalText('Password of basic authentication.'),
  apikey_id: optionalText('Identifier of an API key.'),
  apikey_secret: optionalText('Secret of the API key.'),
  fingerprint: optionalText(
    'SHA-256 fingerprint of the certificate of the server, or of one that signed it; it alone is checked then.',
  ),
});

export const datastoreSettings = section({
  type: choice(
    ['embedded', 'elasticsearch', 'opensearch'],
    'Where documents live: in the data folder, or on a cluster.',
    'embedded',
  ),
  hosts: sections(hostSettings, 'Servers of one cluster. An address alone stands for an entry with the usual name.', {
    default: [{ name: 'elastic', url: 'http://127.0.0.1:9200' }],
    shorthand: 'url',
  }),
  index_prefix: text('First part of the names of all indices.', 'svc', {
    pattern: '^[a-z0-9][a-z0-9_.-]*$',
    allowed: 'a word of lower-case letters, digits, ., - and _',
  }),
  shards: integer('Primary shards of an index that is made on the cluster.', 1, { minimum: 1, maximum: 1024 }),
  replicas: integer(
    'Copies of each shard of an index that is made on the cluster. At least 1 where a node may fail.',
    0,
    { maximum: 100 },
  ),
  transport_timeout: number('Seconds that a request to the cluster may take.', 10, { minimum: 0.001 }),
  task_poll_timeout: number('Seconds that a task of the cluster may take.', 3600),
  task_poll_interval: number('Seconds between two looks at a copy that runs on the cluster, during a reindex.', 0.5),
  max_request_size: integer('Largest bulk request to the cluster in bytes.', 100_000_000, { minimum: 1_000_000 }),
  request_batch_size: integer('Documents in a bulk request.', 500, { minimum: 1, maximum: 10_000 }),
  index_shapes: mapOf(
    section({
      shards: optionalInteger('Shards of new indices of this collection.', 1),
      replicas: optionalInteger('Copies of each of them.', 0),
    }),
    'Collections with other numbers than `shards` and `replicas`: `hit: { shards: 3 }`.',
  ),
  ilm: section({
    enabled: onOff('Splits alerts, events and cases by age into several indices.', false),
    rollover_max_age: text('Age at which a new index is begun.', '30d', AGE),
    rollover_max_size: text('Size of a primary shard at which a new index is begun.', '50gb', {
      pattern: '^[1-9][0-9]*(b|kb|mb|gb|tb|pb)$',
      allowed: 'a size such as 50gb',
    }),
    indices: mapOf(
      section({
        enabled: onOff('Whether this collection takes part.', true),
        warm: optionalText('Age at which an index is merged and rarely written. Missing: no warm phase.', AGE),
        warm_forcemerge_segments: integer('Segments that are left by that merge.', 3, { minimum: 1 }),
        cold: optionalText('Age at which an index counts as cold. Missing: no cold phase.', AGE),
      }),
      'Exceptions of single collections: `hit: { warm: 30d }`.',
    ),
  }),
});
