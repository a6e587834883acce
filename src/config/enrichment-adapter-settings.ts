import { Type } from 'typebox';
import {
  integer,
  mapOf,
  number,
  onOff,
  optionalAddress,
  optionalText,
  optionalTextList,
  section,
  textList,
} from './setting-kinds.ts';

/** A rate of calls, as `src/enrichment/limits` reads it. */
export const CALL_RATE = '^\\s*[1-9][0-9]{0,8}\\s*/\\s*(second|minute|hour|day|month)\\s*$';

/** Characters that a header and an address can hold. */
const KEY = { pattern: '^[\\x21-\\x7e]+$', allowed: 'a key of printable ASCII characters without blanks' };

/** Sources that ask other systems, and their keys. */
export const adapterSettings = {
  adapters: mapOf(
    section({
      adapter: optionalText('Name of the adapter, such as `virustotal`. Default: the name of the source.'),
      enabled: onOff('False: the source is not there.', true),
      url: optionalAddress(
        'Address of the system, for a proxy or an installation of your own. Default: that of the vendor.',
      ),
      api_key: optionalText('API key. `enrichment.adapter_keys` comes first.', KEY),
      servers: textList(
        'Name servers that the adapter `dns` asks, `192.0.2.1` or `192.0.2.1:53`. Default: those of the machine.',
      ),
      classification: optionalText(
        'Classification that is required to use the source, and that of its answers. Default: unrestricted.',
      ),
      max_classification: optionalText('Highest classification of what it may be asked. Default: the lowest there is.'),
      maintainer: optionalText('Who looks after it, `Name <address>`.'),
      include_default: onOff(
        'Is queried if the request names no sources: every value leaves the installation then.',
        false,
      ),
      default_timeout: number('Seconds that it may take.', 30, { minimum: 0.1 }),
      concurrency: integer('Concurrent requests of each process.', 4, { minimum: 1, maximum: 1000 }),
      rate_limits: optionalTextList(
        'Requests of all processes together, `4/minute, 500/day`, as for other sources. Default: the limits of the vendor for a free account. An empty list: none.',
        { pattern: CALL_RATE, allowed: 'a number of calls by second, minute, hour, day or month, such as 4/minute' },
      ),
      cache: section({
        ttl: number('Seconds for which answers are kept; a tenth of it where nothing is known. 0: not at all.', 900),
        shared: onOff('Callers of one clearance share answers; no adapter gets their tokens.', true),
      }),
    }),
    'Sources that ask other systems, by name: VirusTotal, AbuseIPDB, MISP ... (docs/enrichment.md). A source is there when it is named.',
  ),
  adapter_keys: mapOf(
    Type.String(KEY),
    'API keys by name of the source, so that they may come from the environment alone.',
  ),
};
