import {
  AGE_PATTERN,
  choice,
  integer,
  mapOf,
  number,
  onOff,
  optionalInteger,
  optionalText,
  SIZE_PATTERN,
  section,
  sections,
  text,
} from './setting-kinds.ts';

const age = (description: string) =>
  optionalText({ description, pattern: AGE_PATTERN, allowed: 'an age such as 30d or 12h' });

const hostSettings = section({
  name: text({
    description:
      'Names the variables of the credentials: `<NAME>_HOST_APIKEY_ID`, `_APIKEY_SECRET`, `_USERNAME`, `_PASSWORD`.',
    default: 'elastic',
    pattern: '^[A-Za-z0-9_-]+$',
    allowed: 'a word of letters, digits, - and _',
  }),
  url: text({
    description: 'Address of the server.',
    default: 'http://127.0.0.1:9200',
    pattern: '^https?://',
    allowed: 'an address that starts with http:// or https://',
  }),
  username: optionalText({ description: 'User of basic authentication.' }),
  password: optionalText({ description: 'Password of basic authentication.' }),
  apikey_id: optionalText({ description: 'Identifier of an API key.' }),
  apikey_secret: optionalText({ description: 'Secret of the API key.' }),
  fingerprint: optionalText({
    description:
      'SHA-256 fingerprint of the certificate of the server, or of one that signed it; it alone is checked then.',
  }),
});

export const datastoreSettings = section({
  type: choice(['embedded', 'elasticsearch', 'opensearch'], {
    description: 'Where documents live: in the data folder, or on a cluster.',
    default: 'embedded',
  }),
  hosts: sections(hostSettings, {
    description: 'Servers of one cluster. An address alone stands for an entry with the usual name.',
    default: [{ name: 'elastic', url: 'http://127.0.0.1:9200' }],
    shorthand: 'url',
  }),
  index_prefix: text({
    description: 'First part of the names of all indices.',
    default: 'svc',
    pattern: '^[a-z0-9][a-z0-9_.-]*$',
    allowed: 'a word of lower-case letters, digits, ., - and _',
  }),
  shards: integer({
    description: 'Primary shards of an index that is made on the cluster.',
    default: 1,
    minimum: 1,
    maximum: 1024,
  }),
  replicas: integer({
    description: 'Copies of each shard of an index that is made on the cluster. At least 1 where a node may fail.',
    default: 0,
    minimum: 0,
    maximum: 100,
  }),
  transport_timeout: number({
    description: 'Seconds that a request to the cluster may take.',
    default: 10,
    minimum: 0.001,
  }),
  task_poll_timeout: number({ description: 'Seconds that a task of the cluster may take.', default: 3600, minimum: 0 }),
  task_poll_interval: number({ description: 'Seconds between two looks at a task.', default: 0.5, minimum: 0 }),
  max_request_size: integer({
    description: 'Largest bulk request to the cluster in bytes.',
    default: 100_000_000,
    minimum: 1_000_000,
  }),
  request_batch_size: integer({
    description: 'Documents in a bulk request.',
    default: 500,
    minimum: 1,
    maximum: 10_000,
  }),
  index_shapes: mapOf(
    section({
      shards: optionalInteger({ description: 'Shards of new indices of this collection.', minimum: 1 }),
      replicas: optionalInteger({ description: 'Copies of each of them.', minimum: 0 }),
    }),
    { description: 'Collections with other numbers than `shards` and `replicas`: `hit: { shards: 3 }`.' },
  ),
  ilm: section({
    enabled: onOff({ description: 'Splits alerts, events and cases by age into several indices.', default: false }),
    rollover_max_age: text({
      description: 'Age at which a new index is begun.',
      default: '30d',
      pattern: AGE_PATTERN,
      allowed: 'an age such as 30d or 12h',
    }),
    rollover_max_size: text({
      description: 'Size of a primary shard at which a new index is begun.',
      default: '50gb',
      pattern: SIZE_PATTERN,
      allowed: 'a size such as 50gb',
    }),
    indices: mapOf(
      section({
        enabled: onOff({ description: 'Whether this collection takes part.', default: true }),
        warm: age('Age at which an index is merged and rarely written. Missing: no warm phase.'),
        warm_forcemerge_segments: integer({
          description: 'Segments that are left by that merge.',
          default: 3,
          minimum: 1,
        }),
        cold: age('Age at which an index counts as cold. Missing: no cold phase.'),
      }),
      { description: 'Exceptions of single collections: `hit: { warm: 30d }`.' },
    ),
  }),
});
