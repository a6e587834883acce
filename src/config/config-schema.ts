import type { Static } from 'typebox';
import { Type } from 'typebox';
import { analysisSettings } from './analysis-settings.ts';
import { authSettings } from './auth-settings.ts';
import { datastoreSettings } from './datastore-settings.ts';
import { enrichmentSettings } from './enrichment-settings.ts';
import {
  choice,
  integer,
  mapOf,
  number,
  onOff,
  optionalAddress,
  optionalOnOff,
  optionalOrigin,
  optionalText,
  port,
  publicUrl,
  section,
  someOf,
  text,
  textList,
} from './setting-kinds.ts';
import { auditSettings, systemSettings } from './system-settings.ts';

/** Parts of the program that a process may run alone. */
export const COMPONENTS = ['http', 'sockets', 'workers', 'jobs'] as const;

/** Every setting; the reader, the environment variables and docs/configuration.md follow from it. */
export const configSchema = section({
  host: text('Address that the listeners bind to. `0.0.0.0` opens them to the network.', '127.0.0.1'),
  data_folder: text(
    'Folder of everything that the embedded parts keep. Made when it is missing; one process at a time.',
    './data',
  ),
  cert_directory: text(
    'Folder of the certificates (`*.crt`, `*.pem`) of authorities that search engines, Redis, S3 servers and identity providers are verified with, in addition to the default authorities.',
    '/etc/svc/certs',
  ),
  extension_folder: optionalText(
    'Folder of extensions of the enrichment service, each in a folder of its name. Without it, extensions are installed packages (docs/extensions.md).',
  ),
  components: someOf(
    COMPONENTS,
    'Parts that this process runs: `http` the services on their ports, `sockets` live updates on the port of the alert service, `workers` triggers and case rules, `jobs` what runs by a crontab. Every process answers health checks and metrics on the port of the alert service. Processes that share an installation need a search engine and Redis.',
  ),
  web: section({
    port: port('Port of the web interface with all services on one origin.', 8080),
    public_url: publicUrl('web interface'),
    ui_folder: optionalText(
      'Folder of the built web interface. Default: `ui/dist` in the folder of the program, which `npm start` builds.',
    ),
    forgotten_password: optionalText(
      'What users do who forgot their password, shown beside the sign-in of the web interface: whom to call, or where to reset it. Default: they are sent to an administrator.',
    ),
    session_duration: integer('Seconds until a session of the web interface ends.', 43_200, {
      minimum: 60,
      maximum: 2_592_000,
    }),
    session_idle: integer(
      'Seconds without a request of the user after which a session of the web interface ends.',
      3600,
      {
        minimum: 60,
        maximum: 2_592_000,
      },
    ),
  }),
  alerts: section({
    port: port('Port of the alert service.', 5000),
    public_url: publicUrl('alert service'),
    emit_secret: text(
      'Secret with which other programs publish live events (`POST /socket/v1/emit/<event>`; `HWL_INTERPOD_COMMS_SECRET` of the public system). The default is publicly known, so it is accepted from the same machine only.',
      'secret',
    ),
  }),
  analysis: analysisSettings,
  services: section({
    port: port('Port of the protocol by which analyzers of the analysis service get their tasks.', 5003),
    api_key: optionalText(
      'Key that analyzers send in `X-APIKEY`. Default: the publicly known key that analyzers have without configuration, while the program listens on loopback alone; otherwise no analyzer is admitted.',
    ),
  }),
  enrichment: enrichmentSettings,
  audit: auditSettings,
  auth: authSettings,
  datastore: datastoreSettings,
  coordination: section({
    type: choice(
      ['embedded', 'redis'],
      'Where tokens, counters, locks and queues live: in the data folder, or in a Redis that processes share.',
      'embedded',
    ),
    url: text(
      'Address of the Redis server: `redis[s]://[user[:password]@]host[:port][/database]`. User and password are percent-encoded; `rediss` is TLS.',
      'redis://127.0.0.1:6379',
      { pattern: '^rediss?://', allowed: 'an address that starts with redis:// or rediss://' },
    ),
  }),
  files: section({
    type: choice(['local', 's3'], 'Where the bytes of files live: in the data folder, or in an S3 bucket.', 'local'),
    url: optionalText(
      'Address of the S3 server with the bucket as path, `https://host/bucket`; a folder in the bucket may follow.',
    ),
    access_key: optionalText(
      'Access key of the S3 server. Without it and the next: the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the files of the AWS tools, or the role of the machine.',
    ),
    secret_key: optionalText('Secret key that belongs to it.'),
    region: optionalText('Region of the bucket. Default: as the address of Amazon says, else us-east-1.'),
    create_bucket: onOff('Makes the bucket at the start when it is missing.', true),
    timeout: number('Seconds without a sign of life of the S3 server until a request fails.', 10, { minimum: 0.1 }),
  }),
  logging: section({
    log_level: choice(
      ['TRACE', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL', 'DISABLED'],
      'Least important messages that are written.',
      'INFO',
    ),
    log_as_json: optionalOnOff(
      'One JSON object a line, or text for people. Default: text when standard output is a terminal, else JSON.',
    ),
  }),
  http: section({
    max_body_size: integer(
      'Largest request body in bytes. Reading one of 8 MiB holds up other callers for up to 0.2 s.',
      8 * 1024 * 1024,
      { minimum: 1024, maximum: 1_000_000_000 },
    ),
    public_url: optionalOrigin(
      'Public URL: scheme, host and port by which browsers reach the services. Identity providers send browsers back there, pages of this origin count as own pages, and cookies are given out for HTTPS alone when it begins with `https`. Default: what each request says in Host, or, through a trusted proxy, in X-Forwarded-Host and X-Forwarded-Proto.',
    ),
    metrics_prefix: text(
      'First word of the names of metrics: `triad` in `triad_http_requests_total`. With `howler`, dashboards of Howler find the names that they know.',
      'triad',
      {
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        allowed: 'a word of letters, digits and _ that does not begin with a digit',
      },
    ),
    trusted_proxies: textList(
      'Addresses and networks of reverse proxies, `10.0.0.0/8`. Their headers X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host give the address of the caller, the scheme and the host. The nearest address that is not such a proxy counts, without its port; an entry that is not an IP address counts as the proxy that sent it. By default no such header counts, and all callers behind a proxy share its address and its limit of failed logins.',
    ),
  }),
  system: systemSettings,
  ui: section({
    audit: onOff('Routes that matter write a line for every authorised call.', true),
    enforce_quota: onOff('Limits the concurrent requests of a user to `api_quota`.', true),
    discover_url: optionalAddress('Address of such a list, used when `discovery` names none.'),
  }),
  discovery: section({
    enabled: onOff('Offers the applications of a discovery service in the web interface of alerts.', false),
    url: optionalAddress('Address of the list of applications of that service (Eureka), as JSON.'),
  }),
  core: section({
    extensions: textList(
      'Names of extensions of the enrichment service, in the order in which they are loaded: folders in `extension_folder`, or packages.',
    ),
    clue: section({
      enabled: onOff(
        'Serves `/api/v1/clue/` at the alert service, which passes requests on to the enrichment service, and offers enrichment to the web interface.',
        false,
      ),
      url: Type.String({
        description: 'Address of the enrichment service. It gets a token with the rights of the caller.',
        default: 'http://127.0.0.1:5002',
        pattern: '^https?://[^\\s/]+',
        allowed: 'an address that starts with http:// or https://',
      }),
      status_checks: textList('Enrichment sources whose state the web interface shows.'),
    }),
    notebook: section({
      enabled: onOff(
        'Offers notebooks to the web interface. Not offered yet: the alert service has no routes for it.',
        false,
      ),
      url: optionalText('Address of the notebook server.'),
      scope: optionalText('Scope of the token that the notebook server gets.'),
    }),
  }),
  mapping: mapOf(Type.String(), 'Enrichment type of alert fields: `source.ip: ip`. Usually in mappings.yml.'),
  migration: section({
    wait_timeout: number('Seconds that a migration waits for another process that runs it.', 14_400),
    poll_interval: number('Seconds between two looks at that process.', 0.5),
    stale_claim_timeout: number(
      'Seconds after which a running migration counts as abandoned. Longer than the longest migration.',
      14_400,
    ),
  }),
});

/** Keys, and beginnings of keys, that are checked but have no effect yet. */
export const WITHOUT_EFFECT_YET: readonly string[] = ['analysis.ui.tos_lockout_notify', 'core.notebook'];

/** Every setting with its value; names are those of config.yml. */
export type Settings = Static<typeof configSchema>;
