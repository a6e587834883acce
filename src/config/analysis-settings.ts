import { Type } from 'typebox';
import { archiverSettings, archiveSettings } from './analysis-archive-settings.ts';
import { dispatcherSettings, serviceDispatchSettings, temporaryDataSettings } from './analysis-dispatch-settings.ts';
import { expirySettings } from './analysis-expiry-settings.ts';
import {
  ingesterSettings,
  outboundSettings,
  plumberSettings,
  submissionIntakeSettings,
} from './analysis-intake-settings.ts';
import {
  choice,
  integer,
  number,
  onOff,
  optionalChoice,
  optionalText,
  port,
  publicUrl,
  section,
  sections,
  text,
  textList,
} from './setting-kinds.ts';

/** Settings of the analysis service, named as in contract/analysis.md section 10.1. */
export const analysisSettings = section({
  port: port('Port of the analysis service.', 5001),
  public_url: publicUrl('analysis service'),
  analyzers: section({
    enabled: textList('Built-in analyzers that run: `all`, `none` or their names.', 'all'),
    processes: integer('Processes of built-in analyzers at a time; 0: as many as the machine has cores.', 0, {
      maximum: 256,
    }),
  }),
  auth: section({
    allow_2fa: onOff('Users may set up one-time passwords as a second factor.', true),
    allow_security_tokens: onOff('Users may register security tokens.', true),
  }),
  core: section({
    expiry: expirySettings,
    archiver: archiverSettings,
    dispatcher: dispatcherSettings,
    alerter: section({
      alert_ttl: integer('Days until an alert is deleted; 0 never.', 90, { minimum: 0 }),
      delay: integer('Seconds for which lists leave new alerts out, so that workflows see them first.', 300, {
        minimum: 0,
      }),
    }),
    ingester: ingesterSettings,
    plumber: plumberSettings,
  }),
  outbound: outboundSettings,
  datastore: section({
    archive: archiveSettings,
    cache_dtl: integer('Days that trees and summaries of submissions are kept.', 5, { minimum: 1 }),
  }),
  services: section({
    ...serviceDispatchSettings,
    categories: textList(
      'Categories of analyzers, which submitters choose from.',
      'Antivirus, Dynamic Analysis, External, Extraction, Filtering, Internet Connected, Networking, Static Analysis',
    ),
    registration: optionalChoice(
      ['write', 'compare'],
      'What happens when an analyzer registers over the protocol for services. `write`: a new analyzer or version is stored. `compare`: it is refused until an administrator adds it. Default: `write` while the program listens on loopback alone, else `compare`.',
    ),
    preferred_registry_type: choice(['docker', 'harbor'], 'Kind of registry of manifests that name none.', 'docker'),
    prefer_service_privileged: onOff('Analyzers whose manifest does not say so run in the core.', false),
    preferred_update_channel: choice(
      ['stable', 'rc', 'beta', 'dev'],
      'Versions of analyzers that are offered.',
      'stable',
    ),
    stages: textList('Steps of an analysis, in their order.', 'FILTER, EXTRACT, CORE, SECONDARY, POST, REVIEW'),
  }),
  submission: section({
    dtl: integer('Days until a submission is deleted; 0 never.', 30),
    max_dtl: integer('Most days that submitters may ask for; 0 is unlimited.', 0),
    max_file_size: integer('Largest file in bytes.', 104_857_600, { minimum: 1 }),
    verdicts: section({
      info: integer('Lowest score that says anything.', 0),
      suspicious: integer('Lowest score of a suspicious file.', 300),
      highly_suspicious: integer('Lowest score of a highly suspicious file.', 700),
      malicious: integer('Lowest score of a malicious file.', 1000),
    }),
    default_max_extracted: integer('Files that are taken out of a file, at most.', 500),
    default_max_supplementary: integer('Files that are added to it, at most.', 500),
    max_extraction_depth: integer('Files inside files inside files: how deep they are looked at.', 6, { minimum: 1 }),
    emptyresult_dtl: integer('Days until an empty result is deleted.', 5, { minimum: 1 }),
    max_temp_data_length: integer(
      'Longest value, as JSON, that analyzers hand on to those after them, in bytes.',
      4096,
      { minimum: 1 },
    ),
    max_metadata_length: integer('Longest value of metadata, in characters.', 4096, { minimum: 1 }),
    ...submissionIntakeSettings,
    ...temporaryDataSettings,
    tag_types: section({
      attribution: textList(
        'Tags that say whose work a file is.',
        'attribution.actor, attribution.campaign, attribution.exploit, attribution.implant, attribution.family, attribution.network, av.virus_name, file.config, technique.obfuscation',
      ),
      behavior: textList('Tags that say what a file does.', 'file.behavior'),
      ioc: textList(
        'Tags that something else can be looked for by.',
        'network.email.address, network.static.ip, network.static.domain, network.static.uri, network.dynamic.ip, network.dynamic.domain, network.dynamic.uri',
      ),
    }),
  }),
  system: section({
    organisation: text('Name of the organisation.', 'ACME'),
    support: section({
      documentation: text(
        'Address of the documentation for users.',
        'https://cybercentrecanada.github.io/assemblyline4_docs/',
      ),
      email: optionalText('E-mail address of the people who help users.'),
    }),
  }),
  ui: section({
    alerting_meta: section({
      important: textList(
        'Metadata of a submission that its alert always shows.',
        'original_source, protocol, subject, submitted_url, source_url, url, web_url, from, to, cc, bcc, ip_src, ip_dst, source',
      ),
      subject: textList('Metadata that holds the subject of an e-mail.', 'subject'),
      url: textList('Metadata that holds an address.', 'submitted_url, source_url, url, web_url'),
    }),
    allow_malicious_hinting: onOff('Submitters may say that a file is malicious.', false),
    allow_raw_downloads: onOff('Files may be downloaded as they are.', true),
    allow_replay: onOff('Users may send submissions on to another installation.', false),
    allow_zip_downloads: onOff('Files may be downloaded in archives with a password.', true),
    banner: optionalText('Text on top of the page where files are submitted.'),
    banner_level: choice(['info', 'success', 'warning', 'error'], 'How important the banner is.', 'info'),
    community_feed: text('Address of the list of services that the community makes.', ''),
    default_zip_password: text('Password of archives of users who chose none.', 'infected'),
    download_encoding: choice(['cart', 'raw', 'zip'], 'How files are downloaded by users who chose nothing.', 'cart'),
    external_sources: sections(
      section({
        name: Type.String({ description: 'Name of the source.' }),
        url: Type.String({
          description: 'Address that its paths `/tags/` and `/details/` follow.',
          pattern: '^https?://[^\\s/]+',
          allowed: 'an address that starts with http:// or https://',
        }),
        classification: optionalText('Classification that is required to use the source. Default: unrestricted.'),
        max_classification: optionalText('Highest classification of what it may be asked. Default: unrestricted.'),
      }),
      'Systems that hashes and tags can be looked up in. Those in the own network need `analysis.outbound.allowed_networks`.',
    ),
    fqdn: text('Name that this installation is reached by.', 'localhost'),
    statistics: section({
      alert: textList(
        'Fields whose values the statistics of alerts count.',
        'al.attrib, al.av, al.behavior, al.domain, al.ip, al.yara, file.name, file.md5, owner',
      ),
    }),
    rss_feeds: textList('Addresses of news that the web interface shows.'),
    services_feed: text('Address of the list of services.', ''),
    url_submission_auto_service_selection: textList(
      'Services that are chosen when an address is submitted.',
      'URLDownloader',
    ),
    url_submission_timeout: number('Seconds that a server may take to answer with a file.', 15, { minimum: 1 }),
    session_duration: integer('Seconds until a session ends.', 3600, { minimum: 60, maximum: 2_592_000 }),
    secret_key: optionalText(
      'Secret that on-behalf-of tokens of the analysis service are signed with. Default: made at the first use and kept with the coordination state. With that of a public system, the tokens that it gave out stay good.',
    ),
    validate_session_ip: onOff('A session is good from the address alone that opened it.', true),
    validate_session_useragent: onOff('A session is good for the user agent alone that opened it.', true),
    session_cookies: choice(
      ['auto', 'secure', 'insecure'],
      'Whether browsers send the cookies of a session over HTTPS alone (`secure`). `auto`: when the public URL begins with `https`, or the browser came over HTTPS, also where a proxy says so in X-Forwarded-Proto.',
      'auto',
    ),
    allow_url_submissions: onOff('Files may be submitted by their address.', true),
    default_quotas: section({
      concurrent_api_calls: integer('Requests at the same time.', 10),
      daily_api_calls: integer('Requests a day.', 0),
      concurrent_submissions: integer('Submissions at the same time.', 5),
      concurrent_async_submissions: integer('Concurrent asynchronous submissions.', 0),
      daily_submissions: integer('Submissions a day.', 0),
    }),
    ingest_max_priority: integer('Highest priority of files that come in bulk.', 250, { minimum: 1, maximum: 1500 }),
    read_only: onOff('Rejects changes except those of objects that the caller owns.', false),
    tos: optionalText('Terms of service in Markdown. Users have to agree to them before they can do anything else.'),
    tos_lockout: onOff('Users who agree are disabled until an administrator enables them.', false),
    tos_lockout_notify: textList('E-mail addresses that are told about it.'),
  }),
});
