import { Type } from 'typebox';
import { adapterSettings, CALL_RATE } from './enrichment-adapter-settings.ts';
import { listSettings } from './list-settings.ts';
import {
  integer,
  mapOf,
  number,
  onOff,
  optionalAddress,
  optionalChoice,
  optionalInteger,
  optionalText,
  port,
  publicUrl,
  section,
  sections,
  text,
  textList,
} from './setting-kinds.ts';

/** Names of the sources of the program in their order, which is that of the answers. */
export const OWN_SOURCES = ['facts', 'alerts', 'analysis', 'lists', 'geo', 'attack'] as const;

/** Settings of one source. */
export const externalSourceSettings = section({
  name: Type.String({
    description: 'Name of the source.',
    pattern: '^[^/,\\s]+$',
    allowed: 'a name without blanks, commas and slashes',
  }),
  url: Type.String({
    description: 'Address that its paths `/types/`, `/lookup/` ... follow.',
    pattern: '^https?://[^\\s/]+',
    allowed: 'an address that starts with http:// or https://',
  }),
  classification: optionalText('Classification that is required to use the source. Default: unrestricted.'),
  max_classification: optionalText('Highest classification of what it may be asked. Default: the lowest there is.'),
  obo_target: optionalText('Entry of `enrichment.obo_targets` that its tokens are exchanged for.'),
  maintainer: optionalText('Who looks after it, `Name <address>`.'),
  datahub_link: optionalText('Where its data are described.'),
  documentation_link: optionalText('Where it is documented.'),
  production: onOff('Its answers are known to follow the protocol.', false),
  include_default: onOff('Is queried if the request names no sources.', true),
  built_in: onOff('Cannot be removed while the program runs.', true),
  default_timeout: number('Seconds that it may take.', 30, { minimum: 0.1 }),
  concurrency: integer(
    'Concurrent calls of each process. Users take turns; from two on, no user has the last quarter of them.',
    16,
    { minimum: 1, maximum: 1000 },
  ),
  rate_limits: textList(
    'Calls of all processes together, `4/minute, 500/day`: at most so many within any period of that length; a month has 31 days. Calls that fit before their deadline wait, others are refused with the time of the next.',
    '',
    { pattern: CALL_RATE, allowed: 'a number of calls by second, minute, hour, day or month, such as 4/minute' },
  ),
  cache: section({
    ttl: number(
      'Seconds for which answers are kept, at most 128 MB of all sources; a tenth of it where nothing is known. 0: not at all.',
      0,
    ),
    shared: onOff(
      'Callers of one clearance share answers if the source gets no token. Otherwise callers have only their own.',
      false,
    ),
  }),
  identity: optionalChoice(
    ['installation'],
    'installation: the source takes tokens that this installation signs for its accounts, and checks them with the keys at `/.well-known/jwks.json`.',
  ),
});

/** Settings of the enrichment service; descriptions name differing keys of the public system. */
export const enrichmentSettings = section({
  port: port('Port of the enrichment service.', 5002),
  public_url: publicUrl('enrichment service'),
  api_keys: mapOf(
    Type.String({ pattern: '^.+$', allowed: 'a secret, not empty' }),
    'Secrets by key name (`auth.apikeys` of the public system) of programs that call the enrichment service for users of their own: `Basic name:secret` with the headers X-USERID and X-CLASSIFICATION, which are believed. `auth.allow_apikeys` switches them off.',
  ),
  cors_origins: textList(
    'Origins whose pages may call the enrichment service (`ui.cors_origins` of the public system): `https://host`, or regular expressions that the whole origin has to match.',
  ),
  discover_url: optionalAddress(
    'Address of the list of applications that the web interface offers to switch to (`api.discover_url` of the public system).',
  ),
  languages: textList(
    'Languages of which the status that a fetcher shows needs a label each (the variable `LOCALIZATION_LANGUAGES` of the public system).',
    'en,fr',
  ),
  registration: section({
    private_addresses: onOff(
      'Sources that register themselves may be at private addresses. Link-local ones are always refused.',
      true,
    ),
  }),
  documentation_folder: optionalText(
    'Folder of the texts that the help page shows (the variable `CLUE_DOCUMENTATION_PATH` of the public system). Without it there are none.',
  ),
  own_sources: textList(
    'Sources of the program that are asked. `geo` and `attack` need files. An empty list: none.',
    OWN_SOURCES.join(','),
    {
      pattern: `^(${OWN_SOURCES.join('|')})$`,
      allowed: `names of sources of the program: ${OWN_SOURCES.join(', ')}`,
    },
  ),
  ...adapterSettings,
  alerts: section({
    url: optionalAddress(
      'Address of the alert service, or of a Howler, that the source `alerts` asks. Default: the alert service of this process.',
    ),
    obo_target: text(
      'Entry of `enrichment.obo_targets` that the tokens of the source `alerts` are exchanged for; `alerts` without an entry: the alert service of this installation.',
      'alerts',
    ),
  }),
  geo: section({
    files: textList(
      'MMDB files (MaxMind, DB-IP, IPinfo) for the source `geo`. Each is held in memory, and read again within 5 s when it changes. Without any the source is off.',
    ),
  }),
  attack: section({
    file: optionalText(
      'ATT&CK as a STIX 2.x bundle for the source `attack`, such as enterprise-attack.json; read again within 5 s when it changes. Without it the source is off.',
    ),
  }),
  analysis: section({
    url: optionalAddress(
      'Address of the analysis service, or of an Assemblyline, that the source `analysis` asks. Default: the analysis service of this process.',
    ),
    obo_target: text(
      'Entry of `enrichment.obo_targets` that the tokens of the source `analysis` are exchanged for; `analysis` without an entry: the analysis service of this installation.',
      'analysis',
    ),
  }),
  external_sources: sections(
    externalSourceSettings,
    'Sources of enrichment (`api.external_sources` of the public system).',
  ),
  lists: sections(
    listSettings,
    'Lists of indicators that the source `lists` asks. Each is compiled into a file below the data folder.',
  ),
  obo_targets: mapOf(
    section({
      enabled: onOff('False: tokens are not exchanged for this target.', true),
      scope: Type.String({ description: 'Scope of the token that the target gets.' }),
      audience: optionalText(
        'Audience of that token. Default: what stands before the last slash of a scope that is an address, before the first of another.',
      ),
      quota: optionalInteger('Requests of a user to this target at the same time. Default: as many as there are.', 0),
    }),
    'Services that a token of a user is exchanged for, by name (`api.obo_targets` of the public system), in addition to those of this installation.',
  ),
});
