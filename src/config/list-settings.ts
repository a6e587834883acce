import { Type } from 'typebox';
import { AGE, choice, number, optionalAddress, optionalChoice, optionalText, section } from './setting-kinds.ts';

/** Formats of lists, as `src/enrichment/lists/formats` reads them. */
export const LIST_FORMATS = [
  'text',
  'csv',
  'ndjson',
  'stix',
  'taxii',
  'misp_event',
  'misp_feed',
  'misp_warninglist',
  'hashes',
] as const;

/** Settings of one list of `enrichment.lists`. */
export const listSettings = section({
  name: Type.String({
    description: 'Name of the list, which is also that of its file.',
    pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$',
    allowed: 'a name of up to 64 letters, digits, points, dashes and underscores',
  }),
  format: choice(
    LIST_FORMATS,
    'text: a value on each line. hashes: exports of NSRL and CIRCL. taxii needs a `url`; misp_feed has one, or a folder as `path`.',
    'text',
  ),
  path: optionalText('File of the list. A change is noticed within 5 s.'),
  url: optionalAddress('Address of the list, instead of `path`; for `taxii` that of the API root.'),
  collection: optionalText('Collection of `taxii`: its id or title.'),
  interval: optionalText('Age at which the list is updated by itself. Default: only `triad lists update` does.', AGE),
  opinion: optionalChoice(
    ['benign', 'suspicious', 'malicious', 'obscure'],
    'What it means that the list holds a value. Default: nothing but that; an entry may have an opinion of its own.',
  ),
  confidence: number('Confidence of its annotations, where an entry has none.', 0.5, { maximum: 1 }),
  classification: optionalText(
    'Classification of the list: of its name, and the least of its entries. Default: unrestricted.',
  ),
  match: optionalChoice(
    ['exact', 'cidr', 'domain', 'hostname', 'substring', 'regex'],
    'How values of plain lists match. domain: also hosts below, and e-mail addresses. hostname: also hosts below. Default: networks match their addresses, other values exactly.',
  ),
  column: optionalText('Column of `csv`, or key of `ndjson`, that holds the values. Default: the first that fits.'),
  expires: optionalText('Age without an update after which the entries are not used. Default: none.', AGE),
  username: optionalText('User name for the address, with `password`.'),
  password: optionalText('Password for `username`.'),
  api_key: optionalText(
    'Key for the address: sent as `Authorization`, as MISP wants it; for `taxii` as a bearer token.',
  ),
});
